import type { CommandContext } from '@holdfast/cli';
import { type ChangeInput, changeTasks, modified } from '../change-tasks.ts';

export function run(context: CommandContext<ChangeInput>): Promise<void> {
  return changeTasks(context, 'OK', (utask, id) => modified(utask, id, () => ({ done: true })));
}
