import { DAY } from '@holdfast/base';
import { removeFolder } from '../../adapters/library-files.ts';
import { originalsFolder } from '../../model/path-names.ts';
import { isFinished } from '../../model/operation.ts';
import { libraries, operations } from '../../store/definitions.ts';
import { removeOperation } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';

interface OperationRetention {
  readonly days: number;
  /** Maximum number of operations to examine per run. */
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
      // The originals of a merge must be deleted before its operation, because only the operation stores their path.
      !(operation.undoable && operation.result?.['switched'] === true) &&
      Date.parse(operation.completed_at ?? operation.created_at) < before,
  );
  for (const { id } of old) await audiobooks.store.transact((tx) => removeOperation(tx, id));
  return old.length;
}

const KEPT_DAYS = 30;
const BATCH = 20;

/**
 * Deletes the originals of merged, transcoded and tagged files after the undo period. Clears `undoable` first: a crash
 * in between leaves unused files, but never offers an undo that cannot work.
 */
export async function forgetOriginals({ store, now }: Audiobooks): Promise<number> {
  const before = now() - KEPT_DAYS * DAY;
  let forgotten = 0;
  for (const type of ['merge', 'transcode', 'tag'] as const) {
    for (const operation of await store.list(operations.by.type, { type }, { limit: BATCH })) {
      const { id, completed_at: completed, undoable, params } = operation;
      if (!undoable || completed === null || Date.parse(completed) >= before) continue;
      const library = await store.get(libraries, { id: String(params['library']) });
      await store.transact((tx) => tx.update(operations, { id }, (current) => ({ ...current, undoable: false })));
      if (library !== undefined) await removeFolder(library.root, originalsFolder(id));
      forgotten += 1;
    }
  }
  return forgotten;
}
