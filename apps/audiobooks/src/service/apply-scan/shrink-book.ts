import type { Transaction } from '@holdfast/keyspace';
import { readBook, writeBook } from '../../store/books.ts';
import type { Maker } from '../../store/people.ts';
import { activeSegments } from '../../store/segments.ts';
import { switchTimeline } from '../../store/timelines.ts';

/** Files of a book turned out to belong to another: what is left of it has a shorter timeline, or is missing. */
export async function shrinkBook(transaction: Transaction, bookId: string, maker: Maker): Promise<void> {
  const book = await readBook(transaction, bookId);
  if (book === undefined) return;
  const segments = await activeSegments(transaction, bookId);
  const isMissing = segments.every((segment) => segment.missing_since !== null);
  const timed = await switchTimeline(transaction, { book, segments, method: 'packets', at: maker.at });
  await writeBook(transaction, book, { ...timed, missing_since: isMissing ? maker.at : null }, maker);
}
