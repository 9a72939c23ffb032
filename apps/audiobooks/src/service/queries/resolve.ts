import { isUlid, type Reads } from '@holdfast/keyspace';
import type { Author } from '../../model/author.ts';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import type { Series } from '../../model/series.ts';
import { readBook } from '../../store/books.ts';
import { authors, books, series } from '../../store/definitions.ts';

/** What people write for a thing, as the thing: an id, the end of one, or a name. */

const CANDIDATES = 10;

export async function resolveBook(reads: Reads, given: string): Promise<Book> {
  if (isUlid(given.toUpperCase())) {
    const book = await readBook(reads, given.toUpperCase());
    if (book !== undefined) return book;
  }
  const key = { normalized_title: normalizeText(given) };
  const titled = await reads.list(books.by.title, key, { limit: CANDIDATES });
  return onlyOne(
    titled,
    () => audiobookErrors.BOOK_NOT_FOUND(`There is no book ${given}.`),
    (ids) => audiobookErrors.BOOK_AMBIGUOUS(`Several books are called ${given}.`, { details: { ids } }),
  );
}

export async function resolveAuthor(reads: Reads, given: string): Promise<Author> {
  const author = isUlid(given.toUpperCase()) ? await reads.get(authors, { id: given.toUpperCase() }) : undefined;
  if (author !== undefined) return author;
  const name = normalizeName(given);
  const named = await reads.list(authors.by.name, { normalized_name: name }, { limit: CANDIDATES });
  const found = named.length > 0 ? named : await reads.list(authors.by.alias, { alias: name }, { limit: CANDIDATES });
  return onlyOne(
    found,
    () => audiobookErrors.AUTHOR_NOT_FOUND(`There is no author ${given}.`),
    (ids) => audiobookErrors.BOOK_AMBIGUOUS(`Several authors are called ${given}.`, { details: { ids } }),
  );
}

export async function resolveSeries(reads: Reads, given: string): Promise<Series> {
  const known = isUlid(given.toUpperCase()) ? await reads.get(series, { id: given.toUpperCase() }) : undefined;
  if (known !== undefined) return known;
  const name = normalizeText(given);
  const named = await reads.list(series.by.name, { normalized_name: name }, { limit: CANDIDATES });
  const found = named.length > 0 ? named : await reads.list(series.by.alias, { alias: name }, { limit: CANDIDATES });
  return onlyOne(
    found,
    () => audiobookErrors.SERIES_NOT_FOUND(`There is no series ${given}.`),
    (ids) => audiobookErrors.BOOK_AMBIGUOUS(`Several series are called ${given}.`, { details: { ids } }),
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
