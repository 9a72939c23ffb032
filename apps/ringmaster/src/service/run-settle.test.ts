import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { git, type Held, heldInWorktree } from '../../test/held.ts';
import { iterationPath } from '../model/iteration-files.ts';
import { liveAttempt } from '../store/attempts.ts';
import { runOf, runsOfTask } from '../store/attempt-runs.ts';
import { examine } from './doctor.ts';
import { report } from './report.ts';
import { finishRun } from './run-finish.ts';
import { settleRun } from './run-settle.ts';

const finish = ({ rm, attempt }: Held) => finishRun(rm, liveAttempt(rm.store.reader, attempt), { kind: 'done' });

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
    // What a person does about it: it becomes part of the work.
    git(folder, 'rm', '-q', '--cached', 'deep/own');
    rmSync(join(nested, '.git'), { recursive: true });
    expect((await finish(held)).status).toBe('done');
    expect(git(repository, 'show', 'work:deep/own/precious.txt')).toBe('gold');
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

  it('may go on while the state is repaired: the log that it writes stays where it is', async () => {
    const { rm, id, attempt } = await heldInWorktree();
    const log = join(rm.place.filesPath, iterationPath(id, 1, 'log'));
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, 'so far\n');
    await examine(rm, true);
    expect(existsSync(log)).toBe(true);
    await report(rm, { token: attempt, status: 'released' });
    await examine(rm, true);
    expect(existsSync(log)).toBe(false);
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
