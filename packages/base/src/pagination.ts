/** One page of a list. `next_cursor` is null on the last page. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * Reads one row more than fits on the page. If that row exists, there is a next page, and its cursor comes from the
 * last row shown.
 */
export async function readPage<Item>(
  limit: number,
  read: (count: number) => readonly Item[] | Promise<readonly Item[]>,
  cursorOf: (last: Item) => string,
): Promise<Page<Item>> {
  return pageOfRows(limit, await read(limit + 1), cursorOf);
}

/** For lists whose rows have no key to resume from: the cursor counts the rows already shown. */
export function readPageByOffset<Item>(
  limit: number,
  cursor: string | undefined,
  read: (offset: number, count: number) => readonly Item[],
): Page<Item> {
  const offset = cursor !== undefined && /^\d{1,9}$/u.test(cursor) ? Number(cursor) : 0;
  return pageOfRows(limit, read(offset, limit + 1), () => String(offset + limit));
}

function pageOfRows<Item>(limit: number, rows: readonly Item[], cursorOf: (last: Item) => string): Page<Item> {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last === undefined ? null : cursorOf(last) };
}
