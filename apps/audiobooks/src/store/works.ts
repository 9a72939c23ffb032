import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import type { Work } from '../model/work.ts';
import { bookListenSeconds, bookPlays, books, workListenSeconds, workPlays, works } from './definitions.ts';
import type { Maker } from './people.ts';

/**
 * The work that a book is an edition of.
 *
 * Books of one title and one author belong together, and so do books that share an ISBN or ASIN. Without an author a
 * title says too little: such a book gets a work of its own.
 */
export async function workFor(transaction: Transaction, book: Book, maker: Maker): Promise<string> {
  const found = (await workByTitle(transaction, book)) ?? (await workByNumber(transaction, book));
  if (found !== undefined) return found;
  const work: Work = {
    id: maker.newId(),
    title: book.title,
    normalized_title: book.normalized_title,
    author_id: book.author_id,
    alt_titles: [],
    series_id: book.series_id,
    created_at: maker.at,
    updated_at: maker.at,
    version: 1,
  };
  await transaction.put(works, { id: work.id }, work);
  return work.id;
}

async function workByTitle(transaction: Transaction, book: Book): Promise<string | undefined> {
  if (book.author_id === null) return undefined;
  const key = { normalized_title: book.normalized_title, author: book.author_id };
  const [work] = await transaction.list(works.by.title, key, { limit: 1 });
  return work?.id;
}

async function workByNumber(transaction: Transaction, book: Book): Promise<string | undefined> {
  const { isbn13, asin } = book;
  const twins = [
    ...(isbn13 === null ? [] : await transaction.list(books.by.isbn13, { isbn13 }, { limit: 2 })),
    ...(asin === null ? [] : await transaction.list(books.by.asin, { asin }, { limit: 2 })),
  ];
  return twins.find(({ id, work_id: work }) => id !== book.id && work !== null)?.work_id ?? undefined;
}

/** A book that changes its work takes its plays along, and a work without books goes. Call it before the book is written. */
export async function leaveWork(transaction: Transaction, book: Book, to: string | null): Promise<void> {
  const from = book.work_id;
  if (from === null || from === to) return;
  const plays = await transaction.get(bookPlays, { book: book.id });
  const seconds = await transaction.get(bookListenSeconds, { book: book.id });
  if (plays !== 0) {
    transaction.add(workPlays, { work: from }, -plays);
    if (to !== null) transaction.add(workPlays, { work: to }, plays);
  }
  if (seconds !== 0) {
    transaction.add(workListenSeconds, { work: from }, -seconds);
    if (to !== null) transaction.add(workListenSeconds, { work: to }, seconds);
  }
  const left = await transaction.list(books.by.work, { work_id: from }, { limit: 2 });
  if (left.every(({ id }) => id === book.id)) await transaction.delete(works, { id: from });
}
