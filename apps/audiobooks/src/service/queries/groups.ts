import type { PageRequest } from '../../operations/fields.ts';
import { readPage } from '@holdfast/base';
import { afterKey, compareKeys, type Page, prefixSuccessor, type Reads } from '@holdfast/keyspace';
import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Book } from '../../model/book.ts';
import type { GroupKind } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import type { Author, Series } from '../../model/records.ts';
import { missingPositions } from '../../model/series-position.ts';
import type { authorChanges, groupFilters } from '../../operations/groups.ts';
import { authors, bookCounts, books, narrators, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import {
  editAuthor as applyEdit,
  mergeAuthors as merge,
  mergeSeries as mergeEntries,
} from '../changes/merge-groups.ts';
import { type Listener, listenerOf, requireAllLibraries } from '../listener.ts';
import { bookRows } from '../views.ts';
import { countOf, filteredPage, type Viewer } from './browse-books.ts';
import { resolveAuthor, resolveSeries } from './resolve.ts';

export async function listGroups(audiobooks: Audiobooks, input: ObjectValue<typeof groupFilters>, caller: Caller) {
  const { kind, q, limit, cursor } = input;
  const listener = await listenerOf(audiobooks, caller);
  if (q !== undefined) return { data: await searchGroups(audiobooks, listener, kind, q, limit), next_cursor: null };
  const page = await visibleGroups(audiobooks, listener, kind, { limit, cursor });
  return { data: page.items, next_cursor: page.cursor ?? null };
}

export async function showAuthor(audiobooks: Audiobooks, { author }: { readonly author: string }, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  return authorView(audiobooks.reader, listener, await visibleAuthor(audiobooks.reader, listener, author));
}

export async function editAuthor(audiobooks: Audiobooks, input: ObjectValue<typeof authorChanges>, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const { id } = await visibleAuthor(audiobooks.reader, listener, input.author);
  requireAllLibraries(listener);
  const { name, add_aliases: addAliases, remove_aliases: removeAliases } = input;
  const author = await applyEdit(audiobooks, { author: id, name, addAliases, removeAliases });
  return authorView(audiobooks.reader, listener, author);
}

export async function mergeAuthors(
  audiobooks: Audiobooks,
  input: { readonly author: string; readonly others: readonly string[] },
  caller: Caller,
) {
  const { author, others } = input;
  const listener = await listenerOf(audiobooks, caller);
  for (const given of [author, ...others]) await visibleAuthor(audiobooks.reader, listener, given);
  requireAllLibraries(listener);
  const { value, operation } = await merge(audiobooks, { keep: author, others, by: listener.name });
  return { ...(await authorView(audiobooks.reader, listener, value)), operation_id: operation.id };
}

async function visibleAuthor(reads: Reads, listener: Listener, given: string): Promise<Author> {
  const author = await resolveAuthor(reads, given);
  if (listener.libraries === 'all' || (await bookCount(reads, listener, author.id)) > 0) return author;
  throw audiobookErrors.AUTHOR_NOT_FOUND(`There is no author ${given}.`);
}

async function bookCount(reads: Reads, { libraries }: Listener, author: string): Promise<number> {
  return (await countOf(reads, libraries, { kind: 'author', value: author })) ?? 0;
}

async function authorView(reads: Reads, listener: Listener, { id, name, aliases }: Author) {
  return { id, name, aliases, books: await bookCount(reads, listener, id) };
}

export async function showSeries(audiobooks: Audiobooks, input: { readonly series: string }, caller: Caller) {
  return seriesView(audiobooks, await listenerOf(audiobooks, caller), input.series);
}

export async function mergeSeries(
  audiobooks: Audiobooks,
  input: { readonly series: string; readonly others: readonly string[] },
  caller: Caller,
) {
  const { series: keep, others } = input;
  const listener = await listenerOf(audiobooks, caller);
  for (const given of [keep, ...others]) await seriesView(audiobooks, listener, given);
  requireAllLibraries(listener);
  const { value, operation } = await mergeEntries(audiobooks, { keep, others, by: listener.name });
  return { ...(await seriesView(audiobooks, listener, value.id)), operation_id: operation.id };
}

async function seriesView(audiobooks: Audiobooks, listener: Listener, given: string) {
  const found = await readSeries(audiobooks, given);
  const visible = found.books.filter(({ book }) => listener.sees(book));
  if (visible.length === 0 && listener.libraries !== 'all') {
    throw audiobookErrors.SERIES_NOT_FOUND(`There is no series ${given}.`);
  }
  const rows = await bookRows(
    audiobooks.reader,
    visible.map(({ book }) => book),
    listener.userId,
  );
  const sequences = visible.map(({ sequence }) => sequence);
  return {
    ...found.series,
    books: rows.map((row, index) => ({ ...row, sequence: sequences[index] ?? null })),
    gaps: missingPositions(sequences.map((sequence) => sequence ?? undefined)).map(String),
  };
}

interface Group {
  readonly id: string;
  readonly name: string;
  readonly books: number;
}

/** Lists groups in order. The size of a group is a stored counter, so large groups are as fast as small ones. */
export function pageOfGroups(
  { store, reader }: Audiobooks,
  kind: GroupKind,
  request: PageRequest,
): Promise<Page<Group>> {
  return reader.snapshot(async (reads) => {
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
  // Without the trailing delimiter, the key matches every value that starts with the prefix.
  const found = await distinctValues(store, kind, template.prefix({ [kind]: prefix }).slice(0, -1), limit);
  return found.filter((name) => name.startsWith(prefix)).map((name) => ({ id: name, name }));
}

/** Returns the distinct values of an index, starting at a key. Reads only one entry per value. */
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
    // A key holds only the start of a long value. The successor of the whole value may then sort before the key.
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
  { limit, cursor }: PageRequest,
): Promise<Page<Group>> {
  const { reader } = audiobooks;
  return filteredPage({
    read: async (wanted, place) => {
      const page = await pageOfGroups(audiobooks, kind, { limit: wanted, cursor: place });
      if (libraries === 'all') return page;
      const groups = page.items.map(async (group) => ({
        ...group,
        books: (await countOf(reader, libraries, { kind, value: group.id })) ?? 0,
      }));
      return { items: await Promise.all(groups), cursor: page.cursor };
    },
    accept: (groups) => Promise.resolve(groups.map((group) => group.books > 0)),
    limit,
    cursor,
  });
}

/** Maximum number of names examined. Some may have only books that the viewer cannot see. */
const EXAMINED = 50;

/** Finds groups whose name or last name starts with the typed text. */
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
    const count = (await countOf(audiobooks.reader, viewer.libraries, { kind, value: id })) ?? 0;
    if (count > 0) found.set(id, { id, name, books: count });
  }
  return [...found.values()];
}

interface Entry {
  readonly id: string;
  readonly name: string;
}

async function named(audiobooks: Audiobooks, kind: GroupKind, prefix: string): Promise<readonly Entry[]> {
  const { reader } = audiobooks;
  const range = { start: prefix, end: `${prefix}\u{10ffff}`, limit: EXAMINED };
  if (kind === 'genre' || kind === 'tag') return groupsFrom(audiobooks, kind, prefix, EXAMINED);
  if (kind === 'narrator') {
    const found = [...(await reader.list(narrators, {}, range)), ...(await reader.list(narrators.by.sort, {}, range))];
    return found.map(({ normalized_name: id, name }) => ({ id, name }));
  }
  const { name, sort } = kind === 'author' ? authors.by : series.by;
  return [
    ...(await reader.list(name as typeof authors.by.name, {}, range)),
    ...(await reader.list(sort as typeof authors.by.sort, {}, range)),
  ];
}

interface SeriesView {
  readonly series: Series;
  /** In series order. */
  readonly books: readonly { readonly sequence: string | null; readonly book: Book }[];
  readonly missing: readonly number[];
}

/** Returns a series with its missing positions. */
export function readSeries({ reader }: Audiobooks, given: string): Promise<SeriesView> {
  return reader.snapshot(async (reads) => {
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
