import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

import { bundledProgram } from '../../../packages/base/test/bundled-program.ts';

export interface Ended {
  readonly wasKilled: boolean;
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a program from test/programs until it ends or is killed at `failpoint` (`name:n`). `prepare` is a shell command
 * that runs first, in a mount namespace that disappears with the program.
 */
export function runProgram(name: string, words: readonly string[], failpoint = '', prepare?: string): Promise<Ended> {
  const file = resolve(import.meta.dirname, 'programs', `${name}.ts`);
  const through = prepare === undefined ? [] : ['unshare', '-rm', 'sh', '-c', `${prepare} && exec "$@"`, 'sh'];
  const [command = '', ...rest] = [...through, process.execPath, bundledProgram(file), ...words];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOLDFAST_FAILPOINT: failpoint },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise((done) => {
    child.on('close', (code, signal) => done({ wasKilled: signal === 'SIGKILL', code, output }));
  });
}
