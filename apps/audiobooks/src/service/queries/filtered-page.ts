import type { Page } from '@holdfast/keyspace';

/** Items examined per request. */
const EXAMINED_MAX = 1_000;
const CHUNK_MIN = 50;

export interface FilteredRequest<T> {
  /** Reads part of the unfiltered list. */
  readonly read: (limit: number, cursor: string | undefined) => Promise<Page<T>>;
  /** Returns one decision per item; accepts everything if omitted. */
  readonly accept?: ((items: readonly T[]) => Promise<readonly boolean[]>) | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of accepted items. Examines a bounded number, so a page may be short or empty and still have a cursor.
 */
export async function filteredPage<T>({ read, accept, limit, cursor }: FilteredRequest<T>): Promise<Page<T>> {
  if (accept === undefined) return read(limit, cursor);
  const found: T[] = [];
  let at = cursor;
  for (let examined = 0; ;) {
    const chunk = await read(Math.max(limit - found.length, CHUNK_MIN), at);
    const wanted = await accept(chunk.items);
    const used = take(chunk.items, wanted, found, limit);
    // The page ends inside the chunk; a shorter read yields the cursor for that position.
    if (used < chunk.items.length) return { items: found, cursor: (await read(used, at)).cursor };
    at = chunk.cursor;
    examined += used;
    if (at === undefined || found.length === limit || examined >= EXAMINED_MAX) return { items: found, cursor: at };
  }
}

/** Collects accepted items up to the limit; returns how many were examined. */
function take<T>(items: readonly T[], wanted: readonly boolean[], found: T[], limit: number): number {
  for (const [index, item] of items.entries()) {
    if (found.length === limit) return index;
    if (wanted[index] === true) found.push(item);
  }
  return items.length;
}
