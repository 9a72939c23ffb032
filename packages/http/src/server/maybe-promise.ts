export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `use` immediately with a value, or when a promise resolves.
 *
 * `await` would turn every value into a promise. The server writes promised responses on a slower path, because it must
 * watch the connection while it waits. Most reads find everything in memory and need no promise.
 */
export function andThen<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then((settled) => use(settled)) : use(value);
}
