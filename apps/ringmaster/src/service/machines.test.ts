import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openTest, testClock } from '../../test/harness.ts';
import { git } from '../../test/held.ts';
import { directServer, openMachine, runMachine, servedProject } from '../../test/machines.ts';
import { defaultConfig } from '../model/config.ts';
import type { MachineClaim } from '../operations/machines.ts';
import { attemptsOf } from '../store/attempts.ts';
import { iterationsOf } from '../store/iterations.ts';
import { existingTask } from '../store/tasks.ts';
import { listWorkers } from '../store/workers.ts';
import { addDependency } from './graph.ts';
import { answerInquiry } from './inquiries.ts';
import { readLogs } from './logs.ts';
import { claimForMachine, finishForMachine, heartbeatOfMachine, outputOfMachine } from './machines.ts';
import { mergeTask } from './merge.ts';
import type { Ringmaster } from './ringmaster.ts';
import { runWorkers } from './run/run.ts';
import { addTask, editTask } from './tasks.ts';
import { addWorker } from './workers.ts';

const worker = resolve(import.meta.dirname, '../../test/programs/fake-worker.mjs');
const steps = (...lines: string[]): string => lines.map((line) => `DO ${line}`).join('\n');
const statusOf = ({ store }: Ringmaster, id: string): string => existingTask(store.reader, id).status;

const claimOf = (more: Partial<MachineClaim> = {}): MachineClaim => ({
  machine: 'm1',
  key: 'a'.repeat(64),
  worker: 'solo',
  type: 'custom',
  capabilities: [],
  max_concurrent: 2,
  test_command: [],
  review_command: [],
  held: [],
  ...more,
});
const own = { machine: 'm1', key: 'a'.repeat(64) };
const other = { machine: 'm1', key: 'b'.repeat(64) };

describe('a machine that works for a server', () => {
  it('does a task, pushes its branch, and sends output and report', async () => {
    const { rm, remote } = await servedProject();
    const { id } = await addTask(rm, { title: 'Sweep', description: steps('say sweeping', 'edit ring.txt clean') });
    const machine = await openMachine(remote, { command: worker });
    const { summary, events } = await runMachine(machine, directServer(rm));
    expect(summary, JSON.stringify(events)).toMatchObject({ attempts: 1, left: [] });
    expect(statusOf(rm, id)).toBe('done');
    expect([...readLogs(rm, { task: id })].map(({ text }) => text).join('')).toContain('sweeping');
    expect(iterationsOf(rm.store.reader, id)).toMatchObject([{ number: 1, result: 'success' }]);
    await mergeTask(rm, { task: id });
    expect(readFileSync(resolve(rm.workspace.root, 'ring.txt'), 'utf8')).toBe('clean\n');
    expect(git(remote, 'branch', '--list')).toBe('');
    expect(
      git(machine.workspace.root, '-C', '.ringmaster/repositories/circus', 'branch', '--list', 'ringmaster/*'),
    ).toBe('');
  });

  it('starts a dependent task with the work of another machine', async () => {
    const { rm, remote } = await servedProject();
    const first = await addTask(rm, { title: 'One', description: steps('edit one.txt 1'), capabilities: ['a'] });
    const second = await addTask(rm, {
      title: 'Two',
      description: steps('git mv one.txt two.txt'),
      capabilities: ['b'],
    });
    await addDependency(rm, { task: second.id, depends_on: first.id });
    const [a, b] = [
      await openMachine(remote, { command: worker, capabilities: ['a'] }),
      await openMachine(remote, { command: worker, capabilities: ['b'] }),
    ];
    await runMachine(b, directServer(rm));
    expect(statusOf(rm, second.id)).toBe('ready');
    await runMachine(a, directServer(rm));
    await runMachine(b, directServer(rm));
    expect([first.id, second.id].map((id) => statusOf(rm, id))).toEqual(['done', 'done']);
    await mergeTask(rm, { task: second.id });
    expect(readFileSync(resolve(rm.workspace.root, 'two.txt'), 'utf8')).toBe('1\n');
  });

  it('reports a failure, and the next attempt continues with its work', async () => {
    const config = { queue: { ...defaultConfig.queue, retry_base_seconds: 0 } };
    const { rm, remote } = await servedProject({ config });
    const { id } = await addTask(rm, { title: 'Hard', description: steps('append ring.txt more', 'exit 3') });
    const machine = await openMachine(remote, { command: worker }, { max_iterations: 1 });
    await runMachine(machine, directServer(rm));
    expect(statusOf(rm, id)).toBe('failed');
    const attempts = attemptsOf(rm.store.reader, id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(attempts.map(() => 'failed'));
    expect(attempts.length).toBeGreaterThan(1);
    const text = git(rm.workspace.root, 'show', `ringmaster/${id}-a${attempts.length}:ring.txt`);
    expect(text.split('\n')).toHaveLength(1 + attempts.length);
  });

  it('continues earlier work after the branch of the project has moved', async () => {
    const review = { review: 'command', review_command: ['true'] };
    const { rm, remote } = await servedProject({ config: { run: { ...defaultConfig.run, ...review } } });
    const failing = steps('edit one.txt 1', 'exit 3');
    const { id } = await addTask(rm, { title: 'Hard', description: failing, max_attempts: 1 });
    const machine = await openMachine(remote, { command: worker }, { max_iterations: 1, ...review });
    await runMachine(machine, directServer(rm));
    expect(statusOf(rm, id)).toBe('failed');
    git(rm.workspace.root, 'commit', '-q', '--allow-empty', '-m', 'meanwhile');
    await editTask(rm, { task: id, description: steps('append one.txt 2') });
    await answerInquiry(rm, { inquiry: `${id}-d1`, answer: 'try again' });
    const { events } = await runMachine(machine, directServer(rm));
    expect(statusOf(rm, id), JSON.stringify(events)).toBe('done');
    await mergeTask(rm, { task: id });
    expect(readFileSync(resolve(rm.workspace.root, 'one.txt'), 'utf8')).toBe('1\n2\n');
  });

  it('asks for a decision if nothing was changed', async () => {
    const { rm, remote } = await servedProject();
    const { id } = await addTask(rm, { title: 'Nothing', description: steps('git status') });
    await runMachine(await openMachine(remote, { command: worker }), directServer(rm));
    expect(existingTask(rm.store.reader, id)).toMatchObject({ status: 'blocked' });
    expect(attemptsOf(rm.store.reader, id)).toMatchObject([{ outcome: 'no_change' }]);
  });

  it('merges finished work on the server if the settings say so', async () => {
    const { rm, remote } = await servedProject({ config: { run: { ...defaultConfig.run, auto_merge: true } } });
    await addTask(rm, { title: 'One', description: steps('edit one.txt 1') });
    await addTask(rm, { title: 'Two', description: steps('edit two.txt 2') });
    await runMachine(await openMachine(remote, { command: worker }), directServer(rm));
    expect(git(rm.workspace.root, 'ls-tree', '--name-only', 'main').split('\n')).toEqual([
      'one.txt',
      'ring.txt',
      'two.txt',
    ]);
  });

  it('leaves no branch of merged work when the server was killed after the merge', async () => {
    const config = { run: { ...defaultConfig.run, auto_merge: true } };
    const { rm, remote } = await servedProject({ config });
    const { id } = await addTask(rm, { title: 'One', description: steps('edit one.txt 1') });
    await runMachine(await openMachine(remote, { command: worker }), directServer(rm));
    git(rm.workspace.root, 'branch', `ringmaster/${id}-a1`, 'main^2');
    const restarted = await openTest({ root: rm.workspace.root, config });
    await claimForMachine(restarted, claimOf());
    expect(git(rm.workspace.root, 'branch', '--list', 'ringmaster/*')).toBe('');
  });

  it('gets no task of a project whose test command it does not have', async () => {
    const test_command = ['true'];
    const { rm, remote } = await servedProject({ config: { run: { ...defaultConfig.run, test_command } } });
    const { id } = await addTask(rm, { title: 'Sweep', description: steps('edit ring.txt clean') });
    const without = await runMachine(await openMachine(remote, { command: worker }), directServer(rm));
    expect(without.events).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('needs test_command = ["true"]') as string }),
    );
    expect(statusOf(rm, id)).toBe('ready');
    await runMachine(await openMachine(remote, { command: worker }, { test_command }), directServer(rm));
    expect(statusOf(rm, id)).toBe('done');
  });
});

describe('the server', () => {
  it('lets a machine change only attempts of its own', async () => {
    const { rm } = await servedProject();
    const { id } = await addTask(rm, { title: 'Sweep' });
    const { work } = await claimForMachine(rm, claimOf());
    const token = work?.token ?? 0;
    const refused = { code: 'ATTEMPT_NOT_FOUND' };
    const released = { kind: 'released', head_commit: null } as const;
    await expect(heartbeatOfMachine(rm, { ...other, token })).rejects.toMatchObject(refused);
    await expect(outputOfMachine(rm, { ...other, token, turn: 1, offset: 0, text: 'x' })).rejects.toMatchObject(
      refused,
    );
    await expect(finishForMachine(rm, { ...other, token, ...released })).rejects.toMatchObject(refused);
    // A claim by another machine does not release this machine's attempt.
    await claimForMachine(rm, claimOf(other));
    expect(statusOf(rm, id)).toBe('assigned');
    expect(await heartbeatOfMachine(rm, { ...own, token })).toMatchObject({ cancel: false });
  });

  it('shows too much of a hash of the key for anybody to find another key with the same one', async () => {
    const { rm } = await servedProject();
    await claimForMachine(rm, claimOf());
    // 16 characters with 6 bits each.
    expect(listWorkers(rm.store.reader).map(({ id }) => id)).toEqual([expect.stringMatching(/^solo\.m1-[\w-]{16}$/)]);
    const longest = claimOf({ worker: 'w'.repeat(50), machine: 'm'.repeat(60) });
    expect(await claimForMachine(rm, longest)).toMatchObject({ work: null });
  });

  it('never runs a program that a machine names', async () => {
    const { rm } = await servedProject();
    await claimForMachine(rm, claimOf({ test_command: ['/bin/evil'], review_command: ['/bin/evil'] }));
    expect(listWorkers(rm.store.reader).map(({ command, args }) => [command, args])).toEqual([['', '[]']]);
  });

  it('leaves attempts on other machines alone when workers run on the server too', async () => {
    const { rm } = await servedProject();
    const { id } = await addTask(rm, { title: 'Far', capabilities: ['far'] });
    const { work } = await claimForMachine(rm, claimOf({ capabilities: ['far'] }));
    const near = await addTask(rm, { title: 'Near', description: steps('edit near.txt 1') });
    await addWorker(rm, { worker: 'local', type: 'custom', command: worker });
    const { signal } = new AbortController();
    const { pid, env } = process;
    await runWorkers(rm, { slots: 1, once: true, project: undefined, signal, pid, env, tell: () => undefined });
    expect([id, near.id].map((one) => statusOf(rm, one))).toEqual(['assigned', 'done']);
    expect(await heartbeatOfMachine(rm, { ...own, token: work?.token ?? 0 })).toMatchObject({ cancel: false });
  });

  it('releases a task whose claim the machine does not know', async () => {
    const { rm } = await servedProject();
    await addTask(rm, { title: 'Sweep' });
    const lost = await claimForMachine(rm, claimOf());
    const again = await claimForMachine(rm, claimOf({ held: [] }));
    expect(again.work?.task.id).toBe(lost.work?.task.id);
    expect(again.work?.token).toBeGreaterThan(lost.work?.token ?? 0);
    const token = lost.work?.token ?? 0;
    await expect(heartbeatOfMachine(rm, { ...own, token })).rejects.toMatchObject({ code: 'STALE_TOKEN' });
    expect((await claimForMachine(rm, claimOf({ held: [again.work?.token ?? 0] }))).work).toBeNull();
  });

  it('refuses output and report after the lease has expired, and gives the task to another machine', async () => {
    const clock = testClock();
    const { rm } = await servedProject({ clock });
    await addTask(rm, { title: 'Sweep' });
    const { work } = await claimForMachine(rm, claimOf());
    const token = work?.token ?? 0;
    await outputOfMachine(rm, { ...own, token, turn: 1, offset: 0, text: 'first\n' });
    clock.advance(2 * (work?.lease_seconds ?? 0) * 1_000);
    expect((await claimForMachine(rm, claimOf(other))).work?.task.id).toBe(work?.task.id);
    const stale = { code: 'STALE_TOKEN' };
    await expect(outputOfMachine(rm, { ...own, token, turn: 1, offset: 6, text: 'late' })).rejects.toMatchObject(stale);
    const done = { kind: 'done', head_commit: work?.from_commit ?? null } as const;
    await expect(finishForMachine(rm, { ...own, token, ...done })).rejects.toMatchObject(stale);
    expect(iterationsOf(rm.store.reader, work?.task.id ?? '')).toMatchObject([{ result: 'interrupted' }]);
  });

  it('accepts no result before its commits have arrived, and none without a change', async () => {
    const { rm, remote } = await servedProject();
    const { id } = await addTask(rm, { title: 'Sweep' });
    const { work } = await claimForMachine(rm, claimOf());
    const finish = { ...own, token: work?.token ?? 0, kind: 'done' } as const;
    const missing = finishForMachine(rm, { ...finish, head_commit: 'f'.repeat(40) });
    await expect(missing).rejects.toMatchObject({ code: 'BRANCH_NOT_ARRIVED' });
    // Sets the branch to a commit that does not contain the starting point. The server must refuse it.
    git(
      remote,
      'update-ref',
      `refs/heads/${work?.branch}`,
      git(remote, 'commit-tree', '-m', 'x', `${work?.from_commit}^{tree}`),
    );
    const strange = git(remote, 'rev-parse', work?.branch ?? '');
    await expect(finishForMachine(rm, { ...finish, head_commit: strange })).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
    });
    expect(statusOf(rm, id)).toBe('assigned');
    expect(await finishForMachine(rm, { ...finish, head_commit: null })).toMatchObject({ status: 'blocked' });
  });

  it('appends output only where its log ends', async () => {
    const { rm } = await servedProject();
    await addTask(rm, { title: 'Sweep' });
    const { work } = await claimForMachine(rm, claimOf());
    const piece = { ...own, token: work?.token ?? 0, turn: 1 };
    expect(await outputOfMachine(rm, { ...piece, offset: 0, text: 'one\n' })).toEqual({ bytes: 4 });
    // Simulates a machine that lost the reply and sends the same output again.
    expect(await outputOfMachine(rm, { ...piece, offset: 0, text: 'one\n' })).toEqual({ bytes: 4 });
    expect(await outputOfMachine(rm, { ...piece, offset: 4, text: 'two\n' })).toEqual({ bytes: 8 });
    await expect(outputOfMachine(rm, { ...piece, turn: 3, offset: 0, text: '' })).rejects.toMatchObject({
      code: 'TEXT_INVALID',
    });
    expect([...readLogs(rm, { task: work?.task.id ?? '' })].map(({ text }) => text).join('')).toBe('one\ntwo\n');
  });

  it('lets a person review the work although the machine reports it as done', async () => {
    const { rm, remote } = await servedProject({ config: { run: { ...defaultConfig.run, review: 'person' } } });
    const { id } = await addTask(rm, { title: 'Sweep' });
    const { work } = await claimForMachine(rm, claimOf());
    const commit = git(remote, 'commit-tree', '-p', work?.from_commit ?? '', '-m', 'x', `${work?.from_commit}^{tree}`);
    git(remote, 'update-ref', `refs/heads/${work?.branch}`, commit);
    await finishForMachine(rm, { ...own, token: work?.token ?? 0, kind: 'done', head_commit: commit });
    expect(statusOf(rm, id)).toBe('review');
  });
});
