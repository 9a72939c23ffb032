import { compareKeys } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';

export type BookOrder = 'title' | 'author' | 'added' | 'duration' | 'recent';

const byTitle = (left: Book, right: Book): number =>
  compareKeys(left.sort_title, right.sort_title) || compareKeys(left.id, right.id);

/**
 * The same orders as the indexes. Sorting by last playback falls back to title, because it is not stored in the book.
 */
export const compareBooks: Readonly<Record<BookOrder, (left: Book, right: Book) => number>> = {
  title: byTitle,
  author: (left, right) => compareKeys(left.author_sort, right.author_sort) || byTitle(left, right),
  added: (left, right) => compareKeys(left.id, right.id),
  duration: (left, right) => left.duration_ms - right.duration_ms || compareKeys(left.id, right.id),
  recent: byTitle,
};
