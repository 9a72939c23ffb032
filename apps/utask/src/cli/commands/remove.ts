import { isHoldfastError } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { type ChangeInput, changeTasks } from '../change-tasks.ts';

export function run(context: CommandContext<ChangeInput>): Promise<void> {
  return changeTasks(context, 'Deleted', async (store, id) => {
    try {
      return await store.delete(id);
    } catch (error) {
      if (!isHoldfastError(error, 'BAD_RECORD')) throw error;
      return { id: await store.discard(id) };
    }
  });
}
