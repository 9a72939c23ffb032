import { statSync } from 'node:fs';
import { join } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';

import type { Context, Figure } from '../lib/harness.ts';
import { runRingmaster } from '../lib/peak-memory.ts';
import { prepareRun } from './setup.ts';

const CAP_KB = 1_024;

/**
 * Workload: a worker prints 1 GB into a log with a cap of 1 MB. Measured: the supervisor's peak memory compared with a
 * silent worker, and the size of the log.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  // One line per number: the numbers up to 111,111,111 take 1 GB.
  const last = quick ? 2_000_000 : 111_111_111;
  const quiet = await highestMemory(join(folder, 'quiet'), ['/bin/true']);
  const flooded = join(folder, 'flooded');
  const flood = await highestMemory(flooded, ['seq', '1', String(last)]);
  const log = statSync(join(flooded, '.ringmaster/tasks/bd-0/output.log')).size;
  progress(`  ${quiet.toFixed(0)} MiB quiet, ${flood.toFixed(0)} MiB flooded, log of ${log} bytes`);
  const memory = { name: 'ringmaster.flood.memory', value: flood - quiet, unit: 'MiB', goal: 64 };
  const size = { name: 'ringmaster.flood.log', value: log / 1_024 / CAP_KB, unit: '× cap', goal: 1.01 };
  return [
    { ...memory, better: 'lower', baseline: `a worker that prints nothing: ${quiet.toFixed(0)} MiB` },
    { ...size, better: 'lower', baseline: `the numbers up to ${last} were printed; the cap is ${CAP_KB} KiB` },
  ];
}

async function highestMemory(root: string, command: readonly string[]): Promise<number> {
  const [program = '', ...args] = command;
  const worker = `command = "${program}"\nargs = ${JSON.stringify(args)}`;
  await prepareRun(root, 1, worker, `[run]\nuse_git = false\noutput_cap_kb = ${CAP_KB}\n`);
  const { peakBytes } = await runRingmaster(root, ['run', '--once']);
  return peakBytes / MEBIBYTE;
}
