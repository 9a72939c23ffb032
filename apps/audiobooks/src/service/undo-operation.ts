import { audiobookErrors } from '../model/errors.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import { operations } from '../store/definitions.ts';
import { readOperation } from '../store/operations.ts';
import type { Audiobooks } from './audiobooks.ts';
import { undoChange } from './changes/undo-change.ts';
import { undoMerge } from './merge/encode-book.ts';
import { runOperation } from './operations/run-operation.ts';
import { undoOrganise } from './organise-books.ts';

export interface UndoRequest extends OperationOptions {
  readonly operation: string;
}

/** Undoes an operation: files, fields and positions. */
export async function undoOperation(audiobooks: Audiobooks, request: UndoRequest): Promise<Operation> {
  const done = await readOperation(audiobooks.store, request.operation);
  if (!done.undoable || done.undone_by !== null) {
    const again = done.undone_by === null ? '' : ' twice';
    throw audiobookErrors.NOT_UNDOABLE(`Operation ${done.id} (${done.type}) cannot be undone${again}.`);
  }
  if (done.type === 'edit' || done.type === 'import') return undoChange(audiobooks, done, request.by);
  const operation = {
    ...request,
    type: 'undo',
    target: done.target,
    params: { ...done.params, operation: done.id },
    createdBy: request.by,
    undoes: done.id,
  } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const outcome =
      done.type === 'organize'
        ? await undoOrganise(audiobooks, done, context)
        : await undoMerge(audiobooks, done, context);
    await noteUndone(audiobooks, done.id, context.operationId);
    return outcome;
  });
}

export async function noteUndone({ store }: Audiobooks, id: string, by: string): Promise<void> {
  await store.transact((tx) => tx.update(operations, { id }, (now) => ({ ...now, undone_by: by, undoable: false })));
}
