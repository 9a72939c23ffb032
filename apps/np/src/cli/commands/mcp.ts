import type { CommandContext } from '@holdfast/cli';
import { answerLine } from '@holdfast/cli/mcp';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { databasePath } from '../../adapters/place.ts';
import { tools } from '../../mcp/tools.ts';
import { openNp } from '../../service/np.ts';

interface Input {
  readonly options: { readonly dir: string | undefined };
}

const INFO = {
  name: 'np',
  version: '0.1.0',
  instructions:
    'The plan of this directory, which a person watches live. Show it first; start a session if there is none; keep ' +
    'one task in progress; record at once what is done, failed (with a reason) or newly discovered.',
} as const;

/** Until standard input ends. Requests are answered in the order in which they came. */
export async function run({ options, env, stdin, out }: CommandContext<Input>): Promise<void> {
  const np = await openNp({ path: databasePath(env) });
  try {
    const all = tools(np, canonicalDirectory(options.dir));
    for await (const line of stdin.lines()) {
      if (line.trim() === '') continue;
      const answer = await answerLine(line, all, INFO);
      if (answer !== undefined) out.raw(`${answer}\n`);
    }
  } finally {
    await np.store.close();
  }
}
