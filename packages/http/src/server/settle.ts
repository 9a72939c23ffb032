export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on at once with what is already there, and later with what is only promised.
 *
 * An `await` makes a promise of everything, and an answer that is promised is written by a slower way than one that is
 * there: the server has to watch the connection meanwhile. Most reads have all they need in memory.
 */
export function settle<T, R>(value: MaybePromise<T>, goOn: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then((settled) => goOn(settled)) : goOn(value);
}
