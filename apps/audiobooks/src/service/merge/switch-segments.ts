import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Segment } from '../../model/segment.ts';
import type { Replacement } from '../../model/timeline.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { assets, fileFacts, operations } from '../../store/definitions.ts';
import { appendLog } from '../../store/operations.ts';
import { activeSegments, writeSegments } from '../../store/segments.ts';
import { switchTimeline } from '../../store/timelines.ts';
import { factsOfFile, segmentOfFile } from '../apply-scan/segment-of-file.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import type { EncodedFile } from '../../model/engines.ts';

export interface SwitchRequest {
  readonly bookId: string;
  /** The timeline that the new files were made from. */
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
 * Performs the design document's procedure in one transaction: adds the new segments and offsets, converts all
 * progress, marks old segments as replaced, and updates playing order, duration map, log and operation. A crash is
 * therefore before or after all of it.
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
  throw audiobookErrors.MERGE_STALE('The files of this book changed while the new ones were made.');
}

function refuseOtherSegments(old: readonly Segment[], { encoded }: SwitchRequest): void {
  const covered = new Set(encoded.flatMap(({ offsets }) => offsets.map(({ segmentId }) => segmentId)));
  if (covered.size === old.length && old.every(({ id }) => covered.has(id))) return;
  throw audiobookErrors.MERGE_STALE('The new files were not made from exactly the files that this book has now.');
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

/** Points a cover inside an old file to the new file, if it was copied. */
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
