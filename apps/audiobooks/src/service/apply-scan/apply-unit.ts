import type { Transaction } from '@holdfast/keyspace';
import type { Unit } from '../../model/library.ts';
import type { ScannedBook, ScannedFile } from '../../model/scanned.ts';
import type { ScannedUnit } from '../../model/engines.ts';
import { units } from '../../store/definitions.ts';
import type { Editor } from '../set-fields.ts';
import { applyBook, type Outcome } from './apply-book.ts';
import { matchBook } from './match-book.ts';
import { matchFiles, type MatchRequest } from './match-files.ts';

export interface UnitToApply extends Pick<MatchRequest, 'libraryId' | 'exists'> {
  readonly scanned: ScannedUnit;
  readonly editor: Editor;
}

export interface UnitOutcome {
  readonly bookIds: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** Applies the scan results of one folder and stores its fingerprint in the same transaction. */
export async function applyUnit(tx: Transaction, request: UnitToApply): Promise<UnitOutcome> {
  const { libraryId, scanned, editor, exists } = request;
  const files = scanned.books.flatMap((book) => book.files);
  const matches = await matchFiles(tx, { libraryId, files, exists });
  // Originals beside a merged file are no longer part of the book.
  const isReplaced = (file: ScannedFile): boolean => (matches.get(file)?.superseded_by ?? null) !== null;
  const claimed = new Set<string>();
  const outcomes: Outcome[] = [];
  const folders = countFolders(scanned.books);
  for (const book of byMatchedFiles(scanned.books, matches)) {
    const own = book.files.filter((file) => !isReplaced(file));
    if (own.length === 0) continue;
    const isAloneInFolder = folders.get(book.folder) === 1;
    const known = await matchBook(tx, { libraryId, scanned: book, matches, claimed, isAloneInFolder });
    const applied = await applyBook(tx, { libraryId, scanned: book, files: own, matches, known, editor });
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
  // Without a fingerprint the next scan reads the unit again; storing the books lets it notice removed ones.
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

/** If two scanned books share files of a known book, the one with more of them is that book. */
function byMatchedFiles(books: readonly ScannedBook[], matches: ReadonlyMap<ScannedFile, unknown>): ScannedBook[] {
  const known = (book: ScannedBook): number => book.files.filter((file) => matches.has(file)).length;
  return [...books].sort((left, right) => known(right) - known(left));
}

function countFolders(books: readonly ScannedBook[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { folder } of books) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}
