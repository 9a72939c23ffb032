import type { Transaction } from '@holdfast/keyspace';
import type { Segment } from '../../model/book.ts';
import type { ScannedUnit } from '../../model/engines.ts';
import type { Unit } from '../../model/records.ts';
import type { ScannedBook, ScannedFile } from '../../model/scanned.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { units } from '../../store/definitions.ts';
import { activeSegments, writeSegments } from '../../store/timelines.ts';
import type { Editor } from '../changes/change.ts';
import { applyBook, type Outcome } from './apply-book.ts';
import { type Exists, isThere, matchBook, matchFiles, type MatchRequest } from './match.ts';

interface UnitToApply extends Pick<MatchRequest, 'libraryId' | 'exists'> {
  readonly scanned: ScannedUnit;
  readonly editor: Editor;
}

export interface UnitOutcome {
  readonly bookIds: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** Applies the scan results of one folder and stores its fingerprint. */
export async function applyUnit(tx: Transaction, request: UnitToApply): Promise<UnitOutcome> {
  const { libraryId, scanned, editor, exists } = request;
  const files = scanned.books.flatMap((book) => book.files);
  const matches = await matchFiles(tx, { libraryId, files, exists });
  // Original files next to a merged file are no longer part of the book.
  const isReplaced = (file: ScannedFile): boolean => (matches.get(file)?.superseded_by ?? null) !== null;
  const claimed = new Set<string>();
  const outcomes: Outcome[] = [];
  const folders = countFolders(scanned.books);
  for (const book of byMatchedFiles(scanned.books, matches)) {
    const own = book.files.filter((file) => !isReplaced(file));
    if (own.length === 0) continue;
    const isAloneInFolder = folders.get(book.folder) === 1;
    const known = await matchBook(tx, { libraryId, scanned: book, matches, claimed, isAloneInFolder });
    const isComplete = scanned.fingerprint !== undefined;
    const applied = await applyBook(tx, { libraryId, scanned: book, files: own, matches, known, isComplete, editor });
    claimed.add(applied.book.id);
    outcomes.push(applied.outcome);
  }
  const bookIds = [...claimed];
  await rememberUnit(tx, libraryId, scanned, bookIds);
  return { bookIds, outcomes };
}

async function rememberUnit(
  tx: Transaction,
  library: string,
  { unit, fingerprint, problems }: ScannedUnit,
  bookIds: readonly string[],
): Promise<void> {
  const key = { library, unit };
  const before = await tx.get(units, key);
  const left = [...(before?.books ?? []), ...(before?.left ?? [])].filter((id) => !bookIds.includes(id));
  // If the fingerprint is empty, the next scan reads the unit again. It needs the stored books to see which books have
  // left the folder.
  const value: Unit = {
    unit,
    fingerprint: fingerprint ?? '',
    books: [...bookIds],
    ...(left.length === 0 ? {} : { left }),
    problems: problems.map(({ kind, path, message }) => ({ kind, path, message })),
    version: 1,
  };
  if (JSON.stringify(before) !== JSON.stringify(value)) await tx.put(units, key, value);
}

/**
 * Puts books with more known files first. If two scanned books share the files of a known book, the first one becomes
 * that book.
 */
function byMatchedFiles(books: readonly ScannedBook[], matches: ReadonlyMap<ScannedFile, unknown>): ScannedBook[] {
  const known = (book: ScannedBook): number => book.files.filter((file) => matches.has(file)).length;
  return [...books].sort((left, right) => known(right) - known(left));
}

function countFolders(books: readonly ScannedBook[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { folder } of books) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}

interface Vanishing {
  readonly library: string;
  readonly exists: Exists;
  readonly editor: Editor;
}

/** Handles a folder that no longer exists. Marks its books missing unless the scan found them elsewhere. */
export async function applyVanishedUnit(
  tx: Transaction,
  { unit, books, left = [] }: Unit,
  vanishing: Vanishing,
): Promise<readonly string[]> {
  const missing = await markBooksMissing(tx, [...books, ...left], vanishing, (path) => isInside(path, unit));
  await tx.delete(units, { library: vanishing.library, unit });
  return missing;
}

/** Handles books that are no longer in a folder that still exists: they were moved or are missing. */
export async function applyLeftBooks(
  tx: Transaction,
  { unit }: Pick<Unit, 'unit'>,
  vanishing: Vanishing,
): Promise<readonly string[]> {
  const key = { library: vanishing.library, unit };
  const { left = [], ...settled } = (await tx.get(units, key)) ?? {};
  if (!('unit' in settled)) return [];
  const missing = await markBooksMissing(tx, left, vanishing, () => false);
  await tx.put(units, key, settled);
  return missing;
}

async function markBooksMissing(
  tx: Transaction,
  books: readonly string[],
  vanishing: Vanishing,
  isKnownGone: (path: string) => boolean,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const book of books) if (await markFilesMissing(tx, book, vanishing, isKnownGone)) missing.push(book);
  return missing;
}

async function markFilesMissing(
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
