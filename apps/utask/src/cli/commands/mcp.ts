import type { CommandContext } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';
import { tools } from '../../mcp/tools.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'];
}

const INFO = {
  name: 'utask',
  version: '0.1.0',
  instructions: 'A small list of tasks that people and other machines share. List before you add; mark done what is.',
} as const;

/** Until standard input ends. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, (utask) => serveToolsInOrder(context.stdin.lines(), context.out.raw, tools(utask), INFO));
}
