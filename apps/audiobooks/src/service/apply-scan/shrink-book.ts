import type { Transaction } from '@holdfast/keyspace';
import { readBook, writeBook } from '../../store/books.ts';
import type { Stamp } from '../../store/people.ts';
import { activeSegments } from '../../store/segments.ts';
import { switchTimeline } from '../../store/timelines.ts';

/** Updates a book that lost files to another: shortens its timeline, or marks it missing. */
export async function shrinkBook(tx: Transaction, bookId: string, stamp: Stamp): Promise<void> {
  const book = await readBook(tx, bookId);
  if (book === undefined) return;
  const segments = await activeSegments(tx, bookId);
  const isMissing = segments.every((segment) => segment.missing_since !== null);
  const timed = await switchTimeline(tx, { book, segments, method: 'packets', at: stamp.at });
  await writeBook(tx, book, { ...timed, missing_since: isMissing ? stamp.at : null }, stamp);
}
