import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { bundledProgram } from '../../base/test/bundled-program.ts';

export interface Program {
  /** Resolves with the rest of the next line that starts with `start`; rejects when the program ends first. */
  line(start: string): Promise<string>;
  say(value: unknown): void;
  readonly ended: Promise<NodeJS.Signals | null>;
}

const file = fileURLToPath(new URL('programs/act.ts', import.meta.url));

/** Starts test/programs/act.ts in its own process. */
export function startProgram(path: string, environment: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [bundledProgram(file), path], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Writing to a killed program must not fail the test.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line(start) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`The program ended without saying "${start}"`);
        if (value.startsWith(start)) return value.slice(start.length);
      }
    },
    say: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
    ended,
  };
}
