import type { CommandContext } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';

import { tools } from '../mcp/tools.ts';
import { authorFor } from '../service/submit.ts';
import { authorIn } from './command.ts';
import { withCodex } from './with-codex.ts';

const INFO = {
  name: 'codex',
  version: '0.1.0',
  instructions:
    'Notebooks are folders of plain files that people also edit. Read before you write: to replace a file, pass ' +
    'the hash of the version that you read. Every change is committed to git automatically; history shows earlier versions.',
} as const;

interface Input {
  readonly options: { readonly notebook?: string | undefined };
}

/** Serves tools until standard input ends. Without --notebook, each call can name a notebook. */
export async function run({ env, options, stdin, out }: CommandContext<Input>): Promise<void> {
  const defaults = { notebook: options.notebook };
  const serve = withCodex(
    { env },
    async (codex) => {
      // Processes all queues: a tool server runs for long, and its lanes must not block other commands meanwhile.
      codex.lanes.start();
      const [notebook] = codex.notebooks();
      const user = { name: authorIn(env), face: 'cli', via: 'mcp' } as const;
      const author = notebook === undefined ? user.name : await authorFor(codex, notebook, user);
      await serveTools(stdin.lines(), out.raw, tools(codex, author), INFO);
    },
    defaults,
  );
  await serve;
}
