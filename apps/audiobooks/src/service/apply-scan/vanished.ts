import type { Transaction } from '@holdfast/keyspace';
import type { Unit } from '../../model/library.ts';
import type { Segment } from '../../model/segment.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { units } from '../../store/definitions.ts';
import { activeSegments, writeSegments } from '../../store/segments.ts';
import type { Editor } from '../set-fields.ts';
import { type Exists, isThere } from './match-files.ts';

export interface Vanishing {
  readonly library: string;
  readonly exists: Exists;
  readonly editor: Editor;
}

/** Handles a folder that is gone. Marks its books missing unless they were found elsewhere. */
export async function applyVanishedUnit(
  tx: Transaction,
  { unit, books, left = [] }: Unit,
  vanishing: Vanishing,
): Promise<readonly string[]> {
  const missing = await missBooks(tx, [...books, ...left], vanishing, (path) => isInside(path, unit));
  await tx.delete(units, { library: vanishing.library, unit });
  return missing;
}

/** Handles books that left an existing folder: they moved or are missing. */
export async function applyLeftBooks(
  tx: Transaction,
  { unit }: Pick<Unit, 'unit'>,
  vanishing: Vanishing,
): Promise<readonly string[]> {
  const key = { library: vanishing.library, unit };
  const { left = [], ...settled } = (await tx.get(units, key)) ?? {};
  if (!('unit' in settled)) return [];
  const missing = await missBooks(tx, left, vanishing, () => false);
  await tx.put(units, key, settled);
  return missing;
}

async function missBooks(
  tx: Transaction,
  books: readonly string[],
  vanishing: Vanishing,
  isKnownGone: (path: string) => boolean,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const book of books) if (await missFilesOf(tx, book, vanishing, isKnownGone)) missing.push(book);
  return missing;
}

async function missFilesOf(
  tx: Transaction,
  bookId: string,
  { library, exists, editor }: Vanishing,
  isKnownGone: (path: string) => boolean,
): Promise<boolean> {
  const book = await readBook(tx, bookId);
  if (book === undefined) return false;
  const active = await activeSegments(tx, bookId);
  const gone: Segment[] = [];
  for (const segment of active) {
    if (segment.missing_since !== null || segment.library_id !== library) continue;
    if (isKnownGone(segment.file_path) || !(await isThere(tx, segment, exists))) gone.push(segment);
  }
  await writeSegments(
    tx,
    gone.map((before) => ({ before, after: { ...before, missing_since: editor.at, updated_at: editor.at } })),
  );
  const isAllGone = active.every((segment) => segment.missing_since !== null || gone.includes(segment));
  if (!isAllGone || book.missing_since !== null) return false;
  await writeBook(tx, book, { ...book, missing_since: editor.at }, editor);
  return true;
}

function isInside(path: string, unit: string): boolean {
  return unit === '' || unit === '.' || path.startsWith(`${unit}/`);
}
