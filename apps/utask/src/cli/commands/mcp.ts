import type { CommandContext } from '@holdfast/cli';
import { answerLine } from '../../mcp/server.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly options: StoreContext['options'];
}

/** One JSON-RPC message per line on standard input, answers likewise on standard output, until the input ends. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withStore(context, async (store) => {
    for await (const line of context.stdin.lines()) {
      const answer = await answerLine(store, line);
      if (answer !== undefined) context.out.raw(`${JSON.stringify(answer)}\n`);
    }
  });
}
