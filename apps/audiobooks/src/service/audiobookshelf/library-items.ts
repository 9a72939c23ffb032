import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import type { ClientIds } from '../../model/audiobookshelf/ids.ts';
import { ignorePrefix, lastFirst, minifiedItem, momentMs, type WholeBook } from '../../model/audiobookshelf/views.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Library } from '../../model/records.ts';
import { readBook } from '../../store/books.ts';
import { books, progress } from '../../store/definitions.ts';
import { activeSegments } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { visibleLibraries } from '../libraries.ts';
import type { Listener } from '../listener.ts';
import { browseBooks } from '../queries/browse-books.ts';
import { searchGroups } from '../queries/groups.ts';
import { shelvesOf } from '../shelves.ts';
import { bookChapters } from '../views.ts';
import {
  accepts,
  type Catalogue,
  type Entry,
  type Filter,
  filterLists,
  type Group,
  groupsOf,
  orderOf,
  positionIn,
} from './catalogue.ts';

/** Lists of books, authors and series as Audiobookshelf clients request them. */

export interface Browsing {
  readonly audiobooks: Audiobooks;
  readonly catalogue: Catalogue;
  readonly ids: ClientIds;
  readonly listener: Listener;
}

/** Returns the library with the id that a client sent, if the listener may see it. */
export async function clientLibrary({ audiobooks, ids, listener }: Browsing, given: string): Promise<Library> {
  const id = ids.fromClient(given);
  const found = (await visibleLibraries(audiobooks, listener)).find((library) => library.id === id);
  if (found === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND('There is no such library.');
  return found;
}

/**
 * Returns the book with the id that a client sent. If that book was merged into another book, returns the other book.
 */
export async function clientBook(
  { audiobooks, ids }: Pick<Browsing, 'audiobooks' | 'ids'>,
  listener: Pick<Listener, 'sees'>,
  given: string,
): Promise<Book> {
  const seen = new Set<string>();
  for (let id = ids.fromClient(given) ?? ''; !seen.has(id);) {
    seen.add(id);
    const book = await readBook(audiobooks.store, id);
    if (book === undefined || !listener.sees(book) || book.library_id === null) break;
    if (book.deleted_at === null) return book;
    id = book.merged_into ?? id;
  }
  throw audiobookErrors.BOOK_NOT_FOUND('There is no such book.');
}

/** Returns the books with these ids that the listener may see, in the given order. */
export async function clientBooks(
  { audiobooks, listener }: Pick<Browsing, 'audiobooks' | 'listener'>,
  wanted: readonly string[],
): Promise<readonly Book[]> {
  const found = await audiobooks.reader.getMany(
    books,
    wanted.map((id) => ({ id })),
  );
  return found.filter((book) => book !== undefined && book.deleted_at === null && listener.sees(book)) as Book[];
}

export function wholeBook({ reader }: Audiobooks, book: Book): Promise<WholeBook> {
  return reader.snapshot(async (reads) => {
    const segments = await activeSegments(reads, book.id);
    return { book, segments, chapters: await bookChapters(reads, book, segments) };
  });
}

export interface ListRequest {
  readonly sort: string;
  readonly isReverse: boolean;
  readonly filter: Filter | undefined;
  /** 0 for all. */
  readonly limit: number;
  readonly page: number;
  readonly isCollapsed: boolean;
}

/** Returns one page of a library's books, and the exact number of all matching books. */
export async function listItems(browsing: Browsing, library: Library, request: ListRequest) {
  const { ids } = browsing;
  const found = await matching(browsing, library, request);
  const seriesId = request.filter?.group === 'series' ? ids.fromClient(request.filter.value) : undefined;
  if (!request.isCollapsed) {
    const shown = await booksOf(browsing, pageOf(found, request));
    return { total: found.length, results: shown.map((book) => minifiedItem(ids, book, seriesId)) };
  }
  const collapsed = collapse(found);
  const page = pageOf(collapsed, request);
  const shown = await booksOf(
    browsing,
    page.map(({ entry }) => entry),
  );
  const groups = new Map(page.map((each) => [each.entry.id, each]));
  const results = shown.map((book) => {
    const { series, entries } = groups.get(book.id) ?? {};
    const item = minifiedItem(ids, book);
    return series === undefined || entries === undefined
      ? item
      : {
          ...item,
          collapsedSeries: {
            id: ids.toClient(series.id),
            name: series.name,
            nameIgnorePrefix: ignorePrefix(series.name),
            sequence: series.sequence,
            libraryItemIds: entries.map(({ id }) => ids.toClient(id)),
            numBooks: entries.length,
          },
        };
  });
  return { total: collapsed.length, results };
}

async function matching(browsing: Browsing, library: Library, request: ListRequest): Promise<readonly Entry[]> {
  const { audiobooks, catalogue, ids, listener } = browsing;
  const { sort, isReverse, filter } = request;
  const isByProgress = sort.startsWith('progress');
  const states = isByProgress || filter?.group === 'progress' ? await statesOf(audiobooks, listener) : new Map();
  const state = (book: string) => (states.get(book)?.state as 'finished' | 'in-progress' | undefined) ?? 'not-started';
  const seriesId = filter?.group === 'series' ? ids.fromClient(filter.value) : undefined;
  const all =
    sort === 'random'
      ? shuffled(await catalogue.byTitle(library.id))
      : await catalogue.sorted(library.id, `${sort} ${String(isReverse)}`, orderOf(sort, isReverse));
  const found =
    filter === undefined
      ? all
      : all.filter((entry) => accepts(entry, filter, { id: (client) => ids.fromClient(client), state }));
  const direction = isReverse ? -1 : 1;
  const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0) * direction;
  if (sort === 'sequence' && seriesId !== undefined)
    return found.toSorted((left, right) => compareTexts(positionIn(left, seriesId), positionIn(right, seriesId)));
  if (!isByProgress) return found;
  const at = ({ id }: Entry): string =>
    String(states.get(id)?.[sort === 'progress.finishedAt' ? 'finished' : 'updated'] ?? '');
  return found.toSorted((left, right) => compareTexts(at(left), at(right)));
}

type BookState = {
  readonly state: 'finished' | 'in-progress';
  readonly updated: string;
  readonly finished: string;
};

async function statesOf({ reader }: Audiobooks, { userId }: Listener): Promise<Map<string, BookState>> {
  const all = await reader.list(progress.by.recent, { user_id: userId });
  return new Map(
    all.map((entry) => [
      entry.book_id,
      {
        state: entry.finished ? 'finished' : 'in-progress',
        updated: entry.updated_at,
        finished: entry.finished_at ?? '',
      },
    ]),
  );
}

function shuffled<T>(all: readonly T[]): readonly T[] {
  return all
    .map((value) => ({ value, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ value }) => value);
}

export function pageOf<T>(
  all: readonly T[],
  { limit, page }: { readonly limit: number; readonly page: number },
): readonly T[] {
  return limit <= 0 ? all : all.slice(page * limit, (page + 1) * limit);
}

export async function booksOf({ audiobooks }: Browsing, entries: readonly Entry[]): Promise<readonly Book[]> {
  const found = await audiobooks.reader.getMany(
    books,
    entries.map(({ id }) => ({ id })),
  );
  return found.filter((book) => book !== undefined);
}

interface Collapsed {
  readonly entry: Entry;
  readonly series?: Entry['series'][number];
  readonly entries?: Entry[];
}

/** Shows each series as one entry, in place of its first book in the list. */
function collapse(entries: readonly Entry[]): readonly Collapsed[] {
  const shown: Collapsed[] = [];
  const known = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [series] = entry.series;
    const group = series === undefined ? undefined : known.get(series.id);
    if (group !== undefined) group.push(entry);
    else if (series === undefined) shown.push({ entry });
    else {
      const started = [entry];
      known.set(series.id, started);
      shown.push({ entry, series, entries: started });
    }
  }
  return shown;
}

export function authorGroups({ catalogue }: Browsing, library: string): Promise<readonly Group[]> {
  return catalogue.derived(library, 'authors', (entries) => groupsOf(entries, ({ authors }) => authors));
}

export function seriesGroups({ catalogue }: Browsing, library: string): Promise<readonly Group[]> {
  return catalogue.derived(library, 'series', (entries) =>
    groupsOf(entries, ({ series }) => series).map((group) => ({
      ...group,
      entries: group.entries.toSorted((left, right) =>
        positionIn(left, group.id) < positionIn(right, group.id) ? -1 : 1,
      ),
    })),
  );
}

export function narratorGroups({ catalogue }: Browsing, library: string): Promise<readonly Group[]> {
  return catalogue.derived(library, 'narrators', (entries) =>
    groupsOf(entries, ({ narrators }) => narrators.map((name) => ({ id: name, name }))),
  );
}

export function authorView({ ids }: Pick<Browsing, 'ids'>, library: string, group: Group) {
  return {
    id: ids.toClient(group.id),
    asin: null,
    name: group.name,
    description: null,
    imagePath: null,
    libraryId: ids.toClient(library),
    addedAt: momentMs(group.addedAt),
    updatedAt: momentMs(group.updatedAt),
    numBooks: group.entries.length,
    lastFirst: lastFirst(group.name),
  };
}

const durationMsOf = ({ entries }: Group): number => entries.reduce((sum, { durationMs }) => sum + durationMs, 0);

export async function seriesView(browsing: Browsing, library: string, group: Group) {
  const { ids } = browsing;
  const shown = await booksOf(browsing, group.entries);
  return {
    id: ids.toClient(group.id),
    name: group.name,
    nameIgnorePrefix: ignorePrefix(group.name),
    description: null,
    addedAt: momentMs(group.addedAt),
    updatedAt: momentMs(group.updatedAt),
    libraryId: ids.toClient(library),
    books: shown.map((book) => minifiedItem(ids, book, group.id)),
    totalDuration: durationMsOf(group) / 1_000,
    numBooks: group.entries.length,
  };
}

export function sortedSeries(groups: readonly Group[], sort: string, isReverse: boolean): readonly Group[] {
  const keys = new Map(
    Object.entries<(group: Group) => string | number>({
      numBooks: ({ entries }) => entries.length,
      totalDuration: durationMsOf,
      addedAt: ({ addedAt }) => addedAt,
      lastBookAdded: ({ entries }) => entries.reduce((last, { addedAt }) => (addedAt > last ? addedAt : last), ''),
      lastBookUpdated: ({ updatedAt }) => updatedAt,
    }),
  );
  const key = keys.get(sort);
  const sorted = key === undefined ? groups : groups.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
  return isReverse ? sorted.toReversed() : sorted;
}

export async function filterData(browsing: Browsing, library: string) {
  const { catalogue, ids } = browsing;
  const named = (groups: readonly Group[]) => groups.map(({ id, name }) => ({ id: ids.toClient(id), name }));
  return {
    authors: named(await authorGroups(browsing, library)),
    series: named(await seriesGroups(browsing, library)),
    ...(await catalogue.derived(library, 'filters', filterLists)),
  };
}

/** Returns the listener restricted to one library, for services that search everything the listener may see. */
function within(listener: Listener, library: string): Listener {
  return { ...listener, libraries: new Set([library]), sees: ({ library_id: id }) => id === library };
}

export async function searchLibrary(browsing: Browsing, library: string, q: string, limit: number) {
  const { audiobooks, ids } = browsing;
  const listener = within(browsing.listener, library);
  const groups = (kind: Parameters<typeof searchGroups>[2]) => searchGroups(audiobooks, listener, kind, q, limit);
  const found = q.trim() === '' ? [] : (await browseBooks(audiobooks, listener, { q, library, limit })).items;
  const [authorNames, seriesNames] = [await groups('author'), await groups('series')];
  const authors = (await authorGroups(browsing, library)).filter(({ id }) =>
    authorNames.some((each) => each.id === id),
  );
  const series = (await seriesGroups(browsing, library)).filter(({ id }) => seriesNames.some((each) => each.id === id));
  const whole = await Promise.all(series.map((group) => seriesView(browsing, library, group)));
  return {
    book: found.map((book) => ({ libraryItem: minifiedItem(ids, book) })),
    authors: authors.map((group) => authorView(browsing, library, group)),
    series: whole.map(({ books: shown, ...each }) => ({ series: each, books: shown })),
    narrators: (await groups('narrator')).map(({ name, books: numBooks }) => ({ name, numBooks })),
    tags: (await groups('tag')).map(({ name, books: numItems }) => ({ name, numItems })),
    genres: (await groups('genre')).map(({ name, books: numItems }) => ({ name, numItems })),
  };
}

const shelf = (id: string, label: string, type: string, entities: readonly object[]) => ({
  id,
  label,
  labelStringKey: `Label${label.replaceAll(' ', '')}`,
  type,
  entities,
  total: entities.length,
});

/** Returns the shelves of the home page. Clients find some of them by `labelStringKey`. */
export async function homeShelves(browsing: Browsing, library: string, limit: number) {
  const { audiobooks, catalogue, ids } = browsing;
  const listener = within(browsing.listener, library);
  const shelves = await shelvesOf(audiobooks, listener);
  const states = await statesOf(audiobooks, listener);
  const unheard = (await catalogue.byTitle(library)).filter(({ id }) => !states.has(id));
  const recentSeries = sortedSeries(await seriesGroups(browsing, library), 'lastBookAdded', true).slice(0, limit);
  const newestAuthors = sortedSeries(await authorGroups(browsing, library), 'addedAt', true).slice(0, limit);
  const items = (found: readonly Book[]) => found.slice(0, limit).map((book) => minifiedItem(ids, book));
  const series = await Promise.all(recentSeries.map((group) => seriesView(browsing, library, group)));
  return [
    shelf('continue-listening', 'Continue Listening', 'book', items(shelves.continue)),
    shelf('continue-series', 'Continue Series', 'book', items(shelves.next_in_series)),
    shelf('recently-added', 'Recently Added', 'book', items(shelves.recently_added)),
    shelf('recent-series', 'Recent Series', 'series', series),
    shelf('discover', 'Discover', 'book', items(await booksOf(browsing, shuffled(unheard).slice(0, limit)))),
    shelf('listen-again', 'Listen Again', 'book', items(shelves.finished)),
    shelf(
      'newest-authors',
      'Newest Authors',
      'authors',
      newestAuthors.map((group) => authorView(browsing, library, group)),
    ),
  ].filter(({ entities }) => entities.length > 0);
}

/** Returns the listener's progress in all books, with each book's duration, for lists that must be complete. */
export async function allProgress(reads: Reads, { userId, sees }: Listener) {
  const entries = await reads.list(progress.by.recent, { user_id: userId });
  const found = await reads.getMany(
    books,
    entries.map(({ book_id: id }) => ({ id })),
  );
  return entries.flatMap((entry, index) => {
    const book = found[index];
    return book === undefined || book.deleted_at !== null || !sees(book)
      ? []
      : [{ entry, durationMs: book.duration_ms }];
  });
}
