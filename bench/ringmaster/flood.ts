import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';

import type { Context, Figure } from '../lib/harness.ts';
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
  progress(`  ${quiet.toFixed(0)} MB quiet, ${flood.toFixed(0)} MB flooded, log of ${log} bytes`);
  const memory = { name: 'ringmaster.flood.memory', value: flood - quiet, unit: 'MB', goal: 64 };
  const size = { name: 'ringmaster.flood.log', value: log / 1_024 / CAP_KB, unit: '× cap', goal: 1.01 };
  return [
    { ...memory, better: 'lower', baseline: `a worker that prints nothing: ${quiet.toFixed(0)} MB` },
    { ...size, better: 'lower', baseline: `the numbers up to ${last} were printed; the cap is ${CAP_KB} KiB` },
  ];
}

/** Reads VmHWM, the peak that the kernel records, so sampling cannot miss it. */
async function highestMemory(root: string, command: readonly string[]): Promise<number> {
  const [program = '', ...args] = command;
  const worker = `command = "${program}"\nargs = ${JSON.stringify(args)}`;
  await prepareRun(root, 1, worker, `[run]\noutput_cap_kb = ${CAP_KB}\n`);
  const child = spawn(resolve(process.cwd(), 'dist/bin/ringmaster'), ['run', '--once'], { cwd: root, stdio: 'ignore' });
  let highest = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      highest = Math.max(highest, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
    } catch {
      // The process has just ended.
    }
  }, 20);
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`run ended with ${String(code)}`);
  return (highest * 1_024) / MEBIBYTE;
}
