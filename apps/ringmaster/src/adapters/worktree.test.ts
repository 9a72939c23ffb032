import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { commitWork, hasChanges, makeThrowAwayRepository, recordSetup, type ThrowAwayRepository } from './worktree.ts';

let repository: ThrowAwayRepository;
beforeEach(async () => {
  repository = await makeThrowAwayRepository({ name: 'a.txt', text: 'first\n' });
});
afterEach(() => repository.remove());

const write = (name: string, text: string): void => writeFileSync(join(repository.path, name), text);
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    cwd: repository.path,
    encoding: 'utf8',
  }).trim();
const commit = (): unknown => git('add', '--all') + git('commit', '-qm', 'work');
const commitAll = (): Promise<string> => {
  const { path, branch, base } = repository;
  return commitWork({ path, branch, message: 'work', since: base });
};

it('finds new, changed and committed files, and leaves the index as it is', async () => {
  expect(await hasChanges(repository)).toBe(false);
  write('b.txt', 'new\n');
  expect(await hasChanges(repository)).toBe(true);
  commit();
  expect(await hasChanges(repository)).toBe(true);
  write('c.txt', 'new\n');
  expect(await hasChanges(repository)).toBe(true);
  expect(git('status', '--porcelain')).toBe('?? c.txt');
});

it('finds none in commits or staged files that the worktree reverts', async () => {
  write('b.txt', 'new\n');
  git('add', 'b.txt');
  rmSync(join(repository.path, 'b.txt'));
  expect(await hasChanges(repository)).toBe(false);
  expect(await commitAll()).toBe(repository.base);
  write('a.txt', 'second\n');
  commit();
  write('a.txt', 'first\n');
  expect(await hasChanges(repository)).toBe(false);
});

it('does not count what setup_command has changed, committed or not', async () => {
  write('a.txt', 'built\n');
  write('b.txt', 'built\n');
  await recordSetup(repository.path);
  expect(await hasChanges(repository)).toBe(false);
  commit();
  expect(await hasChanges(repository)).toBe(false);
  write('b.txt', 'edited\n');
  expect(await hasChanges(repository)).toBe(true);
});

it('counts a nested repository as a change', async () => {
  write('a.txt', 'second\n');
  commit();
  execFileSync('git', ['init', '-q', 'nested'], { cwd: repository.path });
  write('nested/c.txt', 'new\n');
  write('a.txt', 'first\n');
  expect(await hasChanges(repository)).toBe(true);
});

it('reads all files if the worker has deleted the index', async () => {
  write('a.txt', 'second\n');
  commit();
  rmSync(join(repository.path, '.git', 'index'));
  expect(await hasChanges(repository)).toBe(true);
  write('a.txt', 'first\n');
  expect(await hasChanges(repository)).toBe(false);
});
