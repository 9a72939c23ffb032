import { failpoint } from '@holdfast/base';
import type { Library } from '../model/library.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import { movedBooks } from '../store/definitions.ts';
import { applyMoves } from './apply-moves.ts';
import type { Audiobooks } from './audiobooks.ts';
import { factsOf } from './library-facts.ts';
import { type OperationOutcome, runOperation } from './operations/run-operation.ts';
import type { OperationContext, PlannedMove, RenamePlan } from '../model/engines.ts';

export interface OrganiseWish {
  readonly library: Library;
  readonly template: string;
  /** Only these books; all books of the library if omitted. */
  readonly books?: readonly string[] | undefined;
}

export interface OrganiseRequest extends OrganiseWish, OperationOptions {}

/** Computes moves and conflicts without changing anything. */
export function planRename(audiobooks: Audiobooks, wish: OrganiseWish): Promise<RenamePlan> {
  const { library, template, books } = wish;
  return audiobooks.engines.organise.plan({ root: library.root, template, books: factsOf(audiobooks, library, books) });
}

/** Moves files to the paths of the template, book by book. A book stays if its path is taken. */
export function organiseBooks(audiobooks: Audiobooks, request: OrganiseRequest): Promise<Operation> {
  const { library, template, books, by } = request;
  const params = { library: library.id, template, ...(books === undefined ? {} : { books }) };
  const operation = { ...request, type: 'organize', target: `library:${library.id}`, params, createdBy: by } as const;
  return runOperation(audiobooks, operation, (context) => organise(audiobooks, request, context));
}

/** Can be repeated after an interruption. */
export async function organise(
  audiobooks: Audiobooks,
  wish: OrganiseWish,
  context: OperationContext,
): Promise<OperationOutcome> {
  const plan = await planRename(audiobooks, wish);
  for (const { bookId, title, path, reason } of plan.refusals)
    context.log('warn', `${title} (${bookId}) stays: ${path}: ${reason}`);
  const refused = new Set(plan.refusals.map(({ bookId }) => bookId));
  const folders = new Map(plan.folders.map(({ bookId, folder }) => [bookId, folder]));
  const moves = groupedByBook(plan.moves.filter(({ bookId }) => !refused.has(bookId)));
  await moveBooks(audiobooks, wish.library, moves, folders, context);
  const moved = await audiobooks.store.list(movedBooks, { op: context.operationId });
  const files = moved.reduce((sum, book) => sum + book.moves.length, 0);
  return {
    result: { library: wish.library.id, books: moved.length, files, refused: refused.size },
    undoable: moved.length > 0,
  };
}

/** Also used for undo, which is a list of moves. */
export async function moveBooks(
  audiobooks: Audiobooks,
  library: Library,
  moves: ReadonlyMap<string, readonly PlannedMove[]>,
  folders: ReadonlyMap<string, string>,
  context: OperationContext,
): Promise<void> {
  let current = 0;
  for (const [bookId, own] of moves) {
    context.signal.throwIfAborted();
    await audiobooks.engines.organise.move({
      root: library.root,
      moves: own,
      context,
      committed: async (moved) => {
        failpoint('audiobooks.organise.committing');
        const { operationId } = context;
        await applyMoves(audiobooks, { bookId, folder: folders.get(bookId), moved, operationId });
        failpoint('audiobooks.organise.committed');
      },
    });
    current += 1;
    context.progress(current, moves.size, 'books');
  }
}

function groupedByBook(moves: readonly PlannedMove[]): ReadonlyMap<string, readonly PlannedMove[]> {
  const grouped = new Map<string, PlannedMove[]>();
  for (const move of moves) {
    const own = grouped.get(move.bookId);
    if (own === undefined) grouped.set(move.bookId, [move]);
    else own.push(move);
  }
  return grouped;
}
