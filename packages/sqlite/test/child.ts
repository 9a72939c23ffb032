import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { bundledProgram } from '../../base/test/bundled-program.ts';

/** The exit status and the output of a program in test/programs. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

export interface Child {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves with the first line, past or future, that starts with `start`; rejects if the program ends without it. */
  line(start: string): Promise<string>;
  say(text: string): void;
  kill(): Promise<Ended>;
}

export interface ChildOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** A command that starts the program, such as `unshare -rm …`. */
  readonly through?: readonly string[];
  /** Kills the program if it still runs after this time, so that the test can report its output. */
  readonly limitMs?: number;
}

const programs = {
  commit: new URL('programs/commit.ts', import.meta.url),
  'commit-under-faults': new URL('programs/commit-under-faults.ts', import.meta.url),
  count: new URL('programs/count.ts', import.meta.url),
  'fill-disk': new URL('programs/fill-disk.ts', import.meta.url),
  'listen-once': new URL('programs/listen-once.ts', import.meta.url),
  'listen-without-watch': new URL('programs/listen-without-watch.ts', import.meta.url),
  migrate: new URL('programs/migrate.ts', import.meta.url),
  'open-and-read': new URL('programs/open-and-read.ts', import.meta.url),
  'read-under-faults': new URL('programs/read-under-faults.ts', import.meta.url),
  'write-forever': new URL('programs/write-forever.ts', import.meta.url),
} as const;

/** Starts a program from test/programs; kills it at the end of the test. */
export function startProgram(name: keyof typeof programs, args: readonly string[], options: ChildOptions = {}): Child {
  const file = fileURLToPath(programs[name]);
  const node = [process.execPath, bundledProgram(file), ...args];
  const [command, ...rest] = [...(options.through ?? []), ...node] as [string, ...string[]];
  const started = spawn(command, rest, {
    env: { ...process.env, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const child = follow(started, name, options.limitMs ?? 60_000);
  onTestFinished(async () => void (await child.kill()));
  return child;
}

function follow(child: ChildProcess, name: string, limitMs: number): Child {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // Writing to a killed program must not fail the test.
  child.stdin?.on('error', () => undefined);
  const reader = createInterface({ input: child.stdout! });
  reader.on('line', (line) => {
    lines.push(line);
    for (const wake of waiting) wake();
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  let isOver = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      isOver = true;
      resolve({ code, signal, lines, errors });
      for (const wake of waiting) wake();
    });
  });
  return {
    pid: child.pid ?? -1,
    ended,
    async line(start) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(start));
        if (found !== undefined) return found;
        if (isOver) throw new Error(`${name} ended without saying "${start}":\n${lines.join('\n')}\n${errors}`);
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    say: (text) => void child.stdin?.write(`${text}\n`),
    kill() {
      if (!isOver) child.kill('SIGKILL');
      return ended;
    },
  };
}
