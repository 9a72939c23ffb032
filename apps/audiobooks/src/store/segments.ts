import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Segment } from '../model/segment.ts';
import { fileFacts, segments } from './definitions.ts';

/** Returns the active segments in playing order. */
export function activeSegments(reads: Reads, bookId: string): Promise<readonly Segment[]> {
  return reads.list(segments.by.order, { book_id: bookId });
}

/** Includes replaced segments. */
export function allSegments(reads: Reads, bookId: string): Promise<readonly Segment[]> {
  return reads.list(segments.by.book, { book_id: bookId });
}

/**
 * Writes segments that may swap order and paths. Clears all of them first, so that a swap never collides in a unique
 * index.
 */
export async function writeSegments(
  tx: Transaction,
  changes: readonly { readonly before: Segment | undefined; readonly after: Segment }[],
): Promise<void> {
  for (const { before } of changes) {
    if (before === undefined || (!before.active && before.missing_since !== null)) continue;
    const lifted = { ...before, active: false, missing_since: before.missing_since ?? before.updated_at };
    await tx.put(segments, { id: before.id }, lifted);
  }
  for (const { after } of changes) await tx.put(segments, { id: after.id }, after);
}

export async function removeSegment(tx: Transaction, segment: Segment): Promise<void> {
  await tx.delete(segments, { id: segment.id });
  await tx.delete(fileFacts, { segment: segment.id });
}

export function segmentAtPath(reads: Reads, libraryId: string, path: string): Promise<Segment | undefined> {
  return reads.find(segments.by.path, { library_id: libraryId, file_path: path });
}
