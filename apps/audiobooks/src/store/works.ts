import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import type { Work } from '../model/work.ts';
import { bookListenSeconds, bookPlays, books, workListenSeconds, workPlays, works } from './definitions.ts';
import type { Stamp } from './people.ts';

/**
 * Finds or creates the work of a book by title and author, or by ISBN or ASIN. A book without an author gets its own
 * work, because titles are not unique.
 */
export async function workFor(tx: Transaction, book: Book, stamp: Stamp): Promise<string> {
  const found = (await workByTitle(tx, book)) ?? (await workByNumber(tx, book));
  if (found !== undefined) return found;
  const work: Work = {
    id: stamp.newId(),
    title: book.title,
    normalized_title: book.normalized_title,
    author_id: book.author_id,
    alt_titles: [],
    series_id: book.series_id,
    created_at: stamp.at,
    updated_at: stamp.at,
    version: 1,
  };
  await tx.put(works, { id: work.id }, work);
  return work.id;
}

async function workByTitle(tx: Transaction, book: Book): Promise<string | undefined> {
  if (book.author_id === null) return undefined;
  const key = { normalized_title: book.normalized_title, author: book.author_id };
  const [work] = await tx.list(works.by.title, key, { limit: 1 });
  return work?.id;
}

async function workByNumber(tx: Transaction, book: Book): Promise<string | undefined> {
  const { isbn13, asin } = book;
  const twins = [
    ...(isbn13 === null ? [] : await tx.list(books.by.isbn13, { isbn13 }, { limit: 2 })),
    ...(asin === null ? [] : await tx.list(books.by.asin, { asin }, { limit: 2 })),
  ];
  return twins.find(({ id, work_id: work }) => id !== book.id && work !== null)?.work_id ?? undefined;
}

/** Moves a book's plays to its new work, and deletes a work without books. Call it before writing the book. */
export async function leaveWork(tx: Transaction, book: Book, to: string | null): Promise<void> {
  const from = book.work_id;
  if (from === null || from === to) return;
  const plays = await tx.get(bookPlays, { book: book.id });
  const seconds = await tx.get(bookListenSeconds, { book: book.id });
  if (plays !== 0) {
    tx.add(workPlays, { work: from }, -plays);
    if (to !== null) tx.add(workPlays, { work: to }, plays);
  }
  if (seconds !== 0) {
    tx.add(workListenSeconds, { work: from }, -seconds);
    if (to !== null) tx.add(workListenSeconds, { work: to }, seconds);
  }
  const left = await tx.list(books.by.work, { work_id: from }, { limit: 2 });
  if (left.every(({ id }) => id === book.id)) await tx.delete(works, { id: from });
}
