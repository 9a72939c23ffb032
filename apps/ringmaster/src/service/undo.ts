import { ringmasterErrors } from '../model/errors.ts';
import { recordEvent } from '../store/events.ts';
import { lastUndoable, undoRows, type UndoTarget } from '../store/undo.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

/** Undoes the last change by a person as one more commit; a second call undoes the one before. */
export async function undo(rm: Ringmaster): Promise<UndoTarget> {
  const call = callOf(rm);
  const target = lastUndoable(rm.store);
  if (target === undefined) throw ringmasterErrors.NOTHING_TO_UNDO('There is nothing to undo');
  await rm.store.write(`undo of ${target.revision}: ${target.note}`, (tx) => {
    undoRows(tx, target);
    const data = { revision: target.revision, note: target.note };
    recordEvent(tx, call, { type: 'undo_performed', entity: 'store', id: String(target.revision), data });
  });
  return target;
}
