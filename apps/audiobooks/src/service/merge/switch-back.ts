import { audiobookErrors } from '../../model/errors.ts';
import type { Segment } from '../../model/segment.ts';
import { positionBeforeMerge } from '../../model/timeline.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { segments } from '../../store/definitions.ts';
import { appendLog } from '../../store/operations.ts';
import { activeSegments, writeSegments } from '../../store/segments.ts';
import { switchTimeline } from '../../store/timelines.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import type { MovedFile } from '../../model/engines.ts';
import type { Switched } from './switch-segments.ts';

export interface SwitchBackRequest {
  readonly switched: Switched;
  /** The originals at their current paths. */
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
      if (segment === undefined) throw audiobookErrors.UNDO_CONFLICT('The original files are not known any more.');
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
    const message = `The ${old.length} original segments are played again`;
    appendLog(tx, request.operationId, { level: 'info', message, at: stamp.at });
  });
}

function refuseLaterChange(active: readonly Segment[], switched: Switched): void {
  const wanted = switched.new_segments.map(({ id }) => id);
  if (active.length === wanted.length && active.every(({ id }, index) => id === wanted[index])) return;
  throw audiobookErrors.UNDO_CONFLICT('The files of this book changed again since.');
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
