import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dataOf, failureOf, run } from '../../test/command.ts';
import { addTask, git, leftInGit, makeProject, openState, runOnce, startRun, until } from '../../test/running.ts';
import type { Task } from '../model/task.ts';
import type { Attempt } from '../store/attempts.ts';
import type { Inquiry } from '../store/inquiries.ts';

const fakeAgent = resolve(import.meta.dirname, '../../test/programs/fake-agent.mjs');

interface Shown {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
  readonly inquiries: readonly Inquiry[];
  readonly iterations: readonly { readonly result: string; readonly failure: string | null }[];
}
const show = (folder: string, id: string): Shown => dataOf<Shown>(folder, 'task', 'show', id);

interface Start {
  readonly task: string;
  readonly args: readonly string[];
  readonly session_id: string;
  readonly model?: string;
}
const starts = (folder: string): Start[] =>
  !existsSync(join(folder, 'agent.starts'))
    ? []
    : readFileSync(join(folder, 'agent.starts'), 'utf8')
        .split('\n')
        // Drops the last line, which the agent may still be writing.
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Start);

interface Settings {
  readonly run?: string;
  readonly queue?: string;
  readonly worker?: string;
  readonly command?: string;
}

/** A project whose only worker is the fake agent, with the type claude-code. */
function projectWithAgent({ run: settings = '', queue = '', worker = '', command = fakeAgent }: Settings = {}): string {
  const folder = makeProject();
  writeFileSync(
    join(folder, 'ringmaster.toml'),
    `[storage]\nbackup_enabled = false\n[queue]\nretry_base_seconds = 600\n${queue}\n[run]\ngrace_seconds = 0.5\ndrain_seconds = 0.3
${settings}\n[[workers]]\nname = "agent"\ntype = "claude-code"\nmax_concurrent = 4\ncommand = "${command}"\n${worker}\n`,
  );
  return folder;
}

const add = (folder: string, title: string, description: string, ...args: string[]): string =>
  dataOf<{ id: string }>(folder, 'task', 'add', title, '-d', description, ...args).id;

describe('a Claude Code worker', () => {
  it('may edit its worktree, commit and run the tests, and nothing else', async () => {
    const folder = projectWithAgent({ run: 'test_command = ["test", "-f", "hello.txt"]\nmax_iterations = 1' });
    const id = add(folder, 'Hello', 'EDIT hello.txt hello\nRUN test -f hello.txt');
    const greedy = add(folder, 'Greedy', 'EDIT hello.txt hello\nRUN curl example.org');
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
    expect(git(folder, 'show', `ringmaster/${id}-a1:hello.txt`)).toBe('hello');
    const log = run(folder, ['logs', id]).stdout;
    expect(log).toContain('→ Write (hello.txt)\n');
    expect(log).not.toContain('{"type"');
    expect(dataOf<object[]>(folder, 'worker', 'stats')).toMatchObject([{ input_tokens: 86, output_tokens: 10 }]);
    const { task, iterations } = show(folder, greedy);
    expect(task).toMatchObject({ status: 'ready', failures: 1 });
    expect(iterations).toMatchObject([
      { result: 'denied', failure: expect.stringContaining('not permitted to use Bash (curl example.org)') as string },
    ]);
  });

  it('without permission to edit fails and names the tool instead of being done', async () => {
    const folder = projectWithAgent({ run: 'max_iterations = 1', worker: 'permission_mode = "default"' });
    const id = add(folder, 'Hello', 'EDIT hello.txt hello', '--max-attempts', '1');
    await runOnce(folder);
    expect(show(folder, id)).toMatchObject({
      task: { status: 'failed', last_failure: expect.stringContaining('Write (hello.txt)') as string },
      inquiries: [{ type: 'decision' }],
    });
    writeFileSync(
      join(folder, 'ringmaster.toml'),
      readFileSync(join(folder, 'ringmaster.toml'), 'utf8').replace('"default"', '"careful"'),
    );
    expect(failureOf(folder, 'status')).toBe('2 CONFIG_INVALID');
  });
});

describe('work without a change', () => {
  it('is a decision, not done: nothing written, stashed away, committed and reverted, or the worktree deleted', async () => {
    const folder = projectWithAgent();
    const identity = '-c user.name=a -c user.email=a@localhost';
    const nothing = add(folder, 'Nothing', 'It does nothing');
    const stashed = add(folder, 'Stashed', `EDIT a.txt changed\nSHELL git ${identity} stash`);
    const reverted = add(folder, 'Reverted', `SHELL git ${identity} commit -q --allow-empty -m empty`);
    const deleted = add(folder, 'Deleted', 'EDIT a.txt changed\nSHELL rm -rf "$PWD"');
    const after = add(folder, 'Afterwards', 'EDIT b.txt b', '--depends-on', nothing);
    const running = startRun(folder, ['--once']);
    expect((await running.ended).code).toBe(1);
    for (const id of [nothing, stashed, reverted, deleted]) {
      expect(show(folder, id)).toMatchObject({
        task: { status: 'blocked', failures: 0, blocked_reason: expect.stringContaining(`${id}-d1`) as string },
        attempts: [{ outcome: 'no_change' }],
        inquiries: [{ options: ['no change was needed', 'try again', 'change the task', 'give it up'] }],
      });
    }
    expect(show(folder, stashed).inquiries[0]?.context).toContain('stash@{0}');
    expect(run(folder, ['inbox']).stdout).toContain('without changing anything\n  I have finished the task.\n');
    expect(show(folder, after).attempts).toEqual([]);
    expect(leftInGit(folder).worktrees).toBe(0);
    expect(run(folder, ['answer', `${nothing}-d1`, 'no change was needed']).code).toBe(0);
    expect(run(folder, ['answer', `${stashed}-d1`, 'try again']).code).toBe(0);
    expect(show(folder, nothing).task).toMatchObject({ status: 'done', completed_at: expect.any(String) as string });
    expect(show(folder, stashed).task.status).toBe('ready');
    await runOnce(folder);
    expect(show(folder, after).task.status).toBe('done');
    expect(show(folder, stashed).attempts).toHaveLength(2);
  });
});

describe('changes that remain uncommitted', () => {
  it('do not count if they only revert what the worker committed or staged', async () => {
    const folder = projectWithAgent();
    const commit = 'git add --all && git -c user.name=a -c user.email=a@localhost commit -qm work';
    const reverted = add(folder, 'Reverted', `EDIT b.txt new\nSHELL ${commit}\nSHELL rm b.txt`);
    const staged = add(folder, 'Staged', 'EDIT b.txt new\nSHELL git add b.txt; rm b.txt');
    const both = add(folder, 'Both', `EDIT a.txt changed\nSHELL ${commit}\nEDIT a.txt again`);
    await runOnce(folder);
    for (const id of [reverted, staged]) {
      expect(show(folder, id)).toMatchObject({ task: { status: 'blocked' }, attempts: [{ outcome: 'no_change' }] });
    }
    expect(show(folder, both).task.status).toBe('done');
    expect(git(folder, 'show', `ringmaster/${both}-a1:a.txt`)).toBe('again');
    expect(leftInGit(folder).worktrees).toBe(0);
  });
});

describe('changes that are gone', () => {
  it('after the tests are a decision; with the worktree, a failure of the task and not of the worker', async () => {
    const folder = projectWithAgent({ run: 'test_command = ["git", "checkout", "-q", "."]\nmax_iterations = 2' });
    const reset = add(folder, 'Reset', 'EDIT a.txt changed');
    const deleted = add(folder, 'Deleted', 'EDIT a.txt changed\nSHELL rm -rf "$PWD"; false');
    await runOnce(folder);
    expect(show(folder, reset)).toMatchObject({ task: { status: 'blocked' }, attempts: [{ outcome: 'no_change' }] });
    expect(show(folder, deleted)).toMatchObject({
      task: { status: 'ready', failures: 1, last_failure: expect.stringContaining('deleted its worktree') as string },
    });
    expect(dataOf<object[]>(folder, 'worker', 'list')).toMatchObject([{ parked_until: null }]);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
  });
});

describe('ringmaster run --check', () => {
  it('says of each worker what is wrong: missing, logged out, not permitted to write, or nothing', async () => {
    const folder = projectWithAgent();
    const more = [
      ['missing', '/nowhere/at-all', ''],
      ['reader', fakeAgent, 'permission_mode = "plan"'],
      ['liar', '/bin/true', ''],
    ].map(
      ([name, command, rest]) =>
        `[[workers]]\nname = "${name}"\ntype = "claude-code"\ncommand = "${command}"\n${rest}\n`,
    );
    writeFileSync(
      join(folder, 'ringmaster.toml'),
      readFileSync(join(folder, 'ringmaster.toml'), 'utf8') + more.join(''),
    );
    const { code, stdout } = run(folder, ['run', '--check', '--json']);
    expect(code).toBe(1);
    const { data } = JSON.parse(stdout) as { data: { worker_id: string; result: string; problem: string }[] };
    expect(data.map(({ worker_id, result }) => [worker_id, result])).toEqual([
      ['agent', 'ok'],
      ['liar', 'cannot_write'],
      ['missing', 'missing'],
      ['reader', 'denied'],
    ]);
    expect(data[3]?.problem).toContain('Write (ringmaster-check.txt)');
    const alone = projectWithAgent();
    expect(run(alone, ['run', '--check'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^agent: ok/) as string,
    });
    writeFileSync(join(alone, 'agent.state'), 'Invalid API key · Please run /login');
    expect(run(alone, ['run', '--check'])).toMatchObject({
      code: 1,
      stdout: 'agent: logged out: Invalid API key · Please run /login\n',
    });
    expect(git(alone, 'status', '--porcelain')).not.toContain('ringmaster-check');
  });
});

describe('a worker whose service fails', () => {
  it('is parked once, does not burn through the tasks, and continues by itself', async () => {
    const folder = projectWithAgent({ queue: 'rate_limit_seconds = 1' });
    const ids = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((title) =>
      add(folder, title, `EDIT ${title}.txt x`),
    );
    writeFileSync(join(folder, 'agent.state'), 'Not logged in · Please run /login');
    const running = startRun(folder);
    await until('it is parked', () => running.output().includes('parked until'));
    const [worker] = dataOf<{ parked_kind: string; parked_reason: string }[]>(folder, 'worker', 'list');
    expect(worker).toMatchObject({ parked_kind: 'logged_out', parked_reason: 'Not logged in · Please run /login' });
    expect(dataOf<object>(folder, 'status')).toMatchObject({ parked_workers: [{ id: 'agent', kind: 'logged_out' }] });
    expect(run(folder, ['worker', 'list']).stdout).toContain('Not logged in');
    expect(run(folder, ['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Not logged in') as string,
    });
    await until('it was tried again', () => starts(folder).length > 4);
    rmSync(join(folder, 'agent.state'));
    await until('all is done', () => ids.every((id) => show(folder, id).task.status === 'done'));
    running.child.kill('SIGTERM');
    await running.ended;
    // Four attempts started at the same time, then one at a time with growing delays.
    expect(starts(folder).length).toBeLessThan(4 + 4 + ids.length);
    expect(ids.map((id) => show(folder, id).task.failures)).toEqual([0, 0, 0, 0, 0, 0]);
    const told = dataOf<{ event_type: string }[]>(folder, 'events', 'agent', '--limit', '100');
    const types = told.map(({ event_type: type }) => type).filter((type) => /parked|recovered/.test(type));
    expect(types).toEqual(['worker_parked', 'worker_recovered']);
    expect(running.output().match(/parked until/g)).toHaveLength(1);
    expect(running.output()).toContain('works again');
  });

  it('is parked when it waits for the network until it is stopped', async () => {
    const folder = makeProject({ run: 'silence_seconds = 1' });
    const waiting = addTask(folder, 'Waiting', [
      'edit half.txt half',
      'times 1 say Reconnecting... waiting for network (Connection failed: error sending request)',
      'times 1 hang',
    ]);
    await runOnce(folder);
    expect(show(folder, waiting)).toMatchObject({
      task: { status: 'ready', failures: 0 },
      attempts: [{ outcome: 'failed', failure_class: 'rate_limit' }],
      iterations: [{ result: 'unreachable' }],
    });
    expect(dataOf<object[]>(folder, 'worker', 'list')).toMatchObject([{ parked_kind: 'unreachable' }]);
    expect(run(folder, ['doctor']).code).toBe(0);
    run(folder, ['resume', 'fake-1']);
    await runOnce(folder);
    expect(show(folder, waiting).task.status).toBe('done');
  });

  it.each([
    ['API Error: Unable to connect to API (ConnectionRefused)', 'unreachable'],
    ['API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', 'overloaded'],
    ['Credit balance is too low', 'no_credit'],
  ])('is parked after "%s", which is nobody’s failure', async (message, kind) => {
    const folder = projectWithAgent();
    const id = add(folder, 'Work', 'EDIT a.txt x');
    writeFileSync(join(folder, 'agent.state'), message);
    expect((await startRun(folder, ['--once']).ended).code).toBe(1);
    expect(dataOf<object[]>(folder, 'worker', 'list')).toMatchObject([{ parked_kind: kind }]);
    expect(show(folder, id)).toMatchObject({ task: { status: 'ready', failures: 0 } });
    expect(starts(folder)).toHaveLength(1);
  });

  it('stays parked until the time that it named, also after a restart', async () => {
    const folder = projectWithAgent();
    const ids = ['One', 'Two'].map((title) => add(folder, title, `EDIT ${title}.txt x`));
    const hour = (new Date().getUTCHours() + 2) % 24;
    writeFileSync(join(folder, 'agent.state'), `You've hit your session limit · resets ${hour}:30 (UTC)`);
    const first = startRun(folder, ['--once', '--slots', '1']);
    expect((await first.ended).code).toBe(1);
    expect(first.output()).toContain('is parked until');
    rmSync(join(folder, 'agent.state'));
    const second = startRun(folder, ['--once']);
    expect((await second.ended).code).toBe(1);
    expect(starts(folder)).toHaveLength(1);
    const [worker] = dataOf<{ parked_until: string }[]>(folder, 'worker', 'list');
    expect(worker?.parked_until).toMatch(new RegExp(`T${String(hour).padStart(2, '0')}:30:01`));
    const state = await openState(folder);
    await state.store.write('time passes', (tx) =>
      tx.run(`UPDATE workers SET parked_until = '2026-01-01T00:00:00.000Z'`),
    );
    expect((await startRun(folder, ['--once']).ended).code).toBe(0);
    expect(ids.map((id) => show(folder, id).task)).toMatchObject([
      { status: 'done', failures: 0 },
      { status: 'done', failures: 0 },
    ]);
    expect(dataOf<object>(folder, 'status')).toMatchObject({ parked_workers: [] });
  });
});

describe('a worker whose program is missing', () => {
  it('is named by run, status and doctor, claims nothing, and works as soon as the program appears', async () => {
    const folder = projectWithAgent({ command: 'not-yet-installed' });
    const id = add(folder, 'Hello', 'EDIT hello.txt hello');
    const bin = join(folder, '.git', 'bin');
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const once = startRun(folder, ['--once'], env);
    expect((await once.ended).code).toBe(1);
    expect(once.output()).toContain('The command "not-yet-installed" was not found');
    expect(show(folder, id)).toMatchObject({ task: { status: 'ready' }, attempts: [] });
    expect(run(folder, ['status']).stdout).toContain('was not found');
    expect(run(folder, ['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was not found') as string,
    });
    const running = startRun(folder, [], env);
    await until('it is told', () => running.output().includes('was not found'));
    mkdirSync(bin);
    symlinkSync(fakeAgent, join(bin, 'not-yet-installed'));
    await until('it is done', () => show(folder, id).task.status === 'done');
    running.child.kill('SIGTERM');
    await running.ended;
  });
});

describe('the worker of a task', () => {
  it('is the one that the task or its project names, with their model and arguments', async () => {
    const folder = projectWithAgent({ worker: 'model = "haiku"\nextra_args = ["--a"]' });
    writeFileSync(
      join(folder, 'ringmaster.toml'),
      `${readFileSync(join(folder, 'ringmaster.toml'), 'utf8')}[[workers]]\nname = "other"\ntype = "custom"\ncommand = "${fakeAgent}"
args = ["--permission-mode", "acceptEdits"]\noutput = "claude-json"\n`,
    );
    const plain = add(folder, 'Plain', 'EDIT a.txt 1', '--worker', 'claude-code');
    const other = add(folder, 'Other', 'EDIT a.txt 2', '--worker', 'other', '--model', 'sonnet', '--worker-arg=--b');
    const misspelt = ['task add Misspelt --worker othre', 'task edit PLAIN --worker othre', 'project set worker othre'];
    for (const line of misspelt) {
      const words = line.replace('PLAIN', plain).split(' ');
      expect(failureOf(folder, ...words)).toBe('3 WORKER_NOT_FOUND');
      expect(run(folder, words).stderr).toContain('Did you mean other?');
    }
    await runOnce(folder);
    const of = (id: string): Start | undefined => starts(folder).find(({ task }) => task === id);
    expect(of(plain)?.args.join(' ')).toMatch(/--model haiku --a$/);
    expect(of(other)).toMatchObject({ args: ['--permission-mode', 'acceptEdits', '--b'], model: 'sonnet' });
    run(folder, ['project', 'set', 'worker', 'agent']);
    run(folder, ['project', 'set', 'model', 'opus']);
    run(folder, ['project', 'set', 'worker_args', '--', '--c']);
    const ids = ['One', 'Two', 'Three'].map((title) => add(folder, title, `EDIT ${title}.txt x`));
    await runOnce(folder);
    for (const id of ids) expect(of(id)?.args.join(' ')).toMatch(/--model opus --a --c$/);
    run(folder, ['task', 'edit', plain, '--model', 'fable']);
    expect(run(folder, ['task', 'show', plain]).stdout).toMatch(/worker +claude-code\nmodel +fable/);
  });

  it('of an unknown type is refused with a suggestion, and so are two with one name', () => {
    const folder = projectWithAgent();
    const settings = readFileSync(join(folder, 'ringmaster.toml'), 'utf8');
    const refusal = (text: string): string => {
      writeFileSync(join(folder, 'ringmaster.toml'), text);
      return run(folder, ['status']).stderr;
    };
    expect(refusal(settings.replace('"claude-code"', '"claude"'))).toContain('unknown type "claude"');
    expect(refusal(settings.replace('"claude-code"', '"cluade-code"'))).toContain('Did you mean "claude-code"?');
    expect(refusal(settings + settings.slice(settings.indexOf('[[workers]]')))).toContain(
      'two workers are named "agent"',
    );
    expect(refusal(settings.replace('[run]', '[run]\nslots = 2.5'))).toContain('slots must be a whole number');
    writeFileSync(join(folder, 'ringmaster.toml'), settings);
    expect(run(folder, ['worker', 'add', 'w', '--type', 'gemni']).stderr).toContain('gemini');
  });

  it('continues its session in the next turn, and begins a new one in the next attempt', async () => {
    const folder = projectWithAgent({ run: 'test_command = ["false"]\nmax_iterations = 2' });
    const id = add(folder, 'Twice', 'EDIT a.txt 1', '--max-attempts', '2');
    await runOnce(folder);
    const state = await openState(folder);
    await state.store.write('the time is over', (tx) => tx.run('UPDATE tasks SET next_eligible_at = NULL'));
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('failed');
    const [first, second, third, fourth] = starts(folder);
    expect(first?.args).not.toContain('--resume');
    expect(second?.args.slice(-2)).toEqual(['--resume', first?.session_id]);
    expect(third?.args).not.toContain('--resume');
    expect(fourth?.args.slice(-2)).toEqual(['--resume', third?.session_id]);
  });

  it('is continued in the next turn by each agent that has sessions', async () => {
    const folder = makeProject({ run: 'test_command = ["false"]\nmax_iterations = 2\nslots = 4' });
    const sessions = {
      codex: { type: 'thread.started', thread_id: 'session-7' },
      gemini: { type: 'init', session_id: 'session-7' },
      opencode: { type: 'text', sessionID: 'session-7', part: { text: 'Hello' } },
      cursor: { type: 'system', subtype: 'init', session_id: 'session-7' },
    };
    const toml = join(folder, 'ringmaster.toml');
    const ids = Object.entries(sessions).map(([type, event]) => {
      const program = join(folder, '.git', type);
      const lines = ['#!/bin/sh', 'cat > /dev/null', 'echo x >> x.txt', `echo '${JSON.stringify(event)}'`];
      writeFileSync(program, [...lines, `echo "$*" >> "$RINGMASTER_ROOT/${type}.args"\n`].join('\n'), { mode: 0o755 });
      const worker = `[[workers]]\nname = "${type}-1"\ntype = "${type}"\ncommand = "${program}"\n`;
      writeFileSync(toml, `${readFileSync(toml, 'utf8')}${worker}`);
      return add(folder, type, '', '--worker', type, '--max-attempts', '1');
    });
    await runOnce(folder);
    expect(ids.map((id) => show(folder, id).iterations.length)).toEqual([2, 2, 2, 2]);
    const isResumed = Object.keys(sessions).map((type) =>
      readFileSync(join(folder, `${type}.args`), 'utf8')
        .trim()
        .split('\n')
        .map((args) => args.includes('session-7')),
    );
    expect(isResumed).toEqual(ids.map(() => [false, true]));
  });
});
