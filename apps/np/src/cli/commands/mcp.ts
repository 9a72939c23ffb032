import type { CommandContext } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { databasePath } from '../../adapters/place.ts';
import { tools } from '../../mcp/tools.ts';
import { openNp } from '../../service/np.ts';
import { pinSession } from '../../service/resolve.ts';
import { type NpContext, whereOf } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'];
}

const INFO = {
  name: 'np',
  version: '0.1.0',
  instructions:
    'The plan of this directory, which a person watches live. Show it first; start a session if there is none; keep ' +
    'one task in progress; record at once what is done, failed (with a reason) or newly discovered.',
} as const;

/** Until standard input ends. */
export async function run({ options, env, stdin, out }: CommandContext<Input>): Promise<void> {
  const np = await openNp({ path: databasePath(env) });
  try {
    const where = options.session === undefined ? whereOf(options) : await pinSession(np, whereOf(options));
    const place = { where, directory: canonicalDirectory(options.dir) };
    await serveToolsInOrder(stdin.lines(), out.raw, tools(np, place), INFO);
  } finally {
    await np.close();
  }
}
