/** An answer that is good for the rest of this turn of the event loop. */
export interface OncePerTurn<T> {
  readonly get: () => T;
  /** Asks anew, even in this turn. */
  readonly forget: () => void;
}

/**
 * Asks at most once per turn of the event loop; whoever asks again in the same turn gets the same answer.
 *
 * A turn begins by taking over what has arrived, and the question is asked after that. So the answer is never older than
 * the requests of that turn: one that was sent after something had changed elsewhere belongs to a later turn. What is
 * changed here, by the very requests of this turn, has to be told with `forget`.
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
