import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

import { bundledProgram } from '../../../packages/base/test/bundled-program.ts';

export interface Program {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<void>;
  /** Resolves when the program has printed a line that starts with `start`. */
  readonly said: (start: string) => Promise<void>;
}

/** Starts a program of test/programs in its own process. */
export function startProgram(name: string, ...words: string[]): Program {
  return started(name, words, process.env);
}

/** Like `startProgram`, but the program is killed when it first reaches the failpoint. */
export function startArmed(failpoint: string, name: string, ...words: string[]): Program {
  return started(name, words, { ...process.env, HOLDFAST_FAILPOINT: `${failpoint}:1` });
}

function started(name: string, words: readonly string[], env: NodeJS.ProcessEnv): Program {
  const file = resolve(import.meta.dirname, 'programs', `${name}.ts`);
  const child = spawn(process.execPath, [bundledProgram(file), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((done) => {
    child.on('close', () => done());
  });
  const said = (start: string): Promise<void> =>
    new Promise((done, fail) => {
      const look = (): void => {
        if (!lines.some((line) => line.startsWith(start))) return;
        waiting.delete(look);
        done();
      };
      waiting.add(look);
      void ended.then(() => fail(new Error(`ended without "${start}"`)));
      look();
    });
  return { process: child, lines, ended, said };
}
