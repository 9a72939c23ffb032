import type { Transaction } from '@holdfast/keyspace';
import type { Unit } from '../../model/library.ts';
import type { Segment } from '../../model/segment.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { units } from '../../store/definitions.ts';
import { activeSegments, writeSegments } from '../../store/segments.ts';
import type { Writer } from '../set-fields.ts';
import { type Exists, isThere } from './match-files.ts';

export interface Vanishing {
  readonly library: string;
  readonly exists: Exists;
  readonly writer: Writer;
}

/** A folder that was there is not any more. Books that did not turn up elsewhere are missing; nothing else changes. */
export async function applyVanishedUnit(
  transaction: Transaction,
  { unit, books, left = [] }: Unit,
  vanishing: Vanishing,
): Promise<readonly string[]> {
  const missing = await missBooks(transaction, [...books, ...left], vanishing, (path) => isInside(path, unit));
  await transaction.delete(units, { library: vanishing.library, unit });
  return missing;
}

/** The folder is there, but books that were in it are not: they went elsewhere, or are missing. */
export async function applyLeftBooks(
  transaction: Transaction,
  { unit }: Pick<Unit, 'unit'>,
  vanishing: Vanishing,
): Promise<readonly string[]> {
  const key = { library: vanishing.library, unit };
  const { left = [], ...settled } = (await transaction.get(units, key)) ?? {};
  if (!('unit' in settled)) return [];
  const missing = await missBooks(transaction, left, vanishing, () => false);
  await transaction.put(units, key, settled);
  return missing;
}

async function missBooks(
  transaction: Transaction,
  books: readonly string[],
  vanishing: Vanishing,
  isKnownGone: (path: string) => boolean,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const book of books) if (await missFilesOf(transaction, book, vanishing, isKnownGone)) missing.push(book);
  return missing;
}

async function missFilesOf(
  transaction: Transaction,
  bookId: string,
  { library, exists, writer }: Vanishing,
  isKnownGone: (path: string) => boolean,
): Promise<boolean> {
  const book = await readBook(transaction, bookId);
  if (book === undefined) return false;
  const active = await activeSegments(transaction, bookId);
  const gone: Segment[] = [];
  for (const segment of active) {
    if (segment.missing_since !== null || segment.library_id !== library) continue;
    if (isKnownGone(segment.file_path) || !(await isThere(transaction, segment, exists))) gone.push(segment);
  }
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
