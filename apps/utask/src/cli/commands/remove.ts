import type { CommandContext } from '@holdfast/cli';
import { type ChangeInput, changeTasks } from '../change-tasks.ts';

export function run(context: CommandContext<ChangeInput>): Promise<void> {
  return changeTasks(context, 'Deleted', (store, id) => store.delete(id));
}
