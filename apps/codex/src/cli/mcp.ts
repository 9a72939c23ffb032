import type { CommandContext } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';

import { server, tools } from '../mcp/tools.ts';
import { authorFor } from '../service/submit.ts';
import { authorIn } from './command.ts';
import { withCodex } from './with-codex.ts';

interface Input {
  readonly options: { readonly notebook?: string | undefined };
}

/** Serves tools until standard input ends. Without --notebook, each call can name a notebook. */
export async function run({ env, options }: CommandContext<Input>): Promise<void> {
  const defaults = { notebook: options.notebook };
  const serve = withCodex(
    { env },
    async (codex) => {
      // Processes the queues of all notebooks. This process runs for a long time and holds their lanes, so other
      // commands cannot process them.
      codex.lanes.start();
      const [notebook] = codex.notebooks();
      const user = { name: authorIn(env), face: 'cli', via: 'mcp' } as const;
      const name = notebook === undefined ? user.name : await authorFor(codex, notebook, user);
      await serveTools(tools(codex, { name }), server);
    },
    defaults,
  );
  await serve;
}
