import type { Transaction } from '@holdfast/keyspace';
import type { Operation } from '../../model/operation.ts';
import { operations } from '../../store/definitions.ts';
import { makeOperation, type NewOperation } from '../../store/operations.ts';
import { type Catalogue, makerOf } from '../catalogue.ts';
import type { Writer } from '../set-fields.ts';

export interface Change {
  readonly transaction: Transaction;
  readonly writer: Writer;
}

export interface Changed<T> {
  readonly value: T;
  readonly operation: Operation;
}

/**
 * A change that is over in a moment is an operation too, so that it can be found and undone: it is recorded as finished
 * in the same transaction. `body` returns what the caller wants and what an undo has to know.
 */
export function changeAtOnce<T>(
  catalogue: Catalogue,
  request: Omit<NewOperation, 'target'>,
  body: (change: Change) => Promise<{ readonly value: T; readonly result: Readonly<Record<string, unknown>> }>,
): Promise<Changed<T>> {
  const id = catalogue.newId();
  const maker = makerOf(catalogue);
  return catalogue.store.transact(async (transaction) => {
    const writer = { ...maker, by: request.createdBy, operationId: id };
    const { value, result } = await body({ transaction, writer });
    const operation: Operation = {
      ...makeOperation({ ...request, target: `change:${id}` }, id, maker.at),
      status: 'completed',
      result: { ...result },
      undoable: true,
      started_at: maker.at,
      completed_at: maker.at,
    };
    await transaction.put(operations, { id }, operation);
    return { value, operation };
  });
}
