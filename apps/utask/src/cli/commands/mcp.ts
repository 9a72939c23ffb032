import type { CommandContext } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';
import { tools } from '../../mcp/tools.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'];
}

const INFO = {
  name: 'utask',
  version: '0.1.0',
  instructions: 'A small list of tasks that people and other machines share. List before you add; mark done what is.',
} as const;

/** Until standard input ends. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, (store) => serveToolsInOrder(context.stdin.lines(), context.out.raw, tools(store), INFO));
}
