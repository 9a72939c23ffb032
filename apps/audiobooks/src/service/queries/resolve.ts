import { isUlid, type Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { normalizeText, sortKey } from '../../model/normalize.ts';
import type { Author, Playlist, Series } from '../../model/records.ts';
import { authorsNamed, readBook, seriesNamed } from '../../store/books.ts';
import { authors, books, playlists, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

/** Finds records by id or by name. */

const CANDIDATES = 10;

type IsVisible = (book: Book) => boolean;

export async function resolveBook(reads: Reads, given: string, isVisible: IsVisible = () => true): Promise<Book> {
  return (await bookById(reads, given, isVisible)) ?? onlyBook(given, await listedBooks(reads, given), isVisible);
}

/** Finds a book by id or title. Also finds deleted books, which the title index does not contain. */
export async function resolveDeletedBook(
  reads: Reads,
  given: string,
  isVisible: IsVisible = () => true,
): Promise<Book> {
  const known = await bookById(reads, given, isVisible);
  if (known !== undefined) return known;
  const title = normalizeText(given);
  const deleted = (await reads.list(books.by.deleted, {})).filter((book) => book.normalized_title === title);
  return onlyBook(given, deleted.length > 0 ? deleted : await listedBooks(reads, given), isVisible);
}

async function bookById(reads: Reads, given: string, isVisible: IsVisible): Promise<Book | undefined> {
  const book = isUlid(given.toUpperCase()) ? await readBook(reads.strict, given.toUpperCase()) : undefined;
  return book !== undefined && isVisible(book) ? book : undefined;
}

function listedBooks(reads: Reads, given: string): Promise<readonly Book[]> {
  return reads.list(books.by.title, { normalized_title: normalizeText(given) }, { limit: CANDIDATES });
}

function onlyBook(given: string, titled: readonly Book[], isVisible: IsVisible): Book {
  return onlyOne(
    titled.filter(isVisible),
    () => audiobookErrors.BOOK_NOT_FOUND(`There is no book ${given}.`),
    (ids) => audiobookErrors.NAME_AMBIGUOUS(`Several books are named ${given}.`, { details: { ids } }),
  );
}

export async function resolveAuthor(reads: Reads, given: string): Promise<Author> {
  const author = isUlid(given.toUpperCase()) ? await reads.strict.get(authors, { id: given.toUpperCase() }) : undefined;
  return author ?? onlyNamed(await authorsNamed(reads, given, CANDIDATES), 'author', given);
}

export async function resolveSeries(reads: Reads, given: string): Promise<Series> {
  const known = isUlid(given.toUpperCase()) ? await reads.strict.get(series, { id: given.toUpperCase() }) : undefined;
  return known ?? onlyNamed(await seriesNamed(reads, given, CANDIDATES), 'series', given);
}

function onlyNamed<T extends { readonly id: string }>(
  found: readonly T[],
  kind: 'author' | 'series',
  given: string,
): T {
  const several = kind === 'author' ? 'Several authors are named' : 'Several series are named';
  const missing = kind === 'author' ? audiobookErrors.AUTHOR_NOT_FOUND : audiobookErrors.SERIES_NOT_FOUND;
  return onlyOne(
    found,
    () => missing(`There is no ${kind} ${given}.`),
    (ids) => audiobookErrors.NAME_AMBIGUOUS(`${several} ${given}.`, { details: { ids } }),
  );
}

function onlyOne<T extends { readonly id: string }>(
  found: readonly T[],
  none: () => Error,
  several: (ids: readonly string[]) => Error,
): T {
  const [first] = found;
  if (first === undefined) throw none();
  if (found.length > 1) throw several(found.map(({ id }) => id));
  return first;
}

const BOOKS_MAX = 50;
const PLAYLISTS_MAX = 500;

/** Returns books in title order, from the first title at or after the typed text. */
export function completeBooks({ reader }: Audiobooks, typed: string): Promise<readonly Book[]> {
  const start = typed === '' ? {} : { start: sortKey(typed).trim() };
  return reader.list(books.by.sortTitle, {}, { limit: BOOKS_MAX, ...start });
}

export function completePlaylists({ reader }: Audiobooks): Promise<readonly Playlist[]> {
  return reader.list(playlists, {}, { limit: PLAYLISTS_MAX });
}
