import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import { nameSortKey, normalizeName, normalizeText, sortKey } from '../model/normalize.ts';
import { parseSeriesPosition } from '../model/series-position.ts';
import { bookCounts, books, libraryCounts, NONE } from './definitions.ts';
import { type Stamp, rememberNarrators } from './people.ts';
import { leaveWork, workFor } from './works.ts';

/**
 * The only function that writes books. Computes derived fields, finds the work and updates all counters in the caller's
 * transaction.
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

export async function removeBook(tx: Transaction, book: Book): Promise<void> {
  await leaveWork(tx, book, null);
  countBooks(tx, book, undefined);
  await tx.delete(books, { id: book.id });
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

/** Returns the counters that include a listed book. */
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

export function countBooks(tx: Transaction, before: Book | undefined, after: Book | undefined): void {
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
