export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `use` at once with a value, or when a promise resolves.
 *
 * `await` would make every value a promise, and the server writes promised responses on a slower path, because it must
 * watch the connection meanwhile. Most reads have everything in memory.
 */
export function andThen<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then((settled) => use(settled)) : use(value);
}
