import type { Transaction } from '@holdfast/keyspace';
import type { Book, Segment } from '../../model/book.ts';
import type { EncodedFile, MovedFile } from '../../model/engines.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { positionBeforeMerge, type Replacement } from '../../model/timeline.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { assets, fileFacts, operations, segments } from '../../store/definitions.ts';
import { appendLog } from '../../store/operations.ts';
import { activeSegments, switchTimeline, writeSegments } from '../../store/timelines.ts';
import { factsOfFile, segmentOfFile } from '../apply-scan/scanned-fields.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';

interface SwitchRequest {
  readonly bookId: string;
  /** Generation of the timeline that the new files were made from. */
  readonly generation: number;
  readonly encoded: readonly EncodedFile[];
  readonly operationId: string;
}

/** Undo data, stored as the result of the operation. */
export interface Switched {
  readonly book_id: string;
  readonly switched: true;
  readonly generation: number;
  readonly old_segments: readonly { readonly id: string; readonly path: string; readonly kept_at: string }[];
  readonly new_segments: readonly { readonly id: string; readonly path: string }[];
}

/**
 * Switches a book to its new files with the steps in the audiobooks design document: adds the new segments and their
 * offsets, converts all progress, marks old segments as replaced, and updates playing order, duration map, log and
 * operation. Does this in one transaction, so that a crash cannot leave the book between two states.
 */
export function switchSegments(audiobooks: Audiobooks, request: SwitchRequest): Promise<Switched> {
  const stamp = stampFor(audiobooks);
  const newIds = request.encoded.map(() => audiobooks.newId());
  return audiobooks.store.transact(async (tx) => {
    const book = await bookAsMade(tx, request);
    const old = await activeSegments(tx, book.id);
    refuseOtherSegments(old, request);
    const library = book.library_id ?? '';
    const total = request.encoded.length;
    const made = request.encoded.map(({ file }, order) =>
      segmentOfFile(file, undefined, {
        id: newIds[order] ?? '',
        bookId: book.id,
        libraryId: library,
        order,
        total,
        at: stamp.at,
      }),
    );
    const replaced = replacements(request.encoded, made);
    await writeSegments(tx, [
      ...old.map((before) => ({ before, after: supersede(before, replaced, request.encoded, stamp.at) })),
      ...made.map((after) => ({ before: undefined, after })),
    ]);
    for (const [index, { file }] of request.encoded.entries()) {
      await tx.put(fileFacts, { segment: newIds[index] ?? '' }, factsOfFile(file));
    }
    const covered = await withCoverKept(tx, book, old, request.encoded);
    const timeline = {
      book: covered,
      segments: made,
      method: 'pipeline' as const,
      replacements: replaced,
      at: stamp.at,
    };
    const timed = await switchTimeline(tx, timeline);
    await writeBook(tx, book, timed, stamp);
    const switched = describe(book, old, made, request.encoded, timed.generation);
    await tx.update(operations, { id: request.operationId }, (now) => ({ ...now, result: { ...switched } }));
    logSwitch(tx, request.operationId, switched, stamp.at);
    return switched;
  });
}

async function bookAsMade(tx: Transaction, { bookId, generation }: SwitchRequest): Promise<Book> {
  const book = await readBook(tx, bookId);
  if (book === undefined) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${bookId}.`);
  if (book.generation === generation) return book;
  throw audiobookErrors.MERGE_STALE("The book's files changed during the merge.");
}

function refuseOtherSegments(old: readonly Segment[], { encoded }: SwitchRequest): void {
  const covered = new Set(encoded.flatMap(({ offsets }) => offsets.map(({ segmentId }) => segmentId)));
  if (covered.size === old.length && old.every(({ id }) => covered.has(id))) return;
  throw audiobookErrors.MERGE_STALE('The book no longer consists of the files that were merged.');
}

function replacements(encoded: readonly EncodedFile[], made: readonly Segment[]): ReadonlyMap<string, Replacement> {
  const found = new Map<string, Replacement>();
  for (const [index, { offsets }] of encoded.entries()) {
    for (const { segmentId, startMs, durationMs } of offsets) {
      found.set(segmentId, { segmentId: made[index]?.id ?? '', startMs, durationMs });
    }
  }
  return found;
}

function supersede(
  before: Segment,
  replaced: ReadonlyMap<string, Replacement>,
  encoded: readonly EncodedFile[],
  at: string,
): Segment {
  const by = replaced.get(before.id);
  const kept = encoded.flatMap(({ originals }) => originals).find(({ segmentId }) => segmentId === before.id);
  const place =
    kept === undefined
      ? { missing_since: at }
      : {
          file_path: kept.path,
          device: kept.signature.device,
          inode: kept.signature.inode,
          mtime_ns: kept.signature.mtimeNs,
        };
  return {
    ...before,
    ...place,
    active: false,
    superseded_by: by?.segmentId ?? null,
    superseded_at_ms: by?.startMs ?? null,
    superseded_duration_ms: by?.durationMs ?? null,
    updated_at: at,
  };
}

/**
 * If the cover is embedded in an old file, uses the cover in the new file instead. If the new file has none, removes
 * the cover.
 */
async function withCoverKept(
  tx: Transaction,
  book: Book,
  old: readonly Segment[],
  encoded: readonly EncodedFile[],
): Promise<Book> {
  const asset = book.cover_asset_id === null ? undefined : await tx.get(assets, { id: book.cover_asset_id });
  if (asset?.kind !== 'embedded' || !old.some((segment) => segment.file_path === asset.path)) return book;
  const cover = encoded.map(({ file }) => file.cover).find((found) => found !== undefined);
  if (cover === undefined) return { ...book, cover_asset_id: null };
  await tx.put(assets, { id: asset.id }, { ...asset, ...cover });
  return book;
}

function describe(
  book: Book,
  old: readonly Segment[],
  made: readonly Segment[],
  encoded: readonly EncodedFile[],
  generation: number,
): Switched {
  const kept = new Map(encoded.flatMap(({ originals }) => originals).map(({ segmentId, path }) => [segmentId, path]));
  return {
    book_id: book.id,
    switched: true,
    generation,
    old_segments: old.map(({ id, file_path: path }) => ({ id, path, kept_at: kept.get(id) ?? path })),
    new_segments: made.map(({ id, file_path: path }) => ({ id, path })),
  };
}

function logSwitch(tx: Transaction, operationId: string, switched: Switched, at: string): void {
  for (const { id, path } of switched.new_segments) {
    appendLog(tx, operationId, { level: 'info', message: `New segment ${id}: ${path}`, at });
  }
  for (const { id, path } of switched.old_segments) {
    appendLog(tx, operationId, { level: 'info', message: `Replaced segment ${id}: ${path}`, at });
  }
}

interface SwitchBackRequest {
  readonly switched: Switched;
  /** The original files with their current paths. */
  readonly restored: readonly MovedFile[];
  readonly operationId: string;
}

/** Reverses `switchSegments` in one transaction and converts all positions back. */
export function switchBack(audiobooks: Audiobooks, request: SwitchBackRequest): Promise<void> {
  const { switched, restored } = request;
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await readBook(tx, switched.book_id);
    if (book === undefined) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${switched.book_id}.`);
    const active = await activeSegments(tx, book.id);
    refuseLaterChange(active, switched);
    const old: Segment[] = [];
    for (const { id } of switched.old_segments) {
      const segment = await tx.get(segments, { id });
      if (segment === undefined) throw audiobookErrors.UNDO_CONFLICT('The original files are no longer known.');
      old.push(segment);
    }
    const back = old.map((before) => reactivate(before, restored, stamp.at));
    await writeSegments(tx, [
      ...active.map((before) => ({ before, after: { ...before, active: false, missing_since: stamp.at } })),
      ...old.map((before, index) => ({ before, after: back[index] ?? before })),
    ]);
    const parts = old.map((segment) => ({
      segmentId: segment.superseded_by ?? '',
      startMs: segment.superseded_at_ms ?? 0,
      durationMs: segment.superseded_duration_ms ?? segment.duration_ms,
      oldSegmentId: segment.id,
      oldDurationMs: segment.duration_ms,
    }));
    const timed = await switchTimeline(tx, {
      book,
      segments: back,
      method: 'packets',
      at: stamp.at,
      carry: (place) =>
        positionBeforeMerge(
          place.positionMs,
          parts.filter(({ segmentId }) => segmentId === place.segmentId),
        ),
    });
    await writeBook(tx, book, timed, stamp);
    const message = `Restored the ${old.length} original segments`;
    appendLog(tx, request.operationId, { level: 'info', message, at: stamp.at });
  });
}

function refuseLaterChange(active: readonly Segment[], switched: Switched): void {
  const wanted = switched.new_segments.map(({ id }) => id);
  if (active.length === wanted.length && active.every(({ id }, index) => id === wanted[index])) return;
  throw audiobookErrors.UNDO_CONFLICT('The files of the book have changed since then.');
}

function reactivate(before: Segment, restored: readonly MovedFile[], at: string): Segment {
  const file = restored.find(({ segmentId }) => segmentId === before.id);
  return {
    ...before,
    ...(file === undefined
      ? {}
      : {
          file_path: file.to,
          device: file.signature.device,
          inode: file.signature.inode,
          size_bytes: file.signature.size,
          mtime_ns: file.signature.mtimeNs,
        }),
    active: true,
    superseded_by: null,
    superseded_at_ms: null,
    superseded_duration_ms: null,
    missing_since: null,
    updated_at: at,
  };
}
