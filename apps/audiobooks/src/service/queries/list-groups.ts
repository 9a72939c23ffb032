import { readPage } from '@holdfast/base';
import { afterKey, compareKeys, prefixSuccessor, type Page, type Reads } from '@holdfast/keyspace';
import type { GroupKind } from '../../model/choices.ts';
import { authors, bookCounts, books, narrators, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly books: number;
}

export interface GroupRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists groups in order. Each costs three reads, however many books it has. */
export function listGroups({ store }: Audiobooks, kind: GroupKind, request: GroupRequest): Promise<Page<Group>> {
  return store.snapshot(async (reads) => {
    if (kind === 'author') return counted(reads, kind, await reads.page(authors.by.sort, {}, request), byId);
    if (kind === 'series') return counted(reads, kind, await reads.page(series.by.sort, {}, request), byId);
    if (kind === 'narrator') {
      const page = await reads.page(narrators.by.sort, {}, request);
      return counted(reads, kind, page, ({ normalized_name: id, name }) => ({ id, name }));
    }
    const { limit, cursor } = request;
    const { template } = books.by[kind];
    const first = cursor === undefined ? template.range({}).gte : prefixSuccessor(template.prefix({ [kind]: cursor }));
    const { data, next_cursor } = await readPage(
      limit,
      (count) => distinctValues(store, kind, first, count),
      (last) => last,
    );
    const page = { items: data, cursor: next_cursor ?? undefined };
    return counted(reads, kind, page, (name) => ({ id: name, name }));
  });
}

function byId({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name };
}

async function counted<T>(
  reads: Reads,
  kind: GroupKind,
  { items, cursor }: Page<T>,
  describe: (item: T) => { readonly id: string; readonly name: string },
): Promise<Page<Group>> {
  const groups: Group[] = [];
  for (const item of items) {
    const { id, name } = describe(item);
    groups.push({ id, name, books: await reads.get(bookCounts, { kind, value: id }) });
  }
  return { items: groups, cursor };
}

/** Returns genres or tags with this prefix. */
export async function groupsFrom(
  { store }: Audiobooks,
  kind: 'genre' | 'tag',
  begun: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { template } = books.by[kind];
  // Drop the trailing delimiter to match by prefix.
  const found = await distinctValues(store, kind, template.prefix({ [kind]: begun }).slice(0, -1), limit);
  return found.filter((name) => name.startsWith(begun)).map((name) => ({ id: name, name }));
}

/** Returns the distinct values of an index from a key on, skipping all books of each value. */
async function distinctValues(
  store: Audiobooks['store'],
  kind: 'genre' | 'tag',
  first: string,
  count: number,
): Promise<readonly string[]> {
  const { template } = books.by[kind];
  const { lt } = template.range({});
  const values: string[] = [];
  let gte = first;
  while (values.length < count) {
    const [entry] = await store.engine.range({ gte, lt, limit: 1, reverse: false });
    if (entry === undefined) break;
    const value = template.decode(entry[0])?.[kind];
    if (typeof value !== 'string') {
      gte = afterKey(entry[0]);
      continue;
    }
    values.push(value);
    // A truncated text has no such prefix; step through its entries instead.
    const next = prefixSuccessor(template.prefix({ [kind]: value }));
    gte = compareKeys(next, entry[0]) > 0 ? next : afterKey(entry[0]);
  }
  return values;
}
