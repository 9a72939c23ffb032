import type { Transaction } from '@holdfast/keyspace';
import type { Operation } from '../../model/operation.ts';
import { operations } from '../../store/definitions.ts';
import { makeOperation, type NewOperation } from '../../store/operations.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import type { Editor } from '../set-fields.ts';

export interface Change {
  readonly tx: Transaction;
  readonly editor: Editor;
}

export interface Changed<T> {
  readonly value: T;
  readonly operation: Operation;
}

/**
 * Records a short change as a finished operation in the same transaction, so that it can be listed and undone. `body`
 * returns the caller's result and the data for undo.
 */
export function changeAtOnce<T>(
  audiobooks: Audiobooks,
  request: Omit<NewOperation, 'target'>,
  body: (change: Change) => Promise<{ readonly value: T; readonly result: Readonly<Record<string, unknown>> }>,
): Promise<Changed<T>> {
  const id = audiobooks.newId();
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const editor = { ...stamp, by: request.createdBy, operationId: id };
    const { value, result } = await body({ tx, editor });
    const operation: Operation = {
      ...makeOperation({ ...request, target: `change:${id}` }, id, stamp.at),
      status: 'completed',
      result: { ...result },
      undoable: true,
      started_at: stamp.at,
      completed_at: stamp.at,
    };
    await tx.put(operations, { id }, operation);
    return { value, operation };
  });
}
