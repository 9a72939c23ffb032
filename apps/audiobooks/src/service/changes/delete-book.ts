import type { Book } from '../../model/book.ts';
import { writeBook } from '../../store/books.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { resolveBook, resolveDeletedBook } from '../queries/resolve.ts';

/** Hides a book from all lists; files, progress and history stay. Scans never restore it; `restoreBook` does. */
export function deleteBook(audiobooks: Audiobooks, given: string): Promise<Book> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await resolveBook(tx, given);
    return writeBook(tx, book, { ...book, deleted_at: stamp.at }, stamp);
  });
}

export function restoreBook(audiobooks: Audiobooks, given: string): Promise<Book> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await resolveDeletedBook(tx, given);
    return writeBook(tx, book, { ...book, deleted_at: null }, stamp);
  });
}
