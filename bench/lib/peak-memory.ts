import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { KIBIBYTE, SECOND } from '@holdfast/base';

interface Measured {
  readonly seconds: number;
  readonly peakBytes: number;
}

/** Runs the built `ringmaster` and reads VmHWM, the peak that the kernel records, so sampling cannot miss a peak. */
export async function runRingmaster(cwd: string, args: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const child = spawn(resolve(process.cwd(), 'dist/bin/ringmaster'), args, { cwd, stdio: 'ignore' });
  let peakBytes = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakBytes = Math.max(peakBytes, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * KIBIBYTE);
    } catch {
      // The process has just ended.
    }
  }, 20);
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`ringmaster ${args.join(' ')} ended with ${String(code)}`);
  return { seconds: (performance.now() - started) / SECOND, peakBytes };
}
