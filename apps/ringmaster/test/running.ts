import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { identityOf, isAlive } from '@holdfast/base';
import { afterEach } from 'vitest';

import { workspaceAt } from '../src/adapters/workspace.ts';
import { defaultConfig } from '../src/model/config.ts';
import { openRingmaster, type Ringmaster } from '../src/service/ringmaster.ts';
import { dataOf, home, run } from './command.ts';
import { temporaryFolder } from './harness.ts';

const ringmaster = resolve(import.meta.dirname, '../../../dist/bin/ringmaster');
export const fakeWorker = resolve(import.meta.dirname, 'programs/fake-worker.mjs');
const WAIT_MAX = 60_000;

const started: Run[] = [];
const opened: Ringmaster[] = [];

afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  }
  await Promise.all(opened.splice(0).map(({ store }) => store.close()));
});

export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

export interface ProjectOptions {
  /** Lines of the [run] table. */
  readonly run?: string;
  /** Additional lines of the [[workers]] table. */
  readonly worker?: string;
  /** Additional tables. */
  readonly more?: string;
  readonly isRepository?: boolean;
  /** Delay before a failed task is retried. */
  readonly retrySeconds?: number;
  /** Short only in tests that wait for an expired lease or for a heartbeat. */
  readonly lease_seconds?: number;
}

/** Creates a project with the fake worker, in a git repository with one commit. */
export function makeProject({
  run: settings = '',
  worker = '',
  more = '',
  isRepository = true,
  retrySeconds = 600,
  lease_seconds = 60,
}: ProjectOptions = {}): string {
  const folder = temporaryFolder();
  if (isRepository) {
    git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a.txt'), 'first\n');
    git(folder, 'add', 'a.txt');
    git(folder, 'commit', '-qm', 'first');
  }
  run(folder, ['init', '--name', 'Circus']);
  writeFileSync(
    join(folder, 'ringmaster.toml'),
    `[storage]
backup_enabled = false
[queue]
lease_seconds = ${lease_seconds}
retry_base_seconds = ${retrySeconds}
[run]
grace_seconds = 0.5
drain_seconds = 0.3
${settings}
${more}
[[workers]]
name = "fake-1"
type = "custom"
command = "${fakeWorker}"
max_concurrent = 8
${worker}
`,
  );
  return folder;
}

/** Adds a task whose description has one worker step per line. */
export function addTask(folder: string, title: string, steps: readonly string[], ...args: string[]): string {
  const description = steps.map((step) => `DO ${step}`).join('\n');
  return dataOf<{ id: string }>(folder, 'task', 'add', title, '-d', description, ...args).id;
}

export interface Run {
  readonly child: ChildProcess;
  /** Standard output and standard error so far. */
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts `ringmaster run` without waiting for it. */
export function startRun(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Run {
  const child = spawn(ringmaster, ['run', ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', RINGMASTER_ACTOR: 'tester', HOLDFAST_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.on('exit', (code, signal) => done({ code, signal }));
  });
  const running = { child, ended, output: () => text };
  started.push(running);
  return running;
}

/** Runs `ringmaster run --once` to its end. Accepts exit code 1, which means that work is left. */
export async function runOnce(folder: string, ...args: string[]): Promise<string> {
  const running = startRun(folder, ['--once', ...args]);
  const { code, signal } = await running.ended;
  if (code !== 0 && code !== 1) throw new Error(`run ended with ${code ?? signal}: ${running.output()}`);
  return running.output();
}

/** Polls until `look` returns a value. The long default allows for slow machines. */
export async function until<T>(what: string, look: () => T | undefined | false, waitMax = WAIT_MAX): Promise<T> {
  for (const end = Date.now() + waitMax; Date.now() < end;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise((wake) => setTimeout(wake, 20));
  }
  throw new Error(`never: ${what}`);
}

/** Opens a project's database to inspect it. */
export async function openState(folder: string): Promise<Ringmaster> {
  const rm = await openRingmaster({
    workspace: workspaceAt(folder, defaultConfig),
    clock: Date.now,
    random: Math.random,
    actor: { type: 'person', id: 'tester' },
  });
  opened.push(rm);
  return rm;
}

export function isRunning(pid: number): boolean {
  return isAlive(identityOf(pid));
}

/** Running processes that a supervisor of this folder started. */
export function leftProcesses(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || !isRunning(Number(pid))) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environment.includes('RINGMASTER_RUN=') && environment.includes(`RINGMASTER_ROOT=${folder}\0`);
    } catch {
      return false;
    }
  });
}

export function pidIn(folder: string, name: string): number | undefined {
  const path = join(folder, name);
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) || undefined : undefined;
}

/** ringmaster's worktrees and branches that still exist. */
export function leftInGit(folder: string): { readonly worktrees: number; readonly branches: string[] } {
  const worktrees = git(folder, 'worktree', 'list', '--porcelain').split('\n\n').length - 1;
  const branches = git(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ringmaster/');
  return { worktrees, branches: branches.split('\n').filter((name) => name !== '') };
}
