import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import { books, progress } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';
import type { Listener } from './listener.ts';
import { latestFirst } from './listening/progress.ts';
import { statesOf } from './playlists/smart.ts';

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

export function shelvesOf({ reader }: Audiobooks, listener: Listener): Promise<Shelves> {
  return reader.snapshot(async (reads) => {
    const finished = await finishedBooks(reads, listener);
    return {
      continue: await continued(reads, listener),
      next_in_series: await nextInSeries(reads, listener, finished),
      recently_added: await recentlyAdded(reads, listener),
      finished: finished.slice(0, SHELF),
    };
  });
}

async function continued(reads: Reads, listener: Listener): Promise<readonly Book[]> {
  const found: Book[] = [];
  let cursor: string | undefined;
  for (let examined = 0; examined < EXAMINED_MAX && found.length < SHELF; examined += 2 * SHELF) {
    const options = { limit: 2 * SHELF, reverse: true, cursor };
    const page = await reads.page(progress.by.recent, { user_id: listener.userId }, options);
    const open = latestFirst(page.items).filter(({ finished, hidden }) => !finished && hidden !== true);
    found.push(...(await shownBooks(reads, listener, open)));
    ({ cursor } = page);
    if (cursor === undefined) break;
  }
  return found.slice(0, SHELF);
}

/** Returns more books than a shelf shows, because not every book leads to a next book in its series. */
async function finishedBooks(reads: Reads, listener: Listener): Promise<readonly Book[]> {
  const options = { limit: 2 * SHELF, reverse: true };
  return shownBooks(reads, listener, await reads.list(progress.by.finished, { user_id: listener.userId }, options));
}

async function shownBooks(
  reads: Reads,
  { sees }: Listener,
  places: readonly { readonly book_id: string }[],
): Promise<readonly Book[]> {
  const found = await reads.getMany(
    books,
    places.map(({ book_id: id }) => ({ id })),
  );
  return found.filter((book): book is Book => book !== undefined && book.deleted_at === null && sees(book));
}

async function recentlyAdded(reads: Reads, { sees }: Listener): Promise<readonly Book[]> {
  const found: Book[] = [];
  let cursor: string | undefined;
  for (let examined = 0; examined < EXAMINED_MAX && found.length < SHELF; examined += SHELF) {
    // Ids are ordered by time.
    const page = await reads.page(books, {}, { limit: SHELF, reverse: true, cursor });
    found.push(...page.items.filter((book) => book.deleted_at === null && sees(book)));
    ({ cursor } = page);
    if (cursor === undefined) break;
  }
  return found.slice(0, SHELF);
}

/**
 * Returns, for each series, the first book after the last finished one. Skips a series if one of its books is in
 * progress.
 */
async function nextInSeries(reads: Reads, listener: Listener, finished: readonly Book[]): Promise<readonly Book[]> {
  const next = new Map<string, Book>();
  for (const id of new Set(finished.flatMap(({ series }) => series.map((membership) => membership.id)))) {
    if (next.size === SHELF) break;
    const book = await nextOf(reads, listener, id);
    if (book !== undefined) next.set(book.id, book);
  }
  return [...next.values()];
}

/** Reads only keys and positions, because most books in a series are not shown. */
async function nextOf(reads: Reads, listener: Listener, series: string): Promise<Book | undefined> {
  const inOrder = (await reads.keys(books.by.series, { series })).slice(0, EXAMINED_MAX);
  const ids = inOrder.map(({ id }) => id);
  const states = await statesOf(reads, listener.userId, ids);
  // A series with a book in progress is on another shelf.
  if (states.includes('started')) return undefined;
  for (const [index, key] of inOrder.entries()) {
    if (index <= states.lastIndexOf('finished')) continue;
    const book = await reads.get(books, key);
    if (book !== undefined && book.missing_since === null && listener.sees(book)) return book;
  }
  return undefined;
}
