import { audiobookErrors } from '../model/errors.ts';
import { readOperation } from '../store/operations.ts';
import { areMovesApplied } from './apply-moves.ts';
import type { Audiobooks } from './audiobooks.ts';
import { libraryById } from './libraries.ts';
import { isSwitchedBack } from './merge/undo-merge.ts';
import { type Recoverer, type Recovered, recoverOperations, type Recoverers } from './operations/recover-operations.ts';
import type { OperationOutcome } from './operations/run-operation.ts';
import { organise } from './organise-books.ts';
import { noteUndone } from './undo-operation.ts';
import { undoOrganise } from './undo-organise.ts';

/** Finishes or undoes every operation whose process died. */
export function recoverInterrupted(audiobooks: Audiobooks, signal?: AbortSignal): Promise<readonly Recovered[]> {
  return recoverOperations(audiobooks, recoverersFor(audiobooks), signal);
}

function recoverersFor(audiobooks: Audiobooks): Recoverers {
  const settleMoves: Recoverer = async ({ params }, context) => {
    const library = await libraryById(audiobooks, String(params['library']));
    const isCommitted = areMovesApplied.bind(undefined, audiobooks);
    await audiobooks.engines.organise.recover({ root: library.root, context, isCommitted });
    return { result: {} };
  };

  /** Finishes or undoes the interrupted book, then continues with the others. */
  const organize: Recoverer = async (operation, context) => {
    await settleMoves(operation, context);
    const { library, template, books } = operation.params;
    const wish = { library: await libraryById(audiobooks, String(library)), template: String(template) };
    return organise(audiobooks, { ...wish, books: books as readonly string[] | undefined }, context);
  };

  const encode: Recoverer = async ({ id, params }, context) => {
    const library = await libraryById(audiobooks, String(params['library']));
    const outcome = await audiobooks.engines.merge.recover({
      root: library.root,
      context,
      isCommitted: async () => (await readOperation(audiobooks.store, id)).result?.['switched'] === true,
    });
    const { result } = await readOperation(audiobooks.store, id);
    return { ...finishedOrThrow(outcome, result ?? {}), undoable: true };
  };

  const tag: Recoverer = async ({ params }, context) => {
    const library = await libraryById(audiobooks, String(params['library']));
    return finishedOrThrow(await audiobooks.engines.tags.recover({ root: library.root, context }), {
      book: params['book'],
    });
  };

  const undo: Recoverer = async (operation, context) => {
    const done = await readOperation(audiobooks.store, String(operation.params['operation']));
    if (done.type === 'organize') {
      await settleMoves(operation, context);
      const outcome = await undoOrganise(audiobooks, done, context);
      await noteUndone(audiobooks, done.id, operation.id);
      return outcome;
    }
    const library = await libraryById(audiobooks, String(done.params['library']));
    const isCommitted = (): Promise<boolean> => isSwitchedBack(audiobooks, done);
    const outcome = finishedOrThrow(
      await audiobooks.engines.merge.recover({ root: library.root, context, isCommitted }),
      {},
    );
    await noteUndone(audiobooks, done.id, operation.id);
    return outcome;
  };

  return { organize, merge: encode, transcode: encode, tag, undo };
}

function finishedOrThrow(outcome: 'finished' | 'undone', result: Readonly<Record<string, unknown>>): OperationOutcome {
  if (outcome === 'finished') return { result: { ...result, recovered: true } };
  throw audiobookErrors.OPERATION_CANCELLED('The process ended before this was done; everything was put back.');
}
