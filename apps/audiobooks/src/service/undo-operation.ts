import { audiobookErrors } from '../model/errors.ts';
import type { Operation } from '../model/operation.ts';
import { operations } from '../store/definitions.ts';
import { readOperation } from '../store/operations.ts';
import type { Catalogue } from './catalogue.ts';
import { undoChange } from './changes/undo-change.ts';
import type { Asking, Engines } from './engines.ts';
import { undoMerge } from './merge/undo-merge.ts';
import { runOperation } from './operations/run-operation.ts';
import { undoOrganise } from './undo-organise.ts';

export interface UndoRequest extends Asking {
  readonly operation: string;
}

/** Takes back what an operation did: files to their places, fields to their values, everyone to their place. */
export async function undoOperation(
  catalogue: Catalogue,
  engines: Pick<Engines, 'organise' | 'merge'>,
  request: UndoRequest,
): Promise<Operation> {
  const done = await readOperation(catalogue.store, request.operation);
  if (!done.undoable || done.undone_by !== null) {
    const again = done.undone_by === null ? '' : ' twice';
    throw audiobookErrors.NOT_UNDOABLE(`Operation ${done.id} (${done.type}) cannot be undone${again}.`);
  }
  if (done.type === 'edit' || done.type === 'import') return undoChange(catalogue, done, request.by);
  const operation = {
    ...request,
    type: 'undo',
    target: done.target,
    params: { ...done.params, operation: done.id },
    createdBy: request.by,
    undoes: done.id,
  } as const;
  return runOperation(catalogue, operation, async (context) => {
    const outcome =
      done.type === 'organize'
        ? await undoOrganise(catalogue, engines, done, context)
        : await undoMerge(catalogue, engines, done, context);
    await noteUndone(catalogue, done.id, context.operationId);
    return outcome;
  });
}

export async function noteUndone({ store }: Catalogue, id: string, by: string): Promise<void> {
  await store.transact((transaction) =>
    transaction.update(operations, { id }, (now) => ({ ...now, undone_by: by, undoable: false })),
  );
}
