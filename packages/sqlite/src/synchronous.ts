/** What an asynchronous body does after its first wait would happen outside of the transaction. */
export function refusePromise(value: unknown): void {
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new TypeError('A write transaction must be synchronous: do the waiting before it');
  }
}
