import type { CommandContext } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';

import { tools } from '../../mcp/tools.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

const INFO = {
  name: 'ringmaster',
  version: '0.1.0',
  instructions:
    'The queue of work of this project. Claim a task, work on it alone, send heartbeats with its token while you do, and ' +
    'report how it ended. Add what you find on the way; ask what a person has to decide.',
} as const;

/** Until standard input ends. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, (rm) => serveToolsInOrder(context.stdin.lines(), context.out.raw, tools(rm), INFO));
}
