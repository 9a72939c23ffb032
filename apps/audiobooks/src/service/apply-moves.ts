import { audiobookErrors } from '../model/errors.ts';
import type { MovedBook } from '../model/operation.ts';
import type { Segment } from '../model/segment.ts';
import { readBook, writeBook } from '../store/books.ts';
import { assets, movedBooks, segments } from '../store/definitions.ts';
import { writeSegments } from '../store/segments.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import type { MovedFile, PlannedMove } from '../model/engines.ts';

export interface MovesToApply {
  readonly bookId: string;
  /** Unchanged if omitted. */
  readonly folder: string | undefined;
  readonly moved: readonly MovedFile[];
  /** The operation that can undo this. */
  readonly operationId: string;
}

/** Stores the new paths of a book's files, and its folder and cover, in one transaction. */
export function applyMoves(audiobooks: Audiobooks, request: MovesToApply): Promise<void> {
  const { bookId, folder, moved, operationId } = request;
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await readBook(tx, bookId);
    if (book === undefined) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${bookId}.`);
    const changes: { before: Segment; after: Segment }[] = [];
    for (const { segmentId, to, signature } of moved) {
      const before = segmentId === undefined ? undefined : await tx.get(segments, { id: segmentId });
      if (before === undefined) continue;
      const { device, inode, size, mtimeNs } = signature;
      const place = { file_path: to, device, inode, size_bytes: size, mtime_ns: mtimeNs, updated_at: stamp.at };
      changes.push({ before, after: { ...before, ...place } });
    }
    await writeSegments(tx, changes);
    for (const asset of await tx.list(assets.by.book, { book_id: bookId })) {
      const move = moved.find(({ from }) => from === asset.path);
      if (move !== undefined) await tx.put(assets, { id: asset.id }, { ...asset, path: move.to });
    }
    const moves = moved.map(({ signature: _, ...move }) => move);
    const kept: MovedBook = { book_id: bookId, folder: book.folder, moves, version: 1 };
    await tx.put(movedBooks, { op: operationId, book: bookId }, kept);
    await writeBook(tx, book, { ...book, folder: folder ?? book.folder }, stamp);
  });
}

/** Returns whether the new paths are stored, that is, whether the crash came after the commit. */
export async function areMovesApplied({ store }: Audiobooks, moves: readonly PlannedMove[]): Promise<boolean> {
  for (const { segmentId, to } of moves) {
    if (segmentId === undefined) continue;
    const segment = await store.get(segments, { id: segmentId });
    if (segment?.file_path !== to) return false;
  }
  return moves.some(({ segmentId }) => segmentId !== undefined);
}
