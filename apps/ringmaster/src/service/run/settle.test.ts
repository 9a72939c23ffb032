import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { identityOf } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../../../test/harness.ts';
import { git, type Held, heldInWorktree } from '../../../test/held.ts';
import { openLog } from '../../adapters/log-file.ts';
import { changesSince, removeFolder } from '../../adapters/worktree.ts';
import { iterationPath } from '../../model/attempt.ts';
import { waitsForAnswer, waitsForChange } from '../../model/decisions.ts';
import { runOf, runsOfTask, updateRun } from '../../store/attempt-runs.ts';
import { liveAttempt } from '../../store/attempts.ts';
import { existingTask } from '../../store/tasks.ts';
import { examine } from '../doctor.ts';
import { answerInquiry, inquire } from '../inquiries.ts';
import { report } from '../queue.ts';
import { finishRun } from './finish.ts';
import { recover } from './recover.ts';
import { settleRun } from './settle.ts';
import { closeTurn } from './turn.ts';

const finish = ({ rm, attempt }: Held) =>
  finishRun(rm, liveAttempt(rm.store.reader, attempt), { kind: 'done', note: null });

describe('the work of an attempt', () => {
  it('is not thrown away with a repository that the worker made inside of it, committed or not', async () => {
    const held = await heldInWorktree();
    const { rm, id, folder, repository } = held;
    const nested = join(folder, 'deep', 'own');
    mkdirSync(nested, { recursive: true });
    git(nested, 'init', '-q');
    writeFileSync(join(nested, 'precious.txt'), 'gold\n');
    const refusal = { code: 'NESTED_REPOSITORY', message: expect.stringContaining('deep/own') };
    await expect(finish(held)).rejects.toMatchObject(refusal);
    git(nested, 'add', '.');
    git(nested, 'commit', '-qm', 'inside');
    await expect(finish(held)).rejects.toMatchObject(refusal);
    git(folder, 'add', '--all');
    git(folder, 'commit', '-qm', 'outside');
    await expect(finish(held)).rejects.toMatchObject(refusal);
    await expect(settleRun(rm, runsOfTask(rm.store.reader, id)[0]!)).rejects.toMatchObject(refusal);
    expect(existsSync(join(nested, 'precious.txt'))).toBe(true);
    // Simulates a person who adds the nested files to the work.
    git(folder, 'rm', '-q', '--cached', 'deep/own');
    rmSync(join(nested, '.git'), { recursive: true });
    expect((await finish(held)).status).toBe('done');
    expect(git(repository, 'show', 'work:deep/own/precious.txt')).toBe('gold');
  });

  it('does not move a branch that the worker has made its own', async () => {
    const held = await heldInWorktree();
    const { repository, folder } = held;
    const main = git(repository, 'rev-parse', 'main');
    git(folder, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    expect((await finish(held)).status).toBe('done');
    expect(git(repository, 'rev-parse', 'main')).toBe(main);
    expect(git(repository, 'show', 'work:new.txt')).toBe('new');
  });

  it('never lies in a half-removed folder, whose missing files would look like deletions', async () => {
    const folder = join(temporaryFolder(), 'worktree');
    mkdirSync(folder);
    for (let n = 0; n < 2_000; n++) writeFileSync(join(folder, `${n}.txt`), '');
    const removed = removeFolder(folder).then(() => 'removed');
    const seen = new Set<number>();
    while ((await Promise.race([removed, setImmediate('removing')])) === 'removing') {
      if (existsSync(folder)) seen.add(readdirSync(folder).length);
    }
    expect([...seen].filter((files) => files !== 2_000)).toEqual([]);
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  it('is committed although a git that was killed left its locks', async () => {
    const held = await heldInWorktree();
    writeFileSync(join(held.folder, 'new.txt'), 'new\n');
    for (const name of ['index.lock', 'HEAD.lock', 'refs/heads/work.lock']) {
      writeFileSync(resolve(held.folder, git(held.folder, 'rev-parse', '--git-path', name)), '');
    }
    expect((await finish(held)).status).toBe('done');
    expect(git(held.repository, 'show', 'work:new.txt')).toBe('new');
  });

  it('is not called done, nor committed, in the middle of a merge with conflicts', async () => {
    const held = await heldInWorktree();
    const { rm, id, folder, repository } = held;
    for (const [checkout, text] of [
      [folder, 'mine'],
      [repository, 'theirs'],
    ] as const) {
      writeFileSync(join(checkout, 'ring.txt'), `${text}\n`);
      git(checkout, 'commit', '-qam', text);
    }
    expect(() => git(folder, 'merge', '-q', 'main')).toThrow(/CONFLICT|failed/u);
    const refusal = { code: 'MERGE_UNRESOLVED', message: expect.stringContaining('ring.txt') };
    await expect(changesSince(folder, 'main')).rejects.toMatchObject(refusal);
    await expect(finish(held)).rejects.toMatchObject(refusal);
    await expect(settleRun(rm, runsOfTask(rm.store.reader, id)[0]!)).rejects.toMatchObject(refusal);
    expect(git(repository, 'show', 'work:ring.txt')).toBe('mine');
    writeFileSync(join(folder, 'ring.txt'), 'both\n');
    git(folder, 'add', 'ring.txt');
    expect((await finish(held)).status).toBe('done');
    expect(git(repository, 'show', 'work:ring.txt')).toBe('both');
  });

  it('is not called done while a decision about it is open', async () => {
    const held = await heldInWorktree();
    const { rm, id, folder, repository } = held;
    writeFileSync(join(folder, 'ring.txt'), 'water\n');
    const decision = await inquire(rm, { task: id, kind: 'decision', question: 'Sand or water?' });
    expect(await finish(held)).toMatchObject({ status: 'blocked', blocked_reason: waitsForAnswer(decision.id) });
    expect(git(repository, 'show', 'work:ring.txt')).toBe('water');
    await answerInquiry(rm, { inquiry: decision.id, answer: 'water' });
    expect(existingTask(rm.store.reader, id).status).toBe('ready');
  });

  it('may go on while the state is repaired: the log that it writes stays where it is', async () => {
    const { rm, id, attempt } = await heldInWorktree();
    const log = join(rm.workspace.filesPath, iterationPath(id, 1, 'log'));
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, 'so far\n');
    await examine(rm, { repair: true });
    expect(existsSync(log)).toBe(true);
    await report(rm, { token: attempt, status: 'released' });
    await examine(rm, { repair: true });
    expect(existsSync(log)).toBe(false);
  });

  it('closes its log also when the task was lost meanwhile', async () => {
    const { rm, attempt: token } = await heldInWorktree();
    const path = join(temporaryFolder(), 'log');
    const log = openLog(path);
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some((name) => {
        const link = join('/proc/self/fd', name);
        return existsSync(link) && readlinkSync(link) === path;
      });
    expect(isOpen()).toBe(true);
    const attempt = liveAttempt(rm.store.reader, token);
    await report(rm, { token, status: 'released' });
    const end = { number: 1, startedAt: 0, log, changes: {}, result: 'success' };
    await expect(closeTurn({ supervisor: { rm }, attempt }, end)).rejects.toMatchObject({ code: 'STALE_TOKEN' });
    expect(isOpen()).toBe(false);
    log.append('too late');
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('is found on the branch when the worker has removed its worktree', async () => {
    const held = await heldInWorktree();
    writeFileSync(join(held.folder, 'new.txt'), 'new\n');
    git(held.folder, 'add', '.');
    git(held.folder, 'commit', '-qm', 'new');
    const head = git(held.folder, 'rev-parse', 'HEAD');
    rmSync(held.folder, { recursive: true });
    await finish(held);
    expect(runOf(held.rm.store.reader, held.attempt)?.head_commit).toBe(head);
  });

  it('is not called done if there is none', async () => {
    const held = await heldInWorktree();
    expect(await finish(held)).toMatchObject({ status: 'blocked', blocked_reason: waitsForChange(`${held.id}-d1`) });
  });

  it('that was committed is kept for the next attempt when somebody has deleted the worktree after a crash', async () => {
    const { rm, id, attempt, folder, repository } = await heldInWorktree();
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'work');
    const head = git(folder, 'rev-parse', 'HEAD');
    rmSync(folder, { recursive: true });
    await rm.store.write('dies', (tx) => updateRun(tx, attempt, { supervisor_start: 'before' }));
    const supervisor = { rm, id: 'next', identity: identityOf(process.pid), tell: () => undefined };
    expect(await recover(supervisor)).toEqual([]);
    expect(existingTask(rm.store.reader, id)).toMatchObject({ status: 'ready', failures: 0 });
    expect(runOf(rm.store.reader, attempt)?.head_commit).toBe(head);
    expect(git(repository, 'rev-parse', 'work')).toBe(head);
  });

  it('is kept, and the task shown to a person, when one supervisor after the other dies of it', async () => {
    const { rm: opened, id, attempt, folder, repository } = await heldInWorktree();
    const queue = { ...opened.config.queue, max_interruptions: 2 };
    const rm = { ...opened, config: { ...opened.config, queue } };
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    const supervisor = { rm, id: 'next', identity: identityOf(process.pid), tell: () => undefined };
    const die = () =>
      rm.store.write('dies', (tx) =>
        updateRun(tx, attempt, { supervisor_pid: process.pid, supervisor_start: 'before' }),
      );
    await die();
    expect(await recover(supervisor)).toMatchObject([{ id: attempt }]);
    await die();
    expect(await recover(supervisor)).toEqual([]);
    expect(existingTask(rm.store.reader, id)).toMatchObject({
      status: 'blocked',
      blocked_reason: expect.stringContaining('The supervisor died'),
    });
    expect(git(repository, 'show', 'work:new.txt')).toBe('new');
  });

  it('is continued by one of two supervisors that start at the same time after a crash', async () => {
    const { rm, attempt } = await heldInWorktree();
    await rm.store.write('dies', (tx) => updateRun(tx, attempt, { supervisor_start: 'before' }));
    const supervisor = { rm, identity: identityOf(process.pid), tell: () => undefined };
    const taken = await Promise.all(['one', 'two'].map((id) => recover({ ...supervisor, id })));
    expect(taken.flat()).toMatchObject([{ id: attempt }]);
  });

  it('is settled once when whoever lost the task and whoever has it now come together', async () => {
    const { rm, id, attempt, folder, repository } = await heldInWorktree();
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    const run = runsOfTask(rm.store.reader, id)[0]!;
    await Promise.all([settleRun(rm, run), settleRun(rm, run), settleRun(rm, run)]);
    await settleRun(rm, run);
    expect(existsSync(folder)).toBe(false);
    expect(git(repository, 'show', 'work:new.txt')).toBe('new');
    expect(runOf(rm.store.reader, attempt)?.head_commit).toBe(git(repository, 'rev-parse', 'work'));
  });
});
