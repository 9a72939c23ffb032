import { DAY } from '@holdfast/base';
import { removeFolder } from '../../adapters/remove-folder.ts';
import { originalsFolder } from '../../model/library-folders.ts';
import { libraries, operations } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

const KEPT_DAYS = 30;
const BATCH = 20;

/**
 * Deletes the originals of merged and transcoded files after the undo period. Clears `undoable` first: a crash in
 * between leaves files, never an undo that cannot work.
 */
export async function forgetOriginals({ store, now }: Audiobooks): Promise<number> {
  const before = now() - KEPT_DAYS * DAY;
  let forgotten = 0;
  for (const type of ['merge', 'transcode'] as const) {
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
