/** A result that is valid until the current turn of the event loop ends. */
export interface OncePerTurn<T> {
  readonly get: () => T;
  /** Drops the result, so the next call computes it again in the same turn. */
  readonly forget: () => void;
}

/**
 * Calls `ask` at most once per turn of the event loop.
 *
 * A turn first receives all waiting requests, then handles them, so the result is never older than these requests. A
 * request that was sent after another process's change belongs to a later turn. Requests in this turn that change
 * something must call `forget`.
 */
export function oncePerTurn<T>(ask: () => T): OncePerTurn<T> {
  let known: { readonly answer: T } | undefined;
  const forget = (): void => {
    known = undefined;
  };
  return {
    get: () => {
      if (known !== undefined) return known.answer;
      const answer = ask();
      known = { answer };
      setImmediate(forget);
      return answer;
    },
    forget,
  };
}
