import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import {
  addTask,
  git,
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

interface Shown {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
}
const show = (folder: string, id: string): Shown => dataOf<Shown>(folder, 'task', 'show', id);
const linesOf = (folder: string, name: string): string[] =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : [];

describe('a worker', () => {
  it('inherits the environment, but neither the address of the store nor a token', async () => {
    const noted = 'printenv OTHER HOLDFAST_STORE HOLDFAST_TOKEN RINGMASTER_TOKEN > $RINGMASTER_ROOT/env; true';
    const folder = makeProject({ run: `setup_command = ["sh", "-c", "${noted}"]` });
    const id = addTask(folder, 'Work', ['edit work.txt work']);
    const secrets = {
      HOLDFAST_STORE: 'postgres://holdfast:secret@db/holdfast',
      HOLDFAST_TOKEN: 'hf_secret',
      RINGMASTER_TOKEN: '7',
    };
    await startRun(folder, ['--once'], { OTHER: 'kept', ...secrets }).ended;
    expect(show(folder, id).attempts).toHaveLength(1);
    expect(linesOf(folder, 'env')).toEqual(['kept']);
  });
});

describe('a new worktree', () => {
  it('has copied and linked files and the result of setup_command, none of which is committed', async () => {
    const folder = makeProject({
      run: `setup_command = ["sh", "-c", "cat .env modules/index > built.txt; echo set up at $RINGMASTER_PORT"]
copy_paths = [".env", "missing"]
link_paths = ["modules"]
test_command = ["grep", "-q", "TOKEN=1", "built.txt"]`,
    });
    writeFileSync(join(folder, '.gitignore'), 'built.txt\nmodules/\n');
    git(folder, 'add', '.gitignore');
    git(folder, 'commit', '-qm', 'ignore');
    writeFileSync(join(folder, '.env'), 'TOKEN=1\n');
    mkdirSync(join(folder, 'modules'));
    writeFileSync(join(folder, 'modules/index'), 'one\n');
    const id = addTask(folder, 'Work', ['edit work.txt work', 'commit everything']);
    const idle = addTask(folder, 'Nothing', ['say nothing to do']);
    expect(await runOnce(folder)).toContain('missing does not exist in');
    expect(show(folder, id).task.status).toBe('done');
    expect(git(folder, 'diff', '--name-only', 'main', `ringmaster/${id}-a1`)).toBe('work.txt');
    expect(run(folder, ['logs', id]).stdout).toMatch(/setup_command \(sh .*\)\n\nset up at 200\d0\n/);
    // A file that the setup provides is not a change by the worker.
    expect(show(folder, idle)).toMatchObject({ task: { status: 'done' }, attempts: [{ outcome: 'succeeded' }] });
    expect(leftInGit(folder).branches).toEqual([`ringmaster/${id}-a1`]);
    expect(readFileSync(join(folder, 'modules/index'), 'utf8')).toBe('one\n');
  });

  it('whose setup_command leaves files that git does not ignore has no change by the worker until the worker makes one', async () => {
    const folder = makeProject({ run: 'setup_command = ["sh", "-c", "echo built > built.txt; echo 2 >> a.txt"]' });
    const idle = addTask(folder, 'Idle', ['say ✓ Task complete', 'git status --short']);
    const commits = addTask(folder, 'Commits', ['commit everything']);
    const works = addTask(folder, 'Works', ['edit work.txt work']);
    await runOnce(folder);
    for (const id of [idle, commits]) {
      expect(show(folder, id)).toMatchObject({ task: { status: 'blocked' }, attempts: [{ outcome: 'no_change' }] });
    }
    expect(show(folder, works)).toMatchObject({ task: { status: 'done' }, attempts: [{ outcome: 'succeeded' }] });
    expect(git(folder, 'show', `ringmaster/${works}-a1:work.txt`)).toBe('work');
  });

  it('whose setup_command fails, hangs or is missing ends the attempt with a failure that says why', async () => {
    const failureOfSetup = async (setup: string, more = ''): Promise<string | null> => {
      const folder = makeProject({ run: `setup_command = ${setup}`, worker: more });
      const id = addTask(folder, 'Work', ['mark ran once', 'edit work.txt work'], '--max-attempts', '1');
      await runOnce(folder);
      const { task, attempts } = show(folder, id);
      expect(attempts).toMatchObject([{ outcome: 'failed', failure_class: 'task' }]);
      expect(existsSync(join(folder, 'ran'))).toBe(false);
      expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
      expect(leftProcesses(folder)).toEqual([]);
      return task.last_failure;
    };
    expect(await failureOfSetup('["sh", "-c", "echo no network >&2; exit 7"]')).toBe(
      'setup_command (sh -c echo no network >&2; exit 7) ended with exit code 7\nno network',
    );
    expect(await failureOfSetup('["sleep", "1000"]', 'timeout_seconds = 0.5')).toBe(
      'setup_command (sleep 1000) exceeded its time limit',
    );
    expect(await failureOfSetup('["no-such-program"]')).toBe(
      'setup_command (no-such-program) failed: the command "no-such-program" cannot be started',
    );
  });

  it('has the work of earlier attempts, also after an attempt whose setup_command failed', async () => {
    const setup = 'echo x >> $RINGMASTER_ROOT/setups; test $(wc -l < $RINGMASTER_ROOT/setups) -ne 2';
    const folder = makeProject({
      run: `max_iterations = 1\nsetup_command = ["sh", "-c", "${setup}"]`,
      retrySeconds: 0.1,
    });
    const id = addTask(folder, 'Work', ['append work.txt work', 'times 1 exit 1'], '--max-attempts', '3');
    await runOnce(folder);
    expect(show(folder, id)).toMatchObject({ task: { status: 'done', failures: 2 } });
    expect(git(folder, 'show', `ringmaster/${id}-a3:work.txt`)).toBe('work\nwork');
  });

  it('is set up again from the beginning after the supervisor was killed during setup_command', async () => {
    const command = `echo begun >> $RINGMASTER_ROOT/setups; test ! -e half || echo dirty >> $RINGMASTER_ROOT/dirty; touch half; test -e $RINGMASTER_ROOT/go || sleep 1000`;
    const folder = makeProject({ run: `setup_command = ["sh", "-c", "${command}"]` });
    const id = addTask(folder, 'Work', ['edit work.txt work']);
    const killed = startRun(folder, ['--once']);
    await until('the setup', () => existsSync(join(folder, 'setups')));
    killed.child.kill('SIGKILL');
    await killed.ended;
    await until('no orphan is left', () => leftProcesses(folder).length === 0);
    writeFileSync(join(folder, 'go'), '');
    await runOnce(folder);
    expect(show(folder, id)).toMatchObject({
      task: { status: 'done' },
      attempts: [{ number: 1, outcome: 'succeeded' }],
    });
    expect([linesOf(folder, 'setups').length, existsSync(join(folder, 'dirty'))]).toEqual([2, false]);
  });
});

describe('ports of worktrees', () => {
  interface Ports {
    readonly port_start: number;
    readonly port_end: number;
  }

  it('never overlap while worktrees live, survive a restart, and are free again afterwards', async () => {
    const folder = makeProject({ run: 'slots = 3\nfirst_port = 30000\nports_per_worktree = 5' });
    for (const name of ['One', 'Two', 'Three']) addTask(folder, name, ['note-ports ports', 'wait-for go']);
    const ranges = ['30000 30004', '30005 30009', '30010 30014'];
    const killed = startRun(folder);
    await until('three workers', () => linesOf(folder, 'ports').length === 3);
    expect(linesOf(folder, 'ports').sort()).toEqual(ranges);
    const state = await openState(folder);
    const stored = (): Ports[] =>
      state.store.reader.all<Ports>('SELECT port_start, port_end FROM attempt_runs ORDER BY attempt_id');
    const before = stored();
    killed.child.kill('SIGKILL');
    await killed.ended;
    // Worktrees that were taken over keep their ports although the settings have changed; a new worktree gets other
    // ports.
    const toml = join(folder, 'ringmaster.toml');
    const changed = readFileSync(toml, 'utf8').replace('slots = 3', 'slots = 4').replace('= 30000', '= 30002');
    writeFileSync(toml, changed);
    addTask(folder, 'Four', ['note-ports ports', 'wait-for go']);
    const second = startRun(folder, ['--once']);
    await until('four more workers', () => linesOf(folder, 'ports').length === 7);
    expect(linesOf(folder, 'ports').slice(3).sort()).toEqual([...ranges, '30015 30019']);
    expect(stored().slice(0, 3)).toEqual(before);
    writeFileSync(join(folder, 'go'), '');
    expect((await second.ended).code).toBe(0);
    addTask(folder, 'Five', ['note-ports ports']);
    await runOnce(folder);
    expect(linesOf(folder, 'ports').at(-1)).toBe('30002 30006');
  });
});

describe('a worker that exceeds a limit', () => {
  it('for memory or output fails its attempt, which names the limit', async () => {
    const folder = makeProject({ run: 'memory_limit_mb = 300\noutput_limit_mb = 2\nmax_iterations = 3' });
    const cases = {
      Greedy: ['edit a.txt b', 'allocate 400', 'hang'],
      Talkative: ['edit a.txt b', 'flood 3', 'hang'],
      Brief: ['edit a.txt b', 'flood 3'],
      Modest: ['edit c.txt d', 'allocate 20', 'flood 1'],
    };
    const ids = Object.entries(cases).map(([title, steps]) => addTask(folder, title, steps, '--max-attempts', '1'));
    await runOnce(folder);
    const shown = ids.map((id) => show(folder, id));
    const reasons = shown.map(({ attempts }) => attempts.map(({ reason }) => reason?.split('\n', 1)[0]));
    expect(reasons).toEqual([
      ['The worker and its child processes exceeded memory_limit_mb'],
      ['The worker printed more than output_limit_mb'],
      ['The worker printed more than output_limit_mb'],
      [undefined],
    ]);
    expect(shown.map(({ task }) => task.status)).toEqual(['failed', 'failed', 'failed', 'done']);
    expect(leftProcesses(folder)).toEqual([]);
  });

  it('counts the memory of processes that left its process group', async () => {
    const folder = makeProject({ run: 'memory_limit_mb = 300' });
    const program = join(folder, 'spread.sh');
    const child =
      "require('node:child_process').spawn(process.execPath, ['-e', 'globalThis.kept = Buffer.alloc(4e8, 1); setInterval(() => {}, 1000)'], { detached: true })";
    writeFileSync(program, `#!/bin/sh\ncat > /dev/null\nexec node -e "${child}; setInterval(() => {}, 1000)"\n`, {
      mode: 0o755,
    });
    const toml = join(folder, 'ringmaster.toml');
    writeFileSync(toml, readFileSync(toml, 'utf8').replace(/^command = .*$/m, `command = "${program}"`));
    const id = addTask(folder, 'Spread', [], '--max-attempts', '1');
    await runOnce(folder);
    expect(show(folder, id).task.last_failure).toContain('exceeded memory_limit_mb');
    expect(leftProcesses(folder)).toEqual([]);
  });
});
