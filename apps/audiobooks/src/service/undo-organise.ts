import type { Operation } from '../model/operation.ts';
import { movedBooks } from '../store/definitions.ts';
import { areMovesApplied } from './apply-moves.ts';
import type { Audiobooks } from './audiobooks.ts';
import { libraryById } from './libraries.ts';
import type { OperationOutcome } from './operations/run-operation.ts';
import { moveBooks } from './organise-books.ts';
import type { OperationContext, PlannedMove } from '../model/engines.ts';

/** Moves every book back. Can be repeated after an interruption. */
export async function undoOrganise(
  audiobooks: Audiobooks,
  done: Operation,
  context: OperationContext,
): Promise<OperationOutcome> {
  const library = await libraryById(audiobooks, String(done.params['library']));
  const moves = new Map<string, readonly PlannedMove[]>();
  const folders = new Map<string, string>();
  for (const book of await audiobooks.store.list(movedBooks, { op: done.id })) {
    const back = book.moves.map((move): PlannedMove => ({
      bookId: move.bookId,
      ...(move.segmentId === undefined ? {} : { segmentId: move.segmentId }),
      from: move.to,
      to: move.from,
    }));
    if (await areMovesApplied(audiobooks, back)) continue;
    moves.set(book.book_id, back);
    if (book.folder !== null) folders.set(book.book_id, book.folder);
  }
  await moveBooks(audiobooks, library, moves, folders, context);
  return { result: { library: library.id, books: moves.size } };
}
