import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { parseIsbn } from '../../model/isbn.ts';
import { normalizeText } from '../../model/normalize.ts';
import type { ScannedBook } from '../../model/scanned.ts';
import { readBook } from '../../store/books.ts';
import { books } from '../../store/definitions.ts';
import { findAuthor } from '../../store/people.ts';
import { activeSegments } from '../../store/segments.ts';
import { deletedSince } from './deleted.ts';
import type { Matches } from './match-files.ts';

export interface BookRequest {
  readonly libraryId: string;
  readonly scanned: ScannedBook;
  readonly matches: Matches;
  /** Books already matched by other scanned books of this unit. */
  readonly claimed: ReadonlySet<string>;
  readonly isAloneInFolder: boolean;
}

const SAME_LENGTH_RATIO = 0.02;

/**
 * Finds the known book for a scanned one. In order: the book that most of its files belong to; the book whose files in
 * this folder were all replaced; a book whose files are gone with the same ISBN or ASIN, or the same author, title and
 * length.
 */
export async function matchBook(reads: Reads, request: BookRequest): Promise<Book | undefined> {
  return (
    (await byFiles(reads, request)) ??
    (await byFolder(reads, request)) ??
    (await byNumber(reads, request)) ??
    (await byTitle(reads, request))
  );
}

async function byFiles(reads: Reads, { scanned, matches, claimed }: BookRequest): Promise<Book | undefined> {
  const votes = new Map<string, number>();
  for (const file of scanned.files) {
    const bookId = matches.get(file)?.book_id;
    if (bookId !== undefined && !claimed.has(bookId)) votes.set(bookId, (votes.get(bookId) ?? 0) + 1);
  }
  const [winner] = [...votes].sort((left, right) => right[1] - left[1]);
  return winner === undefined ? undefined : readBook(reads, winner[0]);
}

async function byFolder(reads: Reads, request: BookRequest): Promise<Book | undefined> {
  const { libraryId, scanned, claimed, isAloneInFolder } = request;
  if (!isAloneInFolder) return undefined;
  const here = await reads.list(books.by.folder, { library_id: libraryId, folder: scanned.folder }, { limit: 2 });
  const [only] = here;
  if (only === undefined || here.length > 1 || claimed.has(only.id)) return undefined;
  // Another book may now use the folder; its length would differ.
  return isAboutAsLong(only, scanned, 0.1) || normalizeText(scanned.title) === only.normalized_title ? only : undefined;
}

async function byNumber(reads: Reads, { scanned, claimed }: BookRequest): Promise<Book | undefined> {
  const { isbn13 } = parseIsbn(scanned.isbn);
  const asin = scanned.asin?.toUpperCase();
  const candidates = [
    ...(isbn13 === null ? [] : await reads.list(books.by.isbn13, { isbn13 }, { limit: 10 })),
    ...(asin === undefined ? [] : await reads.list(books.by.asin, { asin }, { limit: 10 })),
  ];
  return firstGone(reads, candidates, scanned, claimed);
}

async function byTitle(reads: Reads, { scanned, claimed }: BookRequest): Promise<Book | undefined> {
  const [name] = scanned.authors;
  const author = name === undefined ? undefined : await findAuthor(reads, name);
  if (author === undefined) return undefined;
  const key = { normalized_title: normalizeText(scanned.title) };
  const candidates = await reads.list(books.by.title, key, { limit: 20 });
  const own = candidates.filter((book) => book.author_id === author.id);
  return firstGone(reads, own, scanned, claimed);
}

async function firstGone(
  reads: Reads,
  candidates: readonly Book[],
  scanned: ScannedBook,
  claimed: ReadonlySet<string>,
): Promise<Book | undefined> {
  for (const book of candidates) {
    if (claimed.has(book.id) || !isAboutAsLong(book, scanned, SAME_LENGTH_RATIO)) continue;
    // Other files of a deleted book are a new copy.
    if ((await deletedSince(reads, book)) !== null) continue;
    const files = await activeSegments(reads, book.id);
    if (files.every((segment) => segment.missing_since !== null)) return book;
  }
  return undefined;
}

function isAboutAsLong(book: Book, scanned: ScannedBook, ratio: number): boolean {
  const longer = Math.max(book.duration_ms, scanned.durationMs);
  return Math.abs(book.duration_ms - scanned.durationMs) <= ratio * longer;
}
