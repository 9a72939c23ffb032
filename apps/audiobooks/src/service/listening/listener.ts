import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { readBook } from '../../store/books.ts';

/** Who listens, and which books exist for them. */
export interface Listener {
  readonly userId: string;
  readonly sees: (book: Pick<Book, 'library_id'>) => boolean;
}

/** Somebody at the keyboard of the machine, who sees everything. */
export function localListener(userId: string): Listener {
  return { userId, sees: () => true };
}

/** A book that somebody may not see does not exist for them. */
export async function seenBook(reads: Reads, listener: Listener, id: string): Promise<Book> {
  const book = await readBook(reads, id);
  if (book === undefined || !listener.sees(book)) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${id}.`);
  return book;
}
