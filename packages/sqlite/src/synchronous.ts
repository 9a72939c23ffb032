/** Rejects asynchronous bodies: after its first wait, such a body would run outside of the transaction. */
export function refusePromise(value: unknown): void {
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new TypeError('A write transaction must be synchronous: do the waiting before it');
  }
}
