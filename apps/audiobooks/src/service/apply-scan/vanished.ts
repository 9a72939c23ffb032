import type { Transaction } from '@holdfast/keyspace';
import type { Unit } from '../../model/library.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { units } from '../../store/definitions.ts';
import { activeSegments, writeSegments } from '../../store/segments.ts';
import type { Writer } from '../set-fields.ts';

/** A folder that was there is not any more. Books that did not turn up elsewhere are missing; nothing else changes. */
export async function applyVanishedUnit(
  transaction: Transaction,
  library: string,
  { unit, books }: Unit,
  writer: Writer,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const bookId of books) if (await missFilesOf(transaction, library, unit, bookId, writer)) missing.push(bookId);
  await transaction.delete(units, { library, unit });
  return missing;
}

async function missFilesOf(
  transaction: Transaction,
  library: string,
  unit: string,
  bookId: string,
  writer: Writer,
): Promise<boolean> {
  const book = await readBook(transaction, bookId);
  if (book === undefined) return false;
  const active = await activeSegments(transaction, bookId);
  const gone = active.filter(
    (segment) => segment.missing_since === null && segment.library_id === library && isInside(segment.file_path, unit),
  );
  await writeSegments(
    transaction,
    gone.map((before) => ({ before, after: { ...before, missing_since: writer.at, updated_at: writer.at } })),
  );
  const isAllGone = active.every((segment) => segment.missing_since !== null || gone.includes(segment));
  if (!isAllGone || book.missing_since !== null) return false;
  await writeBook(transaction, book, { ...book, missing_since: writer.at }, writer);
  return true;
}

function isInside(path: string, unit: string): boolean {
  return unit === '' || unit === '.' || path.startsWith(`${unit}/`);
}
