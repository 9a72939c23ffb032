import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type HostileRepository, makeHostileRepository } from '../../../../packages/git/test/hostile-repository.ts';
import { expect, it, onTestFinished } from 'vitest';

import { temporaryFolder } from '../../test/harness.ts';
import { findCode } from './code-files.ts';
import { readDiff } from './git.ts';
import { pushBranch } from './github.ts';
import { currentBranch, isIn, mergeBranch } from './merge.ts';
import {
  addWorktree,
  changesSince,
  clearLocks,
  commitOf,
  commitWork,
  deleteBranch,
  deleteBranches,
  forgetRemoved,
  removeFolder,
  repositoryAt,
} from './worktree.ts';

function hostile(): HostileRepository {
  const repository = makeHostileRepository();
  onTestFinished(repository.remove);
  return repository;
}

it('nothing that a repository configures is run for an attempt, from its worktree to its end', async () => {
  const { folder: repository, ran, head: from } = hostile();
  const path = join(temporaryFolder(), 'worktree');
  expect(await repositoryAt(repository, 'main')).toEqual({ root: repository, commit: from });
  expect(await addWorktree({ repository, path, branch: 'work', from })).toEqual([]);
  expect(readFileSync(join(path, 'sub/inner.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('main\n');
  writeFileSync(join(path, 'a.txt'), 'work\n');
  writeFileSync(join(path, 'new.txt'), 'new\n');
  expect(await readDiff({ folder: path, from })).toMatchObject({
    files: [{ path: 'a.txt' }, { path: 'new.txt' }],
    patch: expect.stringContaining('+work'),
  });
  expect(await changesSince(path, from)).toContain('+new');
  await findCode(path, { terms: ['work'], limit: 5, names: 5, isWanted: () => true });
  const commit = await commitWork({ path, branch: 'work', message: 'Work', since: from });
  clearLocks(path, 'work');
  expect(await commitOf(repository, 'refs/heads/work')).toBe(commit);
  writeFileSync(join(path, 'sub/inner.txt'), 'three\n');
  const inner = await commitWork({ path, branch: 'work', message: 'Inner work', since: commit });
  expect(await commitOf(join(repository, 'sub'), 'refs/heads/work')).not.toBe(undefined);
  expect(await isIn(repository, from, commit)).toBe(true);
  await removeFolder(path);
  await forgetRemoved(repository);
  await deleteBranches(repository, [{ branch: 'work', expected: inner }]);
  expect(ran()).toEqual([]);
});

it('nothing that a repository configures is run when branches are compared and merged', async () => {
  const { folder: repository, ran } = hostile();
  expect(await currentBranch(repository)).toBe('main');
  // The first version of one file is missing, as in a partial clone.
  await expect(readDiff({ folder: repository, from: 'refs/heads/main~2' })).rejects.toThrow(/unable to read/);
  await readDiff({ folder: repository, from: 'refs/heads/main~1' });
  await readDiff({ folder: repository, from: 'refs/heads/main', to: 'refs/heads/side' });
  const merge = (branch: string) => mergeBranch({ repository, branch, into: 'main', message: `Merge ${branch}` });
  expect(await merge('clash')).toMatchObject({ kind: 'conflict', files: ['a.txt'] });
  expect(await merge('side')).toMatchObject({ kind: 'merged' });
  expect(readFileSync(join(repository, 'b.txt'), 'utf8')).toBe('side\n');
  await deleteBranch(repository, 'clash', (await commitOf(repository, 'clash')) ?? '');
  expect(ran()).toEqual([]);
});

it('nothing that the repository of a submodule configures is run', async () => {
  const { folder, ran, head } = hostile();
  writeFileSync(join(folder, 'a.txt'), 'changed\n');
  expect(await changesSince(folder, head)).toContain('+changed');
  await readDiff({ folder, from: head });
  await commitWork({ path: folder, branch: 'main', message: 'Everything', since: head });
  expect(await readDiff({ folder, from: head, to: 'refs/heads/main' })).toMatchObject({ files: [{ path: 'a.txt' }] });
  expect(ran()).toEqual([]);
});

it('a push to a remote on this machine runs none of its settings and hooks', async () => {
  const { folder, ran, head: commit } = hostile();
  const url = join(temporaryFolder(), 'origin.git');
  cpSync(join(folder, '.git'), url, { recursive: true });
  await pushBranch({ folder, url, branch: 'new', commit, expected: '' });
  expect(ran()).toEqual([]);
});
