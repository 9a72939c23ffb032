import { audiobookErrors } from '../model/errors.ts';
import { readOperation } from '../store/operations.ts';
import { areMovesApplied } from './apply-moves.ts';
import type { Catalogue } from './catalogue.ts';
import type { Engines } from './engines.ts';
import { libraryById } from './libraries.ts';
import { isSwitchedBack } from './merge/undo-merge.ts';
import type { Recoverer, Recoverers } from './operations/recover-operations.ts';
import type { OperationOutcome } from './operations/run-operation.ts';
import { organise } from './organise-books.ts';
import { noteUndone } from './undo-operation.ts';
import { undoOrganise } from './undo-organise.ts';

/** How each kind of operation is finished or undone when its process died. */
export function recoverersFor(catalogue: Catalogue, engines: Engines): Recoverers {
  const settleMoves: Recoverer = async ({ params }, context) => {
    const library = await libraryById(catalogue, String(params['library']));
    const isCommitted = areMovesApplied.bind(undefined, catalogue);
    await engines.organise.recover({ root: library.root, context, isCommitted });
    return { result: {} };
  };

  /** The book at which it stopped is settled first; then it goes on with the others. */
  const organize: Recoverer = async (operation, context) => {
    await settleMoves(operation, context);
    const { library, template, books } = operation.params;
    const wish = { library: await libraryById(catalogue, String(library)), template: String(template) };
    return organise(catalogue, engines, { ...wish, books: books as readonly string[] | undefined }, context);
  };

  const encode: Recoverer = async ({ id, params }, context) => {
    const library = await libraryById(catalogue, String(params['library']));
    const outcome = await engines.merge.recover({
      root: library.root,
      context,
      isCommitted: async () => (await readOperation(catalogue.store, id)).result?.['switched'] === true,
    });
    const { result } = await readOperation(catalogue.store, id);
    return { ...finishedOrThrow(outcome, result ?? {}), undoable: true };
  };

  const tag: Recoverer = async ({ params }, context) => {
    const library = await libraryById(catalogue, String(params['library']));
    return finishedOrThrow(await engines.tags.recover({ root: library.root, context }), { book: params['book'] });
  };

  const undo: Recoverer = async (operation, context) => {
    const done = await readOperation(catalogue.store, String(operation.params['operation']));
    if (done.type === 'organize') {
      await settleMoves(operation, context);
      const outcome = await undoOrganise(catalogue, engines, done, context);
      await noteUndone(catalogue, done.id, operation.id);
      return outcome;
    }
    const library = await libraryById(catalogue, String(done.params['library']));
    const isCommitted = (): Promise<boolean> => isSwitchedBack(catalogue, done);
    const outcome = finishedOrThrow(await engines.merge.recover({ root: library.root, context, isCommitted }), {});
    await noteUndone(catalogue, done.id, operation.id);
    return outcome;
  };

  return { organize, merge: encode, transcode: encode, tag, undo };
}

function finishedOrThrow(outcome: 'finished' | 'undone', result: Readonly<Record<string, unknown>>): OperationOutcome {
  if (outcome === 'finished') return { result: { ...result, recovered: true } };
  throw audiobookErrors.OPERATION_CANCELLED('The process ended before this was done; everything was put back.');
}
