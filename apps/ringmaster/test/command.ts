import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll } from 'vitest';

/** The built command. */
const ringmaster = resolve(import.meta.dirname, '../../../dist/bin/ringmaster');

/** Tests use their own home folder, because `init` registers the directory there for the server. */
export const home: string = mkdtempSync(join(tmpdir(), 'ringmaster-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(
  folder: string,
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(ringmaster, args, {
    cwd: folder,
    input,
    env: { ...process.env, NO_COLOR: '1', RINGMASTER_ACTOR: 'tester', HOLDFAST_HOME: home, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: status, stdout, stderr };
}

/** Returns the whole document of a successful `--json` run. */
export function documentOf(folder: string, ...args: string[]): { readonly data: never } {
  const { code, stdout, stderr } = run(folder, [...args, '--json']);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as { data: never };
}

export function dataOf<T>(folder: string, ...args: string[]): T {
  return documentOf(folder, ...args).data;
}

/** Returns the exit code and the error code of a failed run. */
export function failureOf(folder: string, ...args: string[]): string {
  const { code, stderr } = run(folder, [...args, '--json']);
  return `${code} ${(JSON.parse(stderr) as { error: { code: string } }).error.code}`;
}

export interface Started {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly stdout: () => string;
  readonly ended: Promise<void>;
}

/** Starts a command that runs until it is stopped. */
export function start(folder: string, args: readonly string[]): Started {
  const child = spawn(ringmaster, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', RINGMASTER_ACTOR: 'tester', HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise<void>((done) => {
    child.on('close', () => done());
  });
  return { child, stdout: () => printed, ended };
}
