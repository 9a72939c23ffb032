/**
 * A named step at which a test can kill the process.
 *
 * `HOLDFAST_FAILPOINT=name:n` kills this process with SIGKILL when it passes the step `name` for the n-th time, so
 * crash tests can stop real, unmodified code between any two steps. `HOLDFAST_FAILPOINT=?` writes the name of every
 * passed step to standard error.
 */
import { writeSync } from 'node:fs';

/** Prefix of a listed step on standard error. */
export const PASSED = 'failpoint ';

interface Armed {
  readonly name: string;
  remaining: number;
}

const isListing = process.env['HOLDFAST_FAILPOINT'] === '?';
const armed: Armed | undefined = isListing ? undefined : parse(process.env['HOLDFAST_FAILPOINT']);

export function failpoint(name: string): void {
  if (isListing) writeSync(2, `${PASSED}${name}\n`);
  if (armed === undefined || armed.name !== name) return;
  armed.remaining -= 1;
  if (armed.remaining > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The kernel delivers the signal a moment later; no code after the failpoint may run until then.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

function parse(setting: string | undefined): Armed | undefined {
  if (setting === undefined || setting === '') return undefined;
  const separator = setting.lastIndexOf(':');
  const passes = Number(setting.slice(separator + 1));
  if (separator < 1 || !Number.isInteger(passes) || passes < 1) {
    throw new TypeError(`HOLDFAST_FAILPOINT must look like name:n, got "${setting}"`);
  }
  return { name: setting.slice(0, separator), remaining: passes };
}
