import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { bundledProgram } from '../../../packages/base/test/bundled-program.ts';

export interface Finished {
  readonly lines: readonly string[];
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

/** Runs a program from test/programs to its end, or kills it `killAfterMs` after it is ready. */
export function runProgram(name: string, args: readonly string[], killAfterMs?: number): Promise<Finished> {
  return new Promise((done) => {
    const file = bundledProgram(resolve(import.meta.dirname, 'programs', `${name}.ts`));
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    let errors = '';
    let timer: NodeJS.Timeout | undefined;
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line === 'ready' && killAfterMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('close', (_, signal) => {
      clearTimeout(timer);
      done({ lines, signal, errors });
    });
  });
}
