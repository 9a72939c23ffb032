import { failpoint } from '@holdfast/base';
import type { MovedFile, OperationContext, PlannedMove, RenamePlan } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/records.ts';
import type { MovedBook, Operation, OperationOptions } from '../model/operation.ts';
import type { Book, Segment } from '../model/book.ts';
import { readBook, writeBook } from '../store/books.ts';
import { assets, movedBooks, segments } from '../store/definitions.ts';
import { writeSegments } from '../store/timelines.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { libraryById } from './libraries.ts';
import { factsOf } from './book-facts.ts';
import { type OperationOutcome, runOperation } from './operations/run-operation.ts';

interface OrganiseWish {
  readonly library: Library;
  readonly template: string;
  /** The books to organise; if omitted, all books of the library. */
  readonly books?: readonly string[] | undefined;
}

interface OrganiseRequest extends OrganiseWish, OperationOptions {}

/** Returns which files would move and which books conflict; changes nothing. */
export function planRename(audiobooks: Audiobooks, wish: OrganiseWish): Promise<RenamePlan> {
  const { library, template, books } = wish;
  return audiobooks.engines.organise.plan({ root: library.root, template, books: factsOf(audiobooks, library, books) });
}

/** Moves files to the paths that the template gives them, book by book. Skips a book if its path is taken. */
export function organiseBooks(audiobooks: Audiobooks, request: OrganiseRequest): Promise<Operation> {
  const { library, template, books, by } = request;
  const params = { library: library.id, template, ...(books === undefined ? {} : { books }) };
  const operation = { ...request, type: 'organize', target: `library:${library.id}`, params, createdBy: by } as const;
  return runOperation(audiobooks, operation, (context) => organise(audiobooks, request, context));
}

/** Moves the books of an operation. Can run again after an interruption. */
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

/** Moves books according to a plan. Undo calls this function with the reverse moves. */
async function moveBooks(
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

interface MovesToApply {
  readonly bookId: string;
  /** The book's new folder; undefined if the folder does not change. */
  readonly folder: string | undefined;
  readonly moved: readonly MovedFile[];
  /** The operation under which the undo data is stored. */
  readonly operationId: string;
}

/** Stores the new paths of a book's files, and its folder and cover, in one transaction. */
function applyMoves(audiobooks: Audiobooks, request: MovesToApply): Promise<void> {
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
    const provenance = keptNames(book.provenance);
    await writeBook(tx, book, { ...book, provenance, folder: folder ?? book.folder }, stamp);
  });
}

/**
 * Changes the recorded source of values that come from folder and file names, so that a scan of the new names does not
 * clear these values.
 */
function keptNames(provenance: Book['provenance']): Book['provenance'] {
  const entries = Object.entries(provenance).map(([field, source]) => [
    field,
    source === 'folder' || source === 'file' ? 'organise' : source,
  ]);
  return Object.fromEntries(entries) as Book['provenance'];
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
