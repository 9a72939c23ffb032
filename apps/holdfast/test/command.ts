import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll } from 'vitest';

/** The built command. */
const holdfast = resolve(import.meta.dirname, '../../../dist/bin/holdfast');

const folders: string[] = [];

export function temporaryHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-home-'));
  folders.push(folder);
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  return home;
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(home: string, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(holdfast, args, {
    env: { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { code: status, stdout, stderr };
}

/** Returns the data of a successful `--json` run. */
export function dataOf(home: string, ...args: string[]): unknown {
  const { code, stdout, stderr } = run(home, ...args, '--json');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  const document = JSON.parse(stdout) as { schema_version: number; data: unknown };
  if (document.schema_version !== 1) throw new Error('Unknown schema version');
  return document.data;
}

/** Starts the command and calls `onLine` for every line; returns a function that kills it. */
export function follow(home: string, args: readonly string[], onLine: (line: string) => void): () => Promise<void> {
  const child = spawn(holdfast, args, {
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  const ended = new Promise<void>((done) => {
    child.on('close', () => done());
  });
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
