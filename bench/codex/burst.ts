import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Context, Figure } from '../lib/harness.ts';
import { openNotebook } from './fixtures.ts';

/** Source code of the other program. It writes all files as fast as possible and creates folders when needed. */
const WRITER = `
const { mkdirSync, writeFileSync } = require('node:fs');
const [root, count] = process.argv.slice(1);
for (let n = 0; n < Number(count); n++) {
  const folder = root + '/burst/d' + (n % 100) + '/s' + (n % 7);
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/f' + n + '.md', 'file ' + n);
}`;

const WAIT_MS = 300_000;
const LOOK_MS = 50;

/**
 * Workload: another process writes 10,000 files into 700 new folders in a watched notebook. Timed: from its start until
 * the index has all of them, each exactly once.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const files = quick ? 500 : 10_000;
  const { codex, notebook } = await openNotebook(join(folder, 'burst'), { watch: true });
  const { reader } = codex.store;
  while ((await codex.watchers.status(notebook.id))?.watching !== true) await pause();
  const started = performance.now();
  await promisify(execFile)(process.execPath, ['-e', WRITER, notebook.path, String(files)]);
  const written = performance.now() - started;
  const count = (): number => reader.get<{ n: number }>('SELECT count(DISTINCT path) AS n FROM files')?.n ?? 0;
  while (count() < files && performance.now() - started < WAIT_MS) await pause();
  const seconds = (performance.now() - started) / 1_000;
  const missed = files - count();
  progress(`  written in ${(written / 1_000).toFixed(1)} s, indexed after ${seconds.toFixed(1)} s, ${missed} missed`);
  await codex.close();
  const baseline = `of ${files} files that another process wrote in ${(written / 1_000).toFixed(1)} s`;
  return [
    { name: 'codex.burst.missed', value: missed, unit: 'files', baseline, goal: 0, better: 'lower' },
    {
      name: 'codex.burst.indexed',
      value: seconds,
      unit: 's',
      baseline: 'all of them, durable',
      goal: 60,
      better: 'lower',
    },
  ];
}

function pause(): Promise<void> {
  return new Promise((wake) => setTimeout(wake, LOOK_MS));
}
