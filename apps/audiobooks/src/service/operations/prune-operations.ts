import { DAY } from '@holdfast/base';
import { isFinished } from '../../model/operation.ts';
import { operations } from '../../store/definitions.ts';
import { removeOperation } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';

export interface OperationRetention {
  readonly days: number;
  /** Operations examined per run. */
  readonly batch: number;
}

const DEFAULTS: OperationRetention = { days: 30, batch: 20 };

/** Removes old finished operations with their logs and steps. */
export async function pruneOperations(
  audiobooks: Audiobooks,
  { days, batch }: OperationRetention = DEFAULTS,
): Promise<number> {
  const before = audiobooks.now() - days * DAY;
  const oldest = await audiobooks.store.list(operations, {}, { limit: batch });
  const old = oldest.filter(
    (operation) =>
      isFinished(operation) &&
      // Its originals must be deleted first: only the operation knows their path.
      !(operation.undoable && operation.result?.['switched'] === true) &&
      Date.parse(operation.completed_at ?? operation.created_at) < before,
  );
  for (const { id } of old) await audiobooks.store.transact((tx) => removeOperation(tx, id));
  return old.length;
}
