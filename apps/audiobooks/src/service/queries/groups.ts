import { readPage } from '@holdfast/base';
import { afterKey, compareKeys, type Page, prefixSuccessor, type Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import type { GroupKind } from '../../model/choices.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import type { Series } from '../../model/records.ts';
import { missingPositions } from '../../model/series-position.ts';
import { authors, bookCounts, books, narrators, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { countOf, filteredPage, type Viewer } from './browse-books.ts';
import { resolveSeries } from './resolve.ts';

interface Group {
  readonly id: string;
  readonly name: string;
  readonly books: number;
}

interface GroupRequest {
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
async function groupsFrom(
  { store }: Audiobooks,
  kind: 'genre' | 'tag',
  prefix: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { template } = books.by[kind];
  // Drop the trailing delimiter to match by prefix.
  const found = await distinctValues(store, kind, template.prefix({ [kind]: prefix }).slice(0, -1), limit);
  return found.filter((name) => name.startsWith(prefix)).map((name) => ({ id: name, name }));
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

/** Lists groups with at least one visible book, and counts those books. */
export async function visibleGroups(
  audiobooks: Audiobooks,
  { libraries }: Viewer,
  kind: GroupKind,
  { limit, cursor }: GroupRequest,
): Promise<Page<Group>> {
  const { store } = audiobooks;
  return filteredPage({
    read: async (wanted, place) => {
      const page = await listGroups(audiobooks, kind, { limit: wanted, cursor: place });
      if (libraries === 'all') return page;
      const groups = page.items.map(async (group) => ({
        ...group,
        books: (await countOf(store, libraries, { kind, value: group.id })) ?? 0,
      }));
      return { items: await Promise.all(groups), cursor: page.cursor };
    },
    accept: (groups) => Promise.resolve(groups.map((group) => group.books > 0)),
    limit,
    cursor,
  });
}

/** Names examined; some may belong to libraries that the viewer cannot see. */
const EXAMINED = 50;

/** Finds names or last names that start with the typed text. */
export async function searchGroups(
  audiobooks: Audiobooks,
  viewer: Viewer,
  kind: GroupKind,
  typed: string,
  limit: number,
): Promise<readonly Group[]> {
  const prefix = kind === 'author' || kind === 'narrator' ? normalizeName(typed) : normalizeText(typed);
  if (prefix === '') return [];
  const found = new Map<string, Group>();
  for (const { id, name } of await named(audiobooks, kind, prefix)) {
    if (found.size === limit) break;
    if (found.has(id)) continue;
    const count = (await countOf(audiobooks.store, viewer.libraries, { kind, value: id })) ?? 0;
    if (count > 0) found.set(id, { id, name, books: count });
  }
  return [...found.values()];
}

interface Entry {
  readonly id: string;
  readonly name: string;
}

async function named(audiobooks: Audiobooks, kind: GroupKind, prefix: string): Promise<readonly Entry[]> {
  const { store } = audiobooks;
  const range = { start: prefix, end: `${prefix}\u{10ffff}`, limit: EXAMINED };
  if (kind === 'genre' || kind === 'tag') return groupsFrom(audiobooks, kind, prefix, EXAMINED);
  if (kind === 'narrator') {
    const found = [...(await store.list(narrators, {}, range)), ...(await store.list(narrators.by.sort, {}, range))];
    return found.map(({ normalized_name: id, name }) => ({ id, name }));
  }
  const { name, sort } = kind === 'author' ? authors.by : series.by;
  return [
    ...(await store.list(name as typeof authors.by.name, {}, range)),
    ...(await store.list(sort as typeof authors.by.sort, {}, range)),
  ];
}

interface SeriesView {
  readonly series: Series;
  /** In series order. */
  readonly books: readonly { readonly sequence: string | null; readonly book: Book }[];
  readonly missing: readonly number[];
}

/** Returns a series with its missing positions. */
export function showSeries({ store }: Audiobooks, given: string): Promise<SeriesView> {
  return store.snapshot(async (reads) => {
    const shown = await resolveSeries(reads, given);
    const found = await reads.list(books.by.series, { series: shown.id });
    const placed = found.map((book) => ({
      sequence: book.series.find(({ id }) => id === shown.id)?.sequence ?? null,
      book,
    }));
    const missing = missingPositions(placed.map(({ sequence }) => sequence ?? undefined));
    return { series: shown, books: placed, missing };
  });
}
