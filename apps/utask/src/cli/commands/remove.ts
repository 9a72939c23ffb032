import { isHoldfastError } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { changeOf } from '../../service/history.ts';
import { type ChangeInput, changeTasks } from '../change-tasks.ts';

export function run(context: CommandContext<ChangeInput>): Promise<void> {
  return changeTasks(context, 'Deleted', async (utask, id) => {
    const change = changeOf(id, undefined);
    try {
      return { shown: await utask.delete(id), change };
    } catch (error) {
      if (!isHoldfastError(error, 'BAD_RECORD')) throw error;
      return { shown: { id: await utask.discard(id) }, change };
    }
  });
}
