import type { Page } from '@holdfast/keyspace';

/** How much one request looks at before it hands over what it has, with a cursor to go on. */
const EXAMINED_MAX = 1_000;
const CHUNK_MIN = 50;

export interface FilteredRequest<T> {
  /** A part of the list, as it is stored. */
  readonly read: (limit: number, cursor: string | undefined) => Promise<Page<T>>;
  /** One answer for each; left out, everything is wanted. */
  readonly accept?: ((items: readonly T[]) => Promise<readonly boolean[]>) | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * A page of what is wanted of a list. The work is bounded, however little of the list is wanted: then a page is short,
 * or even empty, and its cursor leads on.
 */
export async function filteredPage<T>({ read, accept, limit, cursor }: FilteredRequest<T>): Promise<Page<T>> {
  if (accept === undefined) return read(limit, cursor);
  const found: T[] = [];
  let at = cursor;
  for (let examined = 0; ;) {
    const chunk = await read(Math.max(limit - found.length, CHUNK_MIN), at);
    const wanted = await accept(chunk.items);
    const used = take(chunk.items, wanted, found, limit);
    // The page ends within the chunk: its cursor is that of a chunk that ends there.
    if (used < chunk.items.length) return { items: found, cursor: (await read(used, at)).cursor };
    at = chunk.cursor;
    examined += used;
    if (at === undefined || found.length === limit || examined >= EXAMINED_MAX) return { items: found, cursor: at };
  }
}

/** Moves what is wanted over until there is enough; returns how many were looked at. */
function take<T>(items: readonly T[], wanted: readonly boolean[], found: T[], limit: number): number {
  for (const [index, item] of items.entries()) {
    if (found.length === limit) return index;
    if (wanted[index] === true) found.push(item);
  }
  return items.length;
}
