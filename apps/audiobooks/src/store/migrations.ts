import { type KeyspaceMigration, type KeyspaceMigrations, type Transaction, ulidSource } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import { toTime } from '../model/stored.ts';
import { workFor } from './books.ts';
import { bookListenSeconds, bookPlays, books, workListenSeconds, workPlays } from './definitions.ts';

const PAGE = 200;
const newId = ulidSource();

/** Version 1.1.0 of the design document: every book belongs to a work, whose counters start with those of its books. */
const introduceWorks: KeyspaceMigration = {
  version: 2,
  description: 'every book belongs to a work, found by title and author',
  async step(tx, cursor) {
    const page = await tx.page(books, {}, { limit: PAGE, cursor });
    for (const book of page.items) if (book.work_id === null) await assignWork(tx, book);
    return page.cursor;
  },
};

async function assignWork(tx: Transaction, book: Book): Promise<void> {
  const work = await workFor(tx, book, { at: toTime(book.created_at), newId });
  await tx.put(books, { id: book.id }, { ...book, work_id: work });
  const plays = await tx.get(bookPlays, { book: book.id });
  const seconds = await tx.get(bookListenSeconds, { book: book.id });
  if (plays !== 0) tx.add(workPlays, { work }, plays);
  if (seconds !== 0) tx.add(workListenSeconds, { work }, seconds);
}

export const migrations: KeyspaceMigrations = {
  versionKey: 'meta:version',
  recordKey: 'mig:{version:d10}',
  steps: [{ version: 1, description: 'the first layout', step: () => Promise.resolve(undefined) }, introduceWorks],
};
