import type { Transaction } from '@holdfast/keyspace';
import { type Book, emptyBook, type Segment } from '../../model/book.ts';
import type { BookField } from '../../model/choices.ts';
import type { CoverSource, ScannedBook, ScannedFile } from '../../model/scanned.ts';
import { readBook, type Stamp, writeBook } from '../../store/books.ts';
import { assets, fileFacts, segments, units } from '../../store/definitions.ts';
import { activeSegments, segmentAtPath, switchTimeline, writeSegments } from '../../store/timelines.ts';
import { type Editor, setFields } from '../changes/change.ts';
import { deletedSince, type Matches } from './match.ts';
import { factsOfFile, fromScan, goneFields, isOpenToScan, segmentOfFile, withCleared } from './scanned-fields.ts';

interface BookToApply {
  readonly libraryId: string;
  readonly scanned: ScannedBook;
  readonly files: readonly ScannedFile[];
  readonly matches: Matches;
  readonly known: Book | undefined;
  /** Whether all files of the folder could be read. */
  readonly isComplete: boolean;
  readonly editor: Editor;
}

export type Outcome = 'added' | 'changed' | 'unchanged' | 'stayDeleted';

/** Updates one book to match a scan; writes only what differs. */
export async function applyBook(
  tx: Transaction,
  request: BookToApply,
): Promise<{ readonly book: Book; readonly outcome: Outcome }> {
  const { known, scanned, editor, libraryId } = request;
  const start = known ?? emptyBook(editor.newId(), 'Untitled', editor.at);
  const old = known === undefined ? [] : await activeSegments(tx, known.id);
  const found = fromScan(start, scanned);
  const { changes, sources } = withCleared(
    start,
    found,
    await clearable(tx, start, goneFields(start, found), request, old),
  );
  const described = await setFields(tx, start, changes, sources, editor);
  const covered = await withCover(tx, described, request);
  const placed: Book = {
    ...covered,
    library_id: libraryId,
    folder: scanned.folder,
    missing_since: null,
    deleted_at: await deletedSince(tx, covered),
  };
  const applied = await applyFiles(tx, placed, request, old);
  for (const donor of applied.donors) await updateDonor(tx, donor, editor);
  const timed = await switchTimeline(tx, {
    book: placed,
    segments: applied.segments,
    method: 'packets',
    at: editor.at,
  });
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(timed))
    return { book: known, outcome: 'unchanged' };
  const book = await writeBook(tx, known, timed, editor);
  const outcome = known === undefined ? 'added' : book.deleted_at === null ? 'changed' : 'stayDeleted';
  return { book, outcome };
}

interface Applied {
  /** The active segments, in playing order. */
  readonly segments: readonly Segment[];
  /** Books whose files now belong to this book. */
  readonly donors: readonly string[];
}

/**
 * Returns the fields that the scan may clear. After an incomplete scan, there are none. A merged or transcoded file
 * lacks some tags of its originals, so fields that come from tags stay.
 */
async function clearable(
  tx: Transaction,
  { provenance }: Book,
  gone: readonly BookField[],
  { files, matches, isComplete }: BookToApply,
  old: readonly Segment[],
): Promise<readonly BookField[]> {
  if (gone.length === 0 || !isComplete || keptWithoutFile(old, files, matches).length > 0) return [];
  const beside = gone.filter((field) => provenance[field] !== 'tag');
  if (beside.length === gone.length) return gone;
  for (const { id } of old) {
    const [original] = await tx.list(segments.by.superseded, { superseded_by: id }, { limit: 1 });
    if (original !== undefined) return beside;
  }
  return gone;
}

async function applyFiles(
  tx: Transaction,
  book: Book,
  request: BookToApply,
  old: readonly Segment[],
): Promise<Applied> {
  const { files, matches, libraryId, editor } = request;
  const changes: { before: Segment | undefined; after: Segment }[] = [];
  const active: Segment[] = [];
  const kept = keptWithoutFile(old, files, matches);
  const total = files.length + kept.length;
  for (const [order, part] of inOrder(files, kept, matches).entries()) {
    if (isSegment(part)) {
      // No other file replaces the missing one, so its part of the timeline stays until the file returns.
      const after = { ...part, order, missing_since: part.missing_since ?? editor.at };
      if (!isSame(part, after)) changes.push({ before: part, after });
      active.push(after);
      continue;
    }
    const before = matches.get(part);
    const place = { id: before?.id ?? editor.newId(), bookId: book.id, libraryId, order, total, at: editor.at };
    const after = segmentOfFile(part, before, place);
    if (after !== before) {
      changes.push({ before, after });
      await tx.put(fileFacts, { segment: after.id }, factsOfFile(part));
    }
    active.push(after);
  }
  const activeIds = new Set(active.map(({ id }) => id));
  for (const segment of old) {
    if (activeIds.has(segment.id)) continue;
    const after = { ...segment, active: false, missing_since: segment.missing_since ?? editor.at };
    changes.push({ before: segment, after });
  }
  changes.push(...(await formerHolders(tx, libraryId, changes, editor.at)));
  await writeSegments(tx, changes);
  for (const { before } of changes) {
    if (before !== undefined && before.library_id !== libraryId) await forceRescan(tx, before);
  }
  const donors = changes.flatMap(({ before, after }) =>
    before !== undefined && before.active && before.book_id !== after.book_id ? [before.book_id] : [],
  );
  return { segments: active, donors: [...new Set(donors)] };
}

/**
 * Returns active segments whose files are missing, unless new files replace them. A disk that is unmounted for a day
 * must not shorten the book.
 */
function keptWithoutFile(old: readonly Segment[], files: readonly ScannedFile[], matches: Matches): readonly Segment[] {
  const matched = new Set(files.map((file) => matches.get(file)?.id));
  const hasNewFiles = files.some((file) => !matches.has(file));
  return hasNewFiles ? [] : old.filter((segment) => !matched.has(segment.id));
}

function inOrder(
  files: readonly ScannedFile[],
  kept: readonly Segment[],
  matches: Matches,
): readonly (ScannedFile | Segment)[] {
  if (kept.length === 0) return files;
  const parts: (ScannedFile | Segment)[] = [...files];
  for (const segment of [...kept].sort((left, right) => left.order - right.order)) {
    const orderOf = (part: ScannedFile | Segment): number =>
      isSegment(part) ? part.order : (matches.get(part)?.order ?? Number.POSITIVE_INFINITY);
    const at = parts.findIndex((part) => orderOf(part) > segment.order);
    parts.splice(at === -1 ? parts.length : at, 0, segment);
  }
  return parts;
}

function isSegment(part: ScannedFile | Segment): part is Segment {
  return 'book_id' in part;
}

/** Returns segments whose path now belongs to another file. The scan may still find their files in another folder. */
async function formerHolders(
  tx: Transaction,
  libraryId: string,
  changes: readonly { readonly before: Segment | undefined; readonly after: Segment }[],
  at: string,
): Promise<{ before: Segment; after: Segment }[]> {
  const changing = new Set(changes.map(({ after }) => after.id));
  const holders: { before: Segment; after: Segment }[] = [];
  for (const { after } of changes) {
    if (after.missing_since !== null) continue;
    const holder = await segmentAtPath(tx, libraryId, after.file_path);
    if (holder === undefined || changing.has(holder.id)) continue;
    changing.add(holder.id);
    holders.push({ before: holder, after: { ...holder, missing_since: at } });
  }
  return holders;
}

async function withCover(tx: Transaction, book: Book, request: BookToApply): Promise<Book> {
  const { scanned, libraryId, editor } = request;
  const cover = scanned.cover;
  if (cover === undefined || !isOpenToScan(book, 'cover')) return book;
  const current = book.cover_asset_id === null ? undefined : await tx.get(assets, { id: book.cover_asset_id });
  if (current !== undefined && isSame(coverOf(current), coverOf(cover))) return book;
  // A new picture gets a new id, so that caches never show the old one.
  const id = editor.newId();
  if (current !== undefined) await tx.delete(assets, { id: current.id });
  await tx.put(
    assets,
    { id },
    { id, book_id: book.id, library_id: libraryId, ...coverOf(cover), created_at: editor.at, version: 1 },
  );
  const source = cover.kind === 'embedded' ? 'tag' : 'file';
  return { ...book, cover_asset_id: id, provenance: { ...book.provenance, cover: source } };
}

function coverOf({ kind, path, mime, offset, length }: CoverSource): CoverSource {
  return { kind, path, mime, offset, length };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Makes the next scan read a file's old folder again; used when a scan finds the file in another library. The old
 * folder may become available again and still have the file. That file is then a copy, for which the scan must create a
 * book.
 */
async function forceRescan(tx: Transaction, { library_id: library, file_path: path }: Segment): Promise<void> {
  if (library === null) return;
  const names = path.split('/').slice(0, -1);
  // The unit is the folder itself or, for a disc, a folder above it.
  for (let depth = names.length; depth >= 0; depth--) {
    const key = { library, unit: names.slice(0, depth).join('/') };
    await tx.update(units, key, (unit) => ({ ...unit, fingerprint: '' }));
  }
}

/** Updates a book that lost files to another book: shortens its timeline, or marks it missing. */
async function updateDonor(tx: Transaction, bookId: string, stamp: Stamp): Promise<void> {
  const book = await readBook(tx, bookId);
  if (book === undefined) return;
  const active = await activeSegments(tx, bookId);
  const isMissing = active.every((segment) => segment.missing_since !== null);
  const timed = await switchTimeline(tx, { book, segments: active, method: 'packets', at: stamp.at });
  await writeBook(tx, book, { ...timed, missing_since: isMissing ? stamp.at : null }, stamp);
}
