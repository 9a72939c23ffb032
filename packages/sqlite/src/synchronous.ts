/** Rejects asynchronous bodies, because code after their first await would run outside the transaction. */
export function refusePromise(value: unknown): void {
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new TypeError('A write transaction must be synchronous: await before it, not inside');
  }
}
