import type { CommandContext } from '@holdfast/cli';

import { setUserStatus, type StatusInput } from './set-user-status.ts';

export function run(context: CommandContext<StatusInput>): Promise<void> {
  return setUserStatus(context, 'disabled');
}
