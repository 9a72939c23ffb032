import { compareKeys } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';

export type BookOrder = 'title' | 'author' | 'added' | 'duration' | 'recent';

/** The same order as that of the indexes. What was listened to last is not in the book: it goes by title. */
export function compareBooks(order: BookOrder, left: Book, right: Book): number {
  switch (order) {
    case 'author':
      return compareKeys(left.author_sort, right.author_sort) || byTitle(left, right);
    case 'added':
      return compareKeys(left.id, right.id);
    case 'duration':
      return left.duration_ms - right.duration_ms || compareKeys(left.id, right.id);
    case 'title':
    case 'recent':
      return byTitle(left, right);
  }
}

function byTitle(left: Book, right: Book): number {
  return compareKeys(left.sort_title, right.sort_title) || compareKeys(left.id, right.id);
}
