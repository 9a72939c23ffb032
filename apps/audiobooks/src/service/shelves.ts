import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import { readBook } from '../store/books.ts';
import { books, progress } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';
import type { Listener } from './listener.ts';
import { latestFirst } from './listening/progress.ts';
import { stateOf } from './playlists/smart.ts';

export interface Shelves {
  /** Books that are started but not finished, latest first. */
  readonly continue: readonly Book[];
  /** The next book of each series in which the listener has finished a book, most recently finished series first. */
  readonly next_in_series: readonly Book[];
  readonly recently_added: readonly Book[];
  readonly finished: readonly Book[];
}

const SHELF = 20;
/** Maximum number of books that one shelf examines. */
const EXAMINED_MAX = 300;

export function shelvesOf({ store }: Audiobooks, listener: Listener): Promise<Shelves> {
  return store.snapshot(async (reads) => {
    const finished = await finishedBooks(reads, listener, SHELF);
    return {
      continue: await continued(reads, listener),
      next_in_series: await nextInSeries(reads, listener, await finishedBooks(reads, listener, 2 * SHELF)),
      recently_added: await recentlyAdded(reads, listener),
      finished,
    };
  });
}

async function continued(reads: Reads, listener: Listener): Promise<readonly Book[]> {
  const found: Book[] = [];
  let cursor: string | undefined;
  for (let examined = 0; examined < EXAMINED_MAX && found.length < SHELF; examined += 2 * SHELF) {
    const options = { limit: 2 * SHELF, reverse: true, cursor };
    const page = await reads.page(progress.by.recent, { user_id: listener.userId }, options);
    for (const place of latestFirst(page.items)) {
      if (place.finished || found.length === SHELF) continue;
      const book = await shownBook(reads, listener, place.book_id);
      if (book !== undefined) found.push(book);
    }
    ({ cursor } = page);
    if (cursor === undefined) break;
  }
  return found;
}

async function finishedBooks(reads: Reads, listener: Listener, limit: number): Promise<readonly Book[]> {
  const places = await reads.list(progress.by.finished, { user_id: listener.userId }, { limit, reverse: true });
  const found: Book[] = [];
  for (const { book_id: id } of places) {
    const book = await shownBook(reads, listener, id);
    if (book !== undefined) found.push(book);
  }
  return found;
}

async function shownBook(reads: Reads, { sees }: Listener, id: string): Promise<Book | undefined> {
  const book = await readBook(reads, id);
  return book !== undefined && book.deleted_at === null && sees(book) ? book : undefined;
}

async function recentlyAdded(reads: Reads, { sees }: Listener): Promise<readonly Book[]> {
  const found: Book[] = [];
  let cursor: string | undefined;
  for (let examined = 0; examined < EXAMINED_MAX && found.length < SHELF; examined += 2 * SHELF) {
    // Ids are ordered by time.
    const page = await reads.page(books, {}, { limit: 2 * SHELF, reverse: true, cursor });
    found.push(...page.items.filter((book) => book.deleted_at === null && sees(book)));
    ({ cursor } = page);
    if (cursor === undefined) break;
  }
  return found.slice(0, SHELF);
}

/** Returns for each series the first book after the last finished one, unless a book of the series is in progress. */
async function nextInSeries(reads: Reads, listener: Listener, finished: readonly Book[]): Promise<readonly Book[]> {
  const next = new Map<string, Book>();
  const seen = new Set<string>();
  for (const { id } of finished.flatMap(({ series }) => series)) {
    if (seen.has(id) || next.size === SHELF) continue;
    seen.add(id);
    const book = await nextOf(reads, listener, id);
    if (book !== undefined) next.set(book.id, book);
  }
  return [...next.values()];
}

async function nextOf(reads: Reads, listener: Listener, series: string): Promise<Book | undefined> {
  const inOrder = await reads.list(books.by.series, { series }, { limit: EXAMINED_MAX });
  let candidate: Book | undefined;
  for (const book of inOrder) {
    const state = await stateOf(reads, listener.userId, book.id);
    // A series with a book in progress is on another shelf. Books before a finished book are not candidates.
    if (state === 'started') return undefined;
    if (state === 'finished') candidate = undefined;
    else if (candidate === undefined && book.missing_since === null && listener.sees(book)) candidate = book;
  }
  return candidate;
}
