import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { dataOf, failureOf, home, run } from '../../test/command.ts';
import { temporaryFolder } from '../../test/harness.ts';
import {
  git,
  isRunning,
  leftInGit,
  leftProcesses,
  makeProject,
  openState,
  runOnce,
  startRun,
  until,
} from '../../test/running.ts';
import type { Task } from '../model/task.ts';
import type { Attempt } from '../store/attempts.ts';

const fakeAgent = resolve(import.meta.dirname, '../../test/programs/fake-agent.mjs');
const ringmaster = resolve(import.meta.dirname, '../../../../dist/bin/ringmaster');

interface Start {
  readonly args: readonly string[];
  readonly session_id: string;
  readonly cwd: string;
  readonly pid: number;
  readonly isInteractive: boolean;
}
const starts = (folder: string): Start[] => {
  const file = join(folder, 'agent.starts');
  if (!existsSync(file)) return [];
  // Drops the last line, which the agent may still be writing.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Start);
};
interface Shown {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
}
const show = (folder: string, id: string): Shown => dataOf<Shown>(folder, 'task', 'show', id);

function projectWithAgent(): string {
  const folder = makeProject({ lease_seconds: 2 });
  const toml = join(folder, 'ringmaster.toml');
  const settings = readFileSync(toml, 'utf8')
    .replace(/^type = .*$/m, 'type = "claude-code"')
    .replace(/^command = .*$/m, `command = "${fakeAgent}"`);
  writeFileSync(toml, settings);
  return folder;
}

const add = (folder: string, description: string): string =>
  dataOf<{ id: string }>(folder, 'task', 'add', 'Hello', '-d', description).id;

interface Terminal {
  readonly screen: () => string;
  readonly shows: (text: string) => Promise<string>;
  readonly type: (line: string) => void;
  /** Leaves the tmux session of `ringmaster attach` without ending it. */
  readonly detach: () => void;
  readonly typeInSession: (session: string, line: string) => void;
  /** tmux sessions that `ringmaster attach` made. */
  readonly sessions: () => string;
}

/** A real terminal, made by tmux, in which `ringmaster attach` runs as if outside of tmux. */
function attachInTerminal(folder: string, task: string, path = process.env['PATH'] ?? ''): Terminal {
  const servers = temporaryFolder();
  const socket = join(servers, 'outer');
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const variables = [`TMUX_TMPDIR=${servers}`, `HOLDFAST_HOME=${home}`, `PATH=${path}`, 'RINGMASTER_ACTOR=tester'];
  const command = ['env -u TMUX', ...variables, ringmaster, 'attach', task].join(' ');
  tmux('new-session', '-d', '-x', '160', '-y', '30', '-c', folder, `${command}; echo ended with $?; exec sleep 1000`);
  const inner = (...args: string[]): string => {
    try {
      const env = { ...process.env, TMUX_TMPDIR: servers };
      return execFileSync('tmux', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return '';
    }
  };
  onTestFinished(() => {
    inner('kill-server');
    tmux('kill-server');
  });
  const screen = (): string => tmux('capture-pane', '-p');
  return {
    screen,
    shows: (text) =>
      until(`the terminal shows ${text}: ${screen()}`, () => (screen().includes(text) ? screen() : undefined)),
    type: (line) => void tmux('send-keys', line, 'Enter'),
    detach: () => void tmux('send-keys', 'C-b', 'd'),
    typeInSession: (session, line) => void inner('send-keys', '-t', `=${session}:`, line, 'Enter'),
    sessions: () => inner('list-sessions', '-F', '#{session_name}').trim(),
  };
}

/** Starts a supervisor whose only worker hangs in its first turn. */
async function startHanging(): Promise<{ folder: string; id: string; supervisor: ReturnType<typeof startRun> }> {
  const folder = projectWithAgent();
  const id = add(folder, 'HOLD\nEDIT own.txt own');
  const supervisor = startRun(folder, ['--once']);
  await until('the worker', () => starts(folder).length === 1);
  const state = await openState(folder);
  await until('its session', () => state.store.reader.get('SELECT 1 AS x FROM iterations WHERE pid IS NOT NULL'));
  return { folder, id, supervisor };
}

describe('attach to a running task', () => {
  it('continues the session of the worker in tmux, holds the task, and returns it to the supervisor', async () => {
    const { folder, id, supervisor } = await startHanging();
    const terminal = attachInTerminal(folder, id);
    await terminal.shows('interactive session resumed');
    const [worker, person] = starts(folder);
    expect(isRunning(worker!.pid)).toBe(false);
    expect(person).toMatchObject({ session_id: worker!.session_id, cwd: worker!.cwd, isInteractive: true });
    expect(terminal.sessions()).toBe(`ringmaster-${id}`);
    // Waits longer than the lease, and then checks that nobody else gets the task and that a second terminal is
    // refused.
    await new Promise((wake) => setTimeout(wake, 3_000));
    run(folder, ['reap']);
    expect(show(folder, id)).toMatchObject({ task: { status: 'in_progress' }, attempts: [{ ended_at: null }] });
    await attachInTerminal(folder, id).shows('another terminal is attached');
    expect(starts(folder)).toHaveLength(2);
    terminal.type('write person.txt by a person');
    await terminal.shows('did write');
    terminal.detach();
    await terminal.shows(`tmux attach -t ringmaster-${id}`);
    expect(isRunning(person!.pid)).toBe(true);
    terminal.typeInSession(`ringmaster-${id}`, 'exit');
    expect(await terminal.shows('ended with 0')).toContain(`${id} returned: in_progress`);
    expect((await supervisor.ended).code).toBe(0);
    expect(starts(folder).at(-1)).toMatchObject({
      session_id: worker!.session_id,
      cwd: worker!.cwd,
      isInteractive: false,
    });
    expect(show(folder, id)).toMatchObject({ task: { status: 'done' }, attempts: [{ outcome: 'succeeded' }] });
    const files = git(folder, 'diff', '--name-only', 'main', `ringmaster/${id}-a1`);
    expect(files.split('\n')).toEqual(['own.txt', 'person.txt']);
    expect([terminal.sessions(), leftProcesses(folder)]).toEqual(['', []]);
    const events = dataOf<{ event_type: string }[]>(folder, 'events', id).map(({ event_type }) => event_type);
    expect(events).toEqual(expect.arrayContaining(['task_attached', 'task_detached']));
  });

  it('outlives the supervisor: the next one waits, and continues when the person has left', async () => {
    const { folder, id, supervisor } = await startHanging();
    const terminal = attachInTerminal(folder, id);
    await terminal.shows('interactive session resumed');
    supervisor.child.kill('SIGKILL');
    await supervisor.ended;
    const next = startRun(folder, ['--once']);
    await until('the next supervisor', () => next.output().includes('a person is attached'));
    await new Promise((wake) => setTimeout(wake, 3_000));
    expect(starts(folder)).toHaveLength(2);
    // After Ctrl-C, the supervisor leaves the task to the person and to the next supervisor.
    next.child.kill('SIGINT');
    await next.ended;
    expect(isRunning(starts(folder)[1]!.pid)).toBe(true);
    const last = startRun(folder, ['--once']);
    await until('the last supervisor', () => last.output().includes('a person is attached'));
    terminal.type('exit');
    expect((await last.ended).code).toBe(0);
    expect(show(folder, id)).toMatchObject({ task: { status: 'done' }, attempts: [{ outcome: 'succeeded' }] });
  });

  it('that is killed ends its session, and the supervisor continues', async () => {
    const { folder, id, supervisor } = await startHanging();
    await attachInTerminal(folder, id).shows('interactive session resumed');
    const state = await openState(folder);
    const { pid } = state.store.reader.get<{ pid: number }>('SELECT attached_pid AS pid FROM attempt_runs')!;
    process.kill(pid, 'SIGKILL');
    expect((await supervisor.ended).code).toBe(0);
    expect(isRunning(starts(folder)[1]!.pid)).toBe(false);
    expect(show(folder, id).task.status).toBe('done');
  });

  it('ends with its session when the task is cancelled', async () => {
    const { folder, id, supervisor } = await startHanging();
    const terminal = attachInTerminal(folder, id);
    await terminal.shows('interactive session resumed');
    run(folder, ['cancel', id]);
    await terminal.shows('ended with 0');
    await supervisor.ended;
    expect(show(folder, id).task.status).toBe('draft');
    expect([leftProcesses(folder), leftInGit(folder).worktrees]).toEqual([[], 0]);
  });
});

describe('attach to a task that is ready', () => {
  /** A PATH without tmux. */
  function withoutTmux(): string {
    const folder = temporaryFolder();
    for (const name of ['node', 'git', 'env', 'sh']) {
      const found = (process.env['PATH'] ?? '')
        .split(':')
        .map((part) => join(part, name))
        .find(existsSync);
      if (found !== undefined) symlinkSync(found, join(folder, name));
    }
    return folder;
  }

  it('opens a new session in the current terminal without tmux, and leaves the work to the next attempt', async () => {
    const folder = projectWithAgent();
    const id = add(folder, 'EDIT own.txt own');
    expect(failureOf(folder, 'attach', id)).toBe('2 TERMINAL_REQUIRED');
    const terminal = attachInTerminal(folder, id, withoutTmux());
    await terminal.shows('interactive session new');
    expect(terminal.sessions()).toBe('');
    expect(await runOnce(folder)).toContain('Unfinished: 1');
    expect(starts(folder)).toHaveLength(1);
    terminal.type('write person.txt by a person');
    await terminal.shows('did write');
    terminal.type('exit');
    expect(await terminal.shows('ended with 0')).toContain(`${id} returned: ready`);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [`ringmaster/${id}-a1`] });
    await runOnce(folder);
    expect(show(folder, id)).toMatchObject({
      task: { status: 'done', failures: 0 },
      attempts: [{ outcome: 'released' }, { outcome: 'succeeded' }],
    });
    const files = git(folder, 'diff', '--name-only', 'main', `ringmaster/${id}-a2`);
    expect(files.split('\n')).toEqual(['own.txt', 'person.txt']);
    await attachInTerminal(folder, id).shows('cannot start: it is done');
  });
});
