import { afterKey, compareKeys, prefixSuccessor, type Page, type Reads } from '@holdfast/keyspace';
import { authors, bookCounts, books, narrators, series } from '../../store/definitions.ts';
import type { Catalogue } from '../catalogue.ts';

/** Something that books are grouped by, and how many there are. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly books: number;
}

export const GROUP_KINDS = ['author', 'series', 'narrator', 'genre', 'tag'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export interface GroupRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** In their order, page by page; each costs three reads, however many books it has. */
export function listGroups({ store }: Catalogue, kind: GroupKind, request: GroupRequest): Promise<Page<Group>> {
  return store.snapshot(async (reads) => {
    if (kind === 'author') return counted(reads, kind, await reads.page(authors.by.sort, {}, request), byId);
    if (kind === 'series') return counted(reads, kind, await reads.page(series.by.sort, {}, request), byId);
    if (kind === 'narrator') {
      const page = await reads.page(narrators.by.sort, {}, request);
      return counted(reads, kind, page, ({ normalized_name: id, name }) => ({ id, name }));
    }
    return counted(reads, kind, await distinctValues(store, kind, request), (name) => ({ id: name, name }));
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

/** Genres or tags that begin like this. */
export async function groupsFrom(
  { store }: Catalogue,
  kind: 'genre' | 'tag',
  begun: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { items } = await distinctValues(store, kind, { limit, from: begun });
  return items.filter((name) => name.startsWith(begun)).map((name) => ({ id: name, name }));
}

/** The different values of an index, each found by jumping over the books of the one before. */
async function distinctValues(
  store: Catalogue['store'],
  kind: 'genre' | 'tag',
  { limit, cursor, from }: GroupRequest & { readonly from?: string },
): Promise<Page<string>> {
  const { template } = books.by[kind];
  const { gte: first, lt } = template.range({});
  const values: string[] = [];
  let gte = cursor === undefined ? first : prefixSuccessor(template.prefix({ [kind]: cursor }));
  // The prefix without its end, which is the sign between this part and the next.
  if (from !== undefined) gte = template.prefix({ [kind]: from }).slice(0, -1);
  while (values.length <= limit) {
    const [entry] = await store.engine.range({ gte, lt, limit: 1, reverse: false });
    if (entry === undefined) break;
    const value = template.decode(entry[0])?.[kind];
    if (typeof value !== 'string') {
      gte = afterKey(entry[0]);
      continue;
    }
    values.push(value);
    // A text that was shortened in the key leads nowhere; then every entry is passed one by one.
    const next = prefixSuccessor(template.prefix({ [kind]: value }));
    gte = compareKeys(next, entry[0]) > 0 ? next : afterKey(entry[0]);
  }
  const shown = values.slice(0, limit);
  return { items: shown, cursor: values.length > limit ? shown.at(-1) : undefined };
}
