import { audiobookErrors } from '../../model/errors.ts';
import { isFinished, type Operation } from '../../model/operation.ts';
import { changeOperation } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';

/** Requests cancellation; the running process notices within a second. */
export async function cancelOperation({ store }: Audiobooks, id: string): Promise<Operation> {
  const changed = await changeOperation(store, id, (operation) => {
    if (isFinished(operation)) throw audiobookErrors.OPERATION_FINISHED(`Operation ${id} is ${operation.status}.`);
    return { ...operation, cancel_requested: true };
  });
  if (changed === undefined) throw audiobookErrors.OPERATION_NOT_FOUND(`There is no operation ${id}.`);
  return changed;
}
