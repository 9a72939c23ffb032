export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `use` at once if the value is there, otherwise when the promise resolves.
 *
 * `await` would turn every value into a promise, and the server writes a promised response on a slower path, because it
 * has to watch the connection meanwhile. Most reads have everything in memory.
 */
export function andThen<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then((settled) => use(settled)) : use(value);
}
