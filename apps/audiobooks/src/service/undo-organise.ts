import type { Operation } from '../model/operation.ts';
import { movedBooks } from '../store/definitions.ts';
import { areMovesApplied } from './apply-moves.ts';
import type { Catalogue } from './catalogue.ts';
import type { Engines } from './engines.ts';
import { libraryById } from './libraries.ts';
import type { OperationOutcome } from './operations/run-operation.ts';
import { moveBooks } from './organise-books.ts';
import type { OperationContext, PlannedMove } from './ports.ts';

/** Every book back to where it was. Can be run again after an interruption: what is back already is left alone. */
export async function undoOrganise(
  catalogue: Catalogue,
  engines: Pick<Engines, 'organise'>,
  done: Operation,
  context: OperationContext,
): Promise<OperationOutcome> {
  const library = await libraryById(catalogue, String(done.params['library']));
  const moves = new Map<string, readonly PlannedMove[]>();
  const folders = new Map<string, string>();
  for (const book of await catalogue.store.list(movedBooks, { op: done.id })) {
    const back = book.moves.map((move): PlannedMove => ({
      bookId: move.bookId,
      ...(move.segmentId === undefined ? {} : { segmentId: move.segmentId }),
      from: move.to,
      to: move.from,
    }));
    if (await areMovesApplied(catalogue, back)) continue;
    moves.set(book.book_id, back);
    if (book.folder !== null) folders.set(book.book_id, book.folder);
  }
  await moveBooks(catalogue, engines, library, moves, folders, context);
  return { result: { library: library.id, books: moves.size } };
}
