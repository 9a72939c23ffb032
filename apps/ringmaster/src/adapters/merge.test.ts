import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryFolder } from '../../test/harness.ts';
import { git } from '../../test/held.ts';
import { mergeBranch } from './merge.ts';

/** A repository in which each branch adds a file named after the branch. */
function withBranches(names: readonly string[]): string {
  const repository = temporaryFolder();
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
  for (const name of names) {
    git(repository, 'checkout', '-q', '-b', name, 'main');
    writeFileSync(join(repository, name), name);
    git(repository, 'add', '.');
    git(repository, 'commit', '-qm', name);
  }
  git(repository, 'checkout', '-q', 'main');
  return repository;
}

it('merges that come at the same time all come into the branch, and its files with them', async () => {
  const names = ['a', 'b', 'c'];
  const repository = withBranches(names);
  const merges = names.map((branch) => mergeBranch({ repository, branch, into: 'main', message: `Merge ${branch}` }));
  expect((await Promise.all(merges)).map(({ kind }) => kind)).toEqual(['merged', 'merged', 'merged']);
  expect(names.map((name) => readFileSync(join(repository, name), 'utf8'))).toEqual(names);
  expect(git(repository, 'status', '--porcelain')).toBe('');
});

it('a merge into a branch that lies in another worktree changes the files there', async () => {
  const repository = withBranches(['a', 'stable']);
  const other = join(temporaryFolder(), 'stable');
  git(repository, 'worktree', 'add', '-q', other, 'stable');
  await mergeBranch({ repository, branch: 'a', into: 'stable', message: 'Merge a' });
  expect(existsSync(join(other, 'a'))).toBe(true);
  expect(git(other, 'status', '--porcelain')).toBe('');
});
