import type { CommandContext } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';

import { tools } from '../../mcp/tools.ts';
import { authorOf, chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'];
}

const INFO = {
  name: 'codex',
  version: '0.1.0',
  instructions:
    'Notebooks of plain files that people write in too. Read before you write: a file is replaced only in the version ' +
    'that you name by its hash. Every change goes to git by itself; history shows and reads what was.',
} as const;

/** Until standard input ends. Without --notebook each call may name one. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    // It lives for long: what other commands ask for must not wait until it gives its lanes back.
    codex.lanes.start();
    const preferred = context.options.notebook === undefined ? undefined : chosenNotebook(codex, context);
    const author = await authorOf(codex, preferred ?? codex.notebooks()[0], context.env);
    const all = tools({ codex, author, preferred });
    await serveTools(context.stdin.lines(), context.out.raw, all, INFO);
  });
}
