import type { Page, Reads, Transaction } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import type { BookField } from '../model/choices.ts';
import { nameSortKey, normalizeName, normalizeText, sortKey } from '../model/normalize.ts';
import type { Author, HistoryEntry, Series, Work } from '../model/records.ts';
import { parseSeriesPosition } from '../model/series-position.ts';
import {
  authors,
  bookCounts,
  bookListenSeconds,
  bookPlays,
  books,
  history,
  libraryCounts,
  narrators,
  NONE,
  series,
  workListenSeconds,
  workPlays,
  works,
} from './definitions.ts';

/**
 * Writes a book in the caller's transaction. Also computes derived fields, finds the work and updates all counters.
 */
export async function writeBook(tx: Transaction, before: Book | undefined, changed: Book, stamp: Stamp): Promise<Book> {
  const derived = withDerived(changed);
  const work = await chooseWork(tx, before, derived, stamp);
  const after: Book = { ...derived, work_id: work, updated_at: stamp.at, revision: (before?.revision ?? 0) + 1 };
  await rememberNarrators(tx, after.narrators, stamp.at);
  countBooks(tx, before, after);
  await tx.put(books, { id: after.id }, after);
  return after;
}

export function readBook(reads: Reads, id: string): Promise<Book | undefined> {
  return reads.get(books, { id });
}

export function withDerived(book: Book): Book {
  const [author] = book.authors;
  const [membership] = book.series;
  const position = membership?.sequence === undefined ? undefined : parseSeriesPosition(membership.sequence ?? '');
  return {
    ...book,
    normalized_title: normalizeText(book.title),
    sort_title: sortKey(book.title),
    author_id: author?.id ?? null,
    author_sort: author === undefined ? NONE : nameSortKey(author.name),
    series_id: membership?.id ?? null,
    series_position: position?.from ?? null,
    narrator: book.narrators.length === 0 ? null : book.narrators.join(', '),
  };
}

async function chooseWork(tx: Transaction, before: Book | undefined, book: Book, stamp: Stamp): Promise<string | null> {
  const isSameTitle =
    before?.normalized_title === book.normalized_title &&
    before.author_id === book.author_id &&
    before.isbn13 === book.isbn13 &&
    before.asin === book.asin;
  const work =
    book.work_id !== null && (book.work_pinned || isSameTitle) ? book.work_id : await workFor(tx, book, stamp);
  if (before !== undefined) await leaveWork(tx, before, work);
  return work;
}

function distinct(kind: string, values: readonly string[]): (readonly [string, string])[] {
  return [...new Set(values)].map((value) => [kind, value] as const);
}

/** Returns the counters that include a book; none for a deleted book. */
function countedUnder(book: Book | undefined): readonly (readonly [kind: string, value: string])[] {
  if (book === undefined || book.deleted_at !== null) return [];
  return [
    ['all', NONE],
    ...distinct(
      'author',
      book.authors.map(({ id }) => id),
    ),
    ...distinct(
      'series',
      book.series.map(({ id }) => id),
    ),
    ...distinct('narrator', book.narrators.map(normalizeName)),
    ...distinct('genre', book.genres.map(normalizeText)),
    ...distinct(
      'tag',
      book.tags.map((tag) => tag.toLowerCase()),
    ),
  ];
}

export function countersOf(book: Book | undefined): readonly (readonly [counter: CountersOfBooks, key: CountKey])[] {
  const library = book?.library_id ?? null;
  return countedUnder(book).flatMap(([kind, value]) => {
    const everywhere = [bookCounts, { kind, value }] as const;
    return library === null ? [everywhere] : [everywhere, [libraryCounts, { library, kind, value }] as const];
  });
}

type CountersOfBooks = typeof bookCounts | typeof libraryCounts;
type CountKey = { readonly kind: string; readonly value: string; readonly library?: string };

function countBooks(tx: Transaction, before: Book | undefined, after: Book | undefined): void {
  const deltas = new Map<string, { readonly counter: CountersOfBooks; readonly key: CountKey; amount: number }>();
  const note = (book: Book | undefined, amount: number): void => {
    for (const [counter, key] of countersOf(book)) {
      const name = counter.template.encode(key);
      const delta = deltas.get(name) ?? { counter, key, amount: 0 };
      delta.amount += amount;
      deltas.set(name, delta);
    }
  };
  note(before, -1);
  note(after, 1);
  for (const { counter, key, amount } of deltas.values()) {
    if (amount !== 0) tx.add(counter as typeof bookCounts, key, amount);
  }
}

/**
 * Finds or creates the work for a book by title and author, or by ISBN or ASIN. A book without an author gets its own
 * work, because titles are not unique.
 */
export async function workFor(tx: Transaction, book: Book, stamp: Stamp): Promise<string> {
  const found = (await workByTitle(tx, book)) ?? (await workByNumber(tx, book));
  if (found !== undefined) return found;
  const work: Work = {
    id: stamp.newId(),
    title: book.title,
    normalized_title: book.normalized_title,
    author_id: book.author_id,
    alt_titles: [],
    series_id: book.series_id,
    created_at: stamp.at,
    updated_at: stamp.at,
    version: 1,
  };
  await tx.put(works, { id: work.id }, work);
  return work.id;
}

async function workByTitle(tx: Transaction, book: Book): Promise<string | undefined> {
  if (book.author_id === null) return undefined;
  const key = { normalized_title: book.normalized_title, author: book.author_id };
  const [work] = await tx.list(works.by.title, key, { limit: 1 });
  return work?.id;
}

async function workByNumber(tx: Transaction, book: Book): Promise<string | undefined> {
  const { isbn13, asin } = book;
  const twins = [
    ...(isbn13 === null ? [] : await tx.list(books.by.isbn13, { isbn13 }, { limit: 2 })),
    ...(asin === null ? [] : await tx.list(books.by.asin, { asin }, { limit: 2 })),
  ];
  return twins.find(({ id, work_id: work }) => id !== book.id && work !== null)?.work_id ?? undefined;
}

/** Moves a book's plays to its new work, and deletes a work without books. Call it before writing the book. */
async function leaveWork(tx: Transaction, book: Book, to: string | null): Promise<void> {
  const from = book.work_id;
  if (from === null || from === to) return;
  const plays = await tx.get(bookPlays, { book: book.id });
  const seconds = await tx.get(bookListenSeconds, { book: book.id });
  if (plays !== 0) {
    tx.add(workPlays, { work: from }, -plays);
    if (to !== null) tx.add(workPlays, { work: to }, plays);
  }
  if (seconds !== 0) {
    tx.add(workListenSeconds, { work: from }, -seconds);
    if (to !== null) tx.add(workListenSeconds, { work: to }, seconds);
  }
  const left = await tx.list(books.by.work, { work_id: from }, { limit: 2 });
  if (left.every(({ id }) => id === book.id)) await tx.delete(works, { id: from });
}

/** The timestamp and the id generator for all records of one change. */
export interface Stamp {
  readonly at: string;
  readonly newId: () => string;
}

/** Finds authors by name, or by alias if no name matches; oldest record first. */
export async function authorsNamed(reads: Reads, name: string, limit: number): Promise<readonly Author[]> {
  const normalized = normalizeName(name);
  const named = await reads.list(authors.by.name, { normalized_name: normalized }, { limit });
  return named.length > 0 ? named : reads.list(authors.by.alias, { alias: normalized }, { limit });
}

export async function findAuthor(reads: Reads, name: string): Promise<Author | undefined> {
  return (await authorsNamed(reads, name, 1))[0];
}

export async function findOrCreateAuthor(tx: Transaction, name: string, stamp: Stamp): Promise<Author> {
  const found = await findAuthor(tx, name);
  if (found !== undefined) return found;
  const author: Author = {
    id: stamp.newId(),
    name,
    normalized_name: normalizeName(name),
    sort_name: nameSortKey(name),
    aliases: [],
    created_at: stamp.at,
    updated_at: stamp.at,
    version: 1,
  };
  await tx.put(authors, { id: author.id }, author);
  return author;
}

/** Stores new narrators. The first spelling of a name is the one that is shown. */
async function rememberNarrators(tx: Transaction, names: readonly string[], at: string): Promise<void> {
  for (const name of names) {
    const key = { normalized_name: normalizeName(name) };
    if ((await tx.get(narrators, key)) !== undefined) continue;
    await tx.put(narrators, key, { name, ...key, sort_name: nameSortKey(name), created_at: at, version: 1 });
  }
}

/** Maximum number of series with the same name that a lookup reads. */
const SAME_NAME_MAX = 50;

/** Finds series by name, or by alias if no name matches; oldest record first. */
export async function seriesNamed(reads: Reads, name: string, limit: number): Promise<readonly Series[]> {
  const normalized = normalizeText(name);
  const named = await reads.list(series.by.name, { normalized_name: normalized }, { limit });
  return named.length > 0 ? named : reads.list(series.by.alias, { alias: normalized }, { limit });
}

/** Matches name and author, because two authors may each have a "Foundation". */
async function findSeries(reads: Reads, name: string, authorIds: readonly string[]): Promise<Series | undefined> {
  const named = await seriesNamed(reads, name, SAME_NAME_MAX);
  const own = named.find(({ author_id: author }) => author !== null && authorIds.includes(author));
  return own ?? named.find(({ author_id: author }) => author === null || authorIds.length === 0);
}

export async function findOrCreateSeries(
  tx: Transaction,
  name: string,
  authorIds: readonly string[],
  stamp: Stamp,
): Promise<Series> {
  const found = await findSeries(tx, name, authorIds);
  if (found !== undefined) return found;
  const made: Series = {
    id: stamp.newId(),
    name,
    normalized_name: normalizeText(name),
    sort_name: sortKey(name),
    author_id: authorIds[0] ?? null,
    aliases: [],
    created_at: stamp.at,
    updated_at: stamp.at,
    version: 1,
  };
  await tx.put(series, { id: made.id }, made);
  return made;
}

export function writeHistory(tx: Transaction, entry: HistoryEntry): Promise<void> {
  return tx.put(history, { book_id: entry.book_id, field: entry.field, id: entry.id }, entry);
}

export function historyOfOperation(reads: Reads, operationId: string): Promise<readonly HistoryEntry[]> {
  return reads.list(history.by.operation, { operation_id: operationId });
}

/** Returns the field changes of a book, newest first. */
export function historyOfBook(
  reads: Reads,
  bookId: string,
  field: BookField | undefined,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<HistoryEntry>> {
  const options = { reverse: true, limit: page.limit, cursor: page.cursor };
  if (field === undefined) return reads.page(history.by.book, { book_id: bookId }, options);
  return reads.page(history, { book_id: bookId, field }, options);
}
