import type { Reads } from '@holdfast/keyspace';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/library.ts';
import { books } from '../store/definitions.ts';
import { bookFacts } from './book-facts.ts';
import type { Audiobooks } from './audiobooks.ts';
import type { BookFacts } from '../model/engines.ts';
import { resolveBook } from './queries/resolve.ts';

const PAGE = 200;

/** Yields the books of a library with their files, without missing and deleted books. */
export async function* factsOf(
  { store }: Audiobooks,
  library: Library,
  chosen: readonly string[] | undefined,
): AsyncGenerator<BookFacts, void, undefined> {
  if (chosen !== undefined) {
    for (const given of chosen) yield await factsOfOne(store, given, library);
    return;
  }
  let cursor: string | undefined;
  do {
    const page = await store.page(books.by.folder, { library_id: library.id }, { limit: PAGE, cursor });
    for (const book of page.items) {
      if (book.deleted_at === null && book.missing_since === null) yield await bookFacts(store, book);
    }
    ({ cursor } = page);
  } while (cursor !== undefined);
}

async function factsOfOne(reads: Reads, given: string, library: Library): Promise<BookFacts> {
  const book = await resolveBook(reads, given);
  if (book.library_id === library.id) return bookFacts(reads, book);
  throw audiobookErrors.LIBRARY_NOT_FOUND(`${book.title} is not in the library ${library.root}.`);
}
