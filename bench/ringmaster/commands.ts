import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { rank } from '../../apps/ringmaster/src/service/rank.ts';
import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { prepare, randomLinks } from './setup.ts';

/** Workload: the built `ringmaster ready --json` on 5,000 tasks with 10,000 dependencies. Baseline: `node -e 0`. */
export async function benchmark({ folder, quick }: Context): Promise<readonly Figure[]> {
  const tasks = quick ? 200 : 5_000;
  const root = join(folder, 'commands');
  const rm = await prepare(root, tasks, randomLinks(tasks, tasks * 2), 1);
  await rank(rm);
  await rm.store.close();
  const command = resolve(process.cwd(), 'dist/bin/ringmaster');
  const compared = await compare({
    operations: 1,
    rounds: quick ? 2 : 20,
    warmUpRounds: 2,
    ours: () => started(command, ['ready', '--json'], root),
    baseline: () => started(process.execPath, ['-e', '0'], root),
  });
  return [ratioFigure('ringmaster.ready', compared, 'node -e 0', 2)];
}

function started(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
}
