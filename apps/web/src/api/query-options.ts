import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

interface Cursor {
  readonly limit: number;
  readonly cursor?: string;
}

/** Returns a query that becomes stale after a while and is then refetched. */
export function readQuery<Data>(queryKey: readonly unknown[], read: (signal: AbortSignal) => Promise<Data>) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => read(signal) });
}

/** Returns a query that an event stream keeps current, so the passing of time does not make it stale. */
export function liveQuery<Data>(queryKey: readonly unknown[], read: (signal: AbortSignal) => Promise<Data>) {
  return queryOptions({ queryKey, staleTime: Infinity, queryFn: ({ signal }) => read(signal) });
}

/** A list of any length, read page by page and kept current by an event stream. */
export function livePages<Page extends { readonly next_cursor: string | null }>(
  queryKey: readonly unknown[],
  limit: number,
  read: (query: Cursor, signal: AbortSignal) => Promise<{ readonly data: Page }>,
) {
  return infiniteQueryOptions({
    queryKey,
    staleTime: Infinity,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }: Page) => next ?? undefined,
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await read({ limit, ...(cursor === undefined ? {} : { cursor }) }, signal)).data,
  });
}

export async function dataOf<Data>(call: Promise<{ readonly data: Data }>): Promise<Data> {
  return (await call).data;
}

export async function rowsOf<Row>(call: Promise<{ readonly data: { readonly data: Row } }>): Promise<Row> {
  return (await call).data.data;
}

export async function readAll<Row>(
  most: number,
  read: (cursor: { readonly cursor?: string }) => Promise<{
    readonly data: { readonly data: readonly Row[]; readonly next_cursor: string | null };
  }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await read(cursor === undefined ? {} : { cursor });
    rows.push(...data.data);
    cursor = data.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < most);
  return rows;
}

/** Leaves out empty fields of a request, because `?search=` would filter for the empty text. */
export function given<Query extends Readonly<Record<string, unknown>>>(query: Query): Partial<Query> {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== '' && value !== undefined),
  ) as Partial<Query>;
}
