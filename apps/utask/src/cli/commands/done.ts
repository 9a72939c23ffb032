import type { CommandContext } from '@holdfast/cli';
import { type ChangeInput, changeTasks, modified } from '../change-tasks.ts';

export function run(context: CommandContext<ChangeInput>): Promise<void> {
  return changeTasks(context, 'OK', (store, id) => modified(store, id, () => ({ done: true })));
}
