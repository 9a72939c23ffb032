import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { identityOf } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../../test/command.ts';
import {
  addTask,
  git,
  isRunning,
  leftInGit,
  leftProcesses,
  makeProject,
  openState,
  pidIn,
  runOnce,
  startRun,
  until,
} from '../../../test/running.ts';
import { iterationsOf } from '../../store/iterations.ts';
import { examine } from '../doctor.ts';
import type { Ringmaster } from '../ringmaster.ts';

const CHECKED = `test_command = ["true"]
review = "command"
review_command = ["true"]`;

/** Every step of an attempt, in order; the process is killed right after each. */
const steps = [
  'claimed',
  'planned',
  'worktree',
  'prepared',
  'prompt',
  'begun',
  'spawned',
  'recorded',
  'exited',
  'worked',
  'tests',
  'tested',
  'review',
  'reviewed',
  'committed',
  'finished',
  'renamed',
  'removed',
];
/** From here on the worker's turn is recorded and does not run again. */
const KNOWN_FROM = steps.indexOf('worked');

const timesRun = (folder: string): number =>
  existsSync(join(folder, 'ran')) ? readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n').length : 0;

interface Counted {
  readonly outcome: string | null;
  readonly n: number;
}
function outcomes({ store }: Ringmaster): Counted[] {
  return store.reader.all<Counted>(`SELECT outcome, count(*) AS n FROM attempts GROUP BY 1 ORDER BY 1`);
}

describe('the supervisor, killed between two steps', () => {
  it.each(steps)('after "%s" leaves no process, and the next one goes on from there', async (step) => {
    const folder = makeProject({ run: CHECKED });
    // At these two steps the worker is still running when the supervisor is killed, so the worker must never end by
    // itself.
    const last = step === 'spawned' || step === 'recorded' ? 'times 1 hang' : 'sleep 50';
    const id = addTask(folder, 'Work', ['mark ran once', 'edit work.txt done', last]);
    const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: `ringmaster.run.${step}:1` });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    // The guardian kills the orphans before another supervisor runs.
    await until('no orphan is left', () => leftProcesses(folder).length === 0);
    const before = timesRun(folder);
    await runOnce(folder);
    const state = await openState(folder);
    expect(dataOf<{ task: { status: string } }>(folder, 'task', 'show', id).task.status).toBe('done');
    expect(outcomes(state)).toEqual([{ outcome: 'succeeded', n: 1 }]);
    if (steps.indexOf(step) >= KNOWN_FROM) expect(timesRun(folder)).toBe(before);
    else expect(timesRun(folder)).toBeLessThanOrEqual(2);
    expect(iterationsOf(state.store.reader, id).filter(({ result }) => result === 'success')).toHaveLength(1);
    expect(iterationsOf(state.store.reader, id).every(({ ended_at }) => ended_at !== null)).toBe(true);
    expect(leftProcesses(folder)).toEqual([]);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [`ringmaster/${id}-a1`] });
    expect(readdirSync(join(folder, '.ringmaster/worktrees'))).toEqual([]);
    expect(git(folder, 'show', `ringmaster/${id}-a1:work.txt`)).toBe('done');
    expect((await examine(state, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
    const branch = git(folder, 'rev-parse', `ringmaster/${id}-a1`);
    for (const point of ['moved', 'recorded']) {
      if (step !== 'claimed') break;
      // The merge does not depend on the step at which the process was killed, so checking one step is enough.
      killMerge(folder, id, point);
    }
    if (step === 'claimed') expect(git(folder, 'merge-base', '--is-ancestor', branch, 'HEAD')).toBe('');
  });
});

describe('a task that starts with the work of two dependencies', () => {
  it.each(['planned', 'worktree'])('starts from the same commit after a kill at "%s"', async (point) => {
    const folder = makeProject();
    const parts = ['one', 'two'].map((name) => addTask(folder, name, [`edit ${name}.txt ${name}`]));
    await runOnce(folder);
    const id = addTask(folder, 'Both', ['edit both.txt both'], ...parts.flatMap((part) => ['--depends-on', part]));
    const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: `ringmaster.run.${point}:1` });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await runOnce(folder);
    expect(dataOf<{ task: { status: string } }>(folder, 'task', 'show', id).task.status).toBe('done');
    const files = git(folder, 'ls-tree', '-r', '--name-only', `ringmaster/${id}-a1`).split('\n');
    expect(files).toEqual(['a.txt', 'both.txt', 'one.txt', 'two.txt']);
    const branches = [...parts, id].map((task) => `ringmaster/${task}-a1`).sort();
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches });
  });
});

describe('a merge that the settings ask for', () => {
  it.each(['run.finished', 'run.removed', 'merge.moved'])('happens after a kill at "%s"', async (point) => {
    const folder = makeProject({ run: 'auto_merge = true' });
    const id = addTask(folder, 'First', ['edit first.txt first']);
    const after = addTask(
      folder,
      'Second',
      ['git cat-file -e HEAD:first.txt', 'edit second.txt 2'],
      '--depends-on',
      id,
    );
    const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: `ringmaster.${point}:1` });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await until('no orphan is left', () => leftProcesses(folder).length === 0);
    const listed = dataOf<{ id: string; status: string; merge_state: string | null }[]>(folder, 'task', 'list');
    expect(listed.find((task) => task.id === id)).toMatchObject({ status: 'done', merge_state: 'pending' });
    expect(dataOf(folder, 'status')).toMatchObject({ pending_merges: 1, unmerged: 1 });
    expect(run(folder, ['task', 'list']).stdout).toContain('done, merge pending');
    expect(run(folder, ['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining(`${id} is done, but`) });
    await runOnce(folder);
    expect(readFileSync(join(folder, 'first.txt'), 'utf8')).toBe('first\n');
    expect(dataOf(folder, 'task', 'show', after)).toMatchObject({ task: { status: 'done' } });
    expect(dataOf(folder, 'status')).toMatchObject({ pending_merges: 0, unmerged: 0 });
    expect(run(folder, ['doctor']).code).toBe(0);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
  });

  it('leaves no branch after a kill between the merge and the deletion of the branch', async () => {
    const folder = makeProject({ run: 'auto_merge = true' });
    const id = addTask(folder, 'First', ['edit first.txt first']);
    const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: 'ringmaster.merge.recorded:1' });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(leftInGit(folder).branches).toEqual([`ringmaster/${id}-a1`]);
    await runOnce(folder);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
    expect(git(folder, 'show', 'main:first.txt')).toBe('first');
  });
});

describe('a supervisor of many, killed again and again', () => {
  it('loses no task and does none twice', async () => {
    const folder = makeProject({ run: 'slots = 4' });
    const ids = Array.from({ length: 16 }, (_, n) => addTask(folder, `T${n}`, [`edit t${n}.txt ${n}`, 'sleep 30']));
    const state = await openState(folder);
    const done = (): number =>
      state.store.reader.get<{ n: number }>(`SELECT count(*) AS n FROM tasks WHERE status = 'done'`)?.n ?? 0;
    for (let round = 1; round <= 4; round++) {
      const running = startRun(folder);
      await until(`${round * 3} are done`, () => done() >= round * 3);
      await new Promise((wake) => setTimeout(wake, (round * 37) % 100));
      running.child.kill('SIGKILL');
      await running.ended;
    }
    await runOnce(folder);
    expect(outcomes(state)).toEqual([{ outcome: 'succeeded', n: ids.length }]);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: ids.map((id) => `ringmaster/${id}-a1`).sort() });
    for (const [n, id] of ids.entries()) expect(git(folder, 'show', `ringmaster/${id}-a1:t${n}.txt`)).toBe(String(n));
    await until('no orphan is left', () => leftProcesses(folder).length === 0);
    expect((await examine(state, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });
});

function killMerge(folder: string, id: string, point: string): void {
  process.env['HOLDFAST_FAILPOINT'] = `ringmaster.merge.${point}:1`;
  try {
    run(folder, ['merge', id]);
  } finally {
    delete process.env['HOLDFAST_FAILPOINT'];
  }
  // Exit code 3 means that the killed command had already merged the work; 0 means that this command merged it.
  expect([0, 3]).toContain(run(folder, ['merge', id]).code);
}

describe('the worker, killed between two steps', () => {
  it('is started again in the same folder, whatever it had done, and its task is done once', async () => {
    const folder = makeProject();
    const parts = ['edit one.txt 1', 'commit one', 'edit two.txt 2', 'say ✓ Task complete'];
    const ids = parts.map((_, at) => {
      const killed = [...parts.slice(0, at), 'times 1 kill-self', ...parts.slice(at)];
      // Only the first turn commits, because the second turn may have nothing left to commit.
      return addTask(
        folder,
        `Killed before ${at}`,
        killed.map((part) => part.replace('commit one', 'times 1 commit one')),
      );
    });
    await runOnce(folder);
    const state = await openState(folder);
    for (const id of ids) {
      expect(iterationsOf(state.store.reader, id).map(({ result }) => result)).toEqual(['failed', 'success']);
      expect(git(folder, 'show', `ringmaster/${id}-a1:two.txt`)).toBe('2');
    }
    expect(outcomes(state)).toEqual([{ outcome: 'succeeded', n: parts.length }]);
    expect(leftInGit(folder).worktrees).toBe(0);
  });

  it('by a stop past its lease loses the task, and what it says later is refused', async () => {
    const folder = makeProject({ lease_seconds: 3 });
    const id = addTask(folder, 'Stopped', [
      'mark ran once',
      'pid worker.pid',
      'times 1 wait-for go',
      'edit who.txt me',
    ]);
    const running = startRun(folder);
    const pid = await until('it works', () => pidIn(folder, 'worker.pid'));
    process.kill(pid, 'SIGSTOP');
    const state = await openState(folder);
    await until('the task is done by another attempt', () =>
      state.store.reader.get(`SELECT 1 AS x FROM tasks WHERE status = 'done'`),
    );
    await until('the first worker is gone', () => !isRunning(pid));
    running.child.kill('SIGTERM');
    await running.ended;
    expect(outcomes(state)).toEqual([
      { outcome: 'expired', n: 1 },
      { outcome: 'succeeded', n: 1 },
    ]);
    expect(iterationsOf(state.store.reader, id).at(-1)?.result).toBe('success');
    expect(leftInGit(folder).worktrees).toBe(0);
    expect((await examine(state, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });
});

describe('an attempt whose supervisor', () => {
  it('lives is left alone; one from before a reboot is taken over, whoever has its number now', async () => {
    const folder = makeProject({ run: CHECKED });
    const id = addTask(folder, 'Work', ['mark ran once', 'edit work.txt done']);
    const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: 'ringmaster.run.worked:1' });
    await killed.ended;
    const state = await openState(folder);
    const { pid, start, boot } = identityOf(process.pid);
    const supervisedBy = (bootId: string | null): Promise<unknown> =>
      state.store.write('another supervisor', (tx) => {
        tx.run(
          'UPDATE attempt_runs SET supervisor_pid = ?, supervisor_start = ?, supervisor_boot = ?',
          pid,
          start,
          bootId,
        );
        tx.run(`UPDATE attempts SET lease_expires_at = '2999-01-01T00:00:00.000Z'`);
      });
    await supervisedBy(boot);
    await runOnce(folder);
    expect(outcomes(state)).toEqual([{ outcome: null, n: 1 }]);
    await supervisedBy('before the reboot');
    await runOnce(folder);
    expect(outcomes(state)).toEqual([{ outcome: 'succeeded', n: 1 }]);
    expect(timesRun(folder)).toBe(1);
    expect(git(folder, 'show', `ringmaster/${id}-a1:work.txt`)).toBe('done');
  });
});

describe('an attempt that was taken back before anybody took it over', () => {
  it('leaves its work to the next one, also when that is killed while it looks through what was left', async () => {
    const folder = makeProject({ lease_seconds: 3 });
    const id = addTask(folder, 'Half', [
      'times 1 edit half.txt half',
      'pid worker.pid',
      'times 1 hang',
      'edit rest.txt rest',
    ]);
    const first = startRun(folder);
    await until('it works', () => pidIn(folder, 'worker.pid'));
    first.child.kill('SIGKILL');
    await first.ended;
    await until('no orphan is left', () => leftProcesses(folder).length === 0);
    await until('the lease is over', () => dataOf<string[]>(folder, 'reap').includes(id));
    const second = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: 'ringmaster.run.kept:1' });
    expect((await second.ended).signal).toBe('SIGKILL');
    await runOnce(folder);
    const state = await openState(folder);
    expect(outcomes(state)).toEqual([
      { outcome: 'expired', n: 1 },
      { outcome: 'succeeded', n: 1 },
    ]);
    const files = git(folder, 'ls-tree', '--name-only', `ringmaster/${id}-a2`).split('\n');
    expect(files).toEqual(['a.txt', 'half.txt', 'rest.txt']);
    expect(iterationsOf(state.store.reader, id).map(({ result }) => result)).toEqual(['interrupted', 'success']);
    expect(leftInGit(folder).worktrees).toBe(0);
    expect((await examine(state, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });
});

describe('an attempt whose worktree a person deleted after a crash', () => {
  it('does not count as done, and the next one starts with the work that was committed', async () => {
    const folder = makeProject({ run: 'auto_merge = true' });
    const id = addTask(folder, 'Work', ['append work.txt done', 'commit work']);
    const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: 'ringmaster.run.worked:1' });
    expect((await killed.ended).signal).toBe('SIGKILL');
    rmSync(join(folder, '.ringmaster/worktrees'), { recursive: true });
    await runOnce(folder);
    const state = await openState(folder);
    expect(outcomes(state)).toEqual([
      { outcome: 'released', n: 1 },
      { outcome: 'succeeded', n: 1 },
    ]);
    expect(dataOf(folder, 'task', 'show', id)).toMatchObject({ task: { status: 'done', failures: 0 } });
    expect(git(folder, 'show', 'main:work.txt')).toBe('done\ndone');
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
  });
});

describe('a supervisor that was stopped past the lease', () => {
  it('finds its task done by another, says nothing about it, and leaves nothing behind', async () => {
    const folder = makeProject({ lease_seconds: 3 });
    const id = addTask(folder, 'Contested', [
      'mark ran once',
      'pid worker.pid',
      'times 1 wait-for go',
      'edit who.txt me',
    ]);
    const first = startRun(folder);
    const pid = await until('it works', () => pidIn(folder, 'worker.pid'));
    first.child.kill('SIGSTOP');
    const state = await openState(folder);
    const lease = (): boolean => {
      const row = state.store.reader.get<{ at: string }>('SELECT lease_expires_at AS at FROM attempts WHERE id = 1');
      return Date.parse(row?.at ?? '') < Date.now();
    };
    await until('the lease is over', lease);
    const second = startRun(folder);
    await until('the other has done it', () =>
      state.store.reader.get(`SELECT 1 AS x FROM tasks WHERE status = 'done'`),
    );
    await until('the first worker is gone', () => !isRunning(pid));
    first.child.kill('SIGCONT');
    await until('it knows', () => first.output().includes('lease lost: ringmaster ignores the work of this attempt'));
    for (const { child, ended } of [first, second]) {
      child.kill('SIGTERM');
      await ended;
    }
    expect(outcomes(state)).toEqual([
      { outcome: 'expired', n: 1 },
      { outcome: 'succeeded', n: 1 },
    ]);
    expect(dataOf<{ task: { status: string } }>(folder, 'task', 'show', id).task.status).toBe('done');
    expect(leftInGit(folder).worktrees).toBe(0);
    expect(leftProcesses(folder)).toEqual([]);
    expect((await examine(state, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });
});
