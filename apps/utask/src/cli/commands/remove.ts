import { isHoldfastError } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { changeOf } from '../../service/history.ts';
import { type ChangeInput, changeTasks } from '../change-tasks.ts';

export function run(context: CommandContext<ChangeInput>): Promise<void> {
  return changeTasks(context, 'Deleted', async (store, id) => {
    const change = changeOf(id, undefined);
    try {
      return { shown: await store.delete(id), change };
    } catch (error) {
      if (!isHoldfastError(error, 'BAD_RECORD')) throw error;
      return { shown: { id: await store.discard(id) }, change };
    }
  });
}
