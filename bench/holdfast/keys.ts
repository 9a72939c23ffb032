import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { makeFilled } from '../keyspace/workload.ts';
import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';

/** A third of the keys are task records. */
const RECORDS = 33_000;

/**
 * Workload: the built `holdfast keys DATABASE` on about 100,000 keys, printing the first 1,000. Baseline: `node -e 0`.
 * Timed: the whole process with its output in a pipe and the database in the system's cache.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const path = join(context.folder, 'keys.db');
  await makeFilled(path, context.quick ? 1_000 : RECORDS);
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 3 : 41,
    warmUpRounds: 3,
    ours: () => runNode('dist/bin/holdfast', 'keys', path),
    baseline: () => runNode('-e', '0'),
  });
  return [ratioFigure('holdfast.keys', compared, 'node -e 0', 1.4)];
}

function runNode(...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const printed = stdout.split('\n').length - 1;
  if (status !== 0 || (words.includes('keys') && printed !== 1_000)) throw new Error(`${words.join(' ')}: ${stderr}`);
}
