/** Rejects asynchronous bodies, which would leave the transaction at their first await. */
export function refusePromise(value: unknown): void {
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new TypeError('A write transaction must be synchronous: await before it, not inside');
  }
}
