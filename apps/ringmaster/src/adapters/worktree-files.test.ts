import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../../test/harness.ts';
import { git } from '../../test/running.ts';
import { provideFiles } from './worktree-files.ts';

interface Checkout {
  readonly repository: string;
  readonly worktree: string;
}

/** A repository with a worktree. Both contain the files that `make` creates; all of them are committed. */
function checkout(make: (folder: string) => void = () => undefined): Checkout {
  const repository = temporaryFolder();
  const worktree = join(temporaryFolder(), 'worktree');
  git(repository, 'init', '-q', '-b', 'main');
  writeFileSync(join(repository, '.gitignore'), 'node_modules/\n');
  make(repository);
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'first');
  git(repository, 'worktree', 'add', '-q', '-b', 'work', worktree);
  return { repository, worktree };
}

const provide = (where: Checkout, copy: string[], link: string[] = []) => provideFiles({ ...where, copy, link });

it('copies and links what git does not track, and git sees no change', async () => {
  const where = checkout((folder) => writeFileSync(join(folder, 'tracked'), 'committed\n'));
  const { repository, worktree } = where;
  mkdirSync(join(repository, 'node_modules/left'), { recursive: true });
  mkdirSync(join(repository, 'secrets/deep'), { recursive: true });
  writeFileSync(join(repository, 'secrets/deep/key'), 'key\n');
  writeFileSync(join(repository, '.env'), 'PORT=1\n');
  writeFileSync(join(repository, 'tracked'), 'edited\n');
  const missing = await provide(where, ['.env', 'secrets/deep', 'tracked', 'absent'], ['node_modules']);
  expect(missing).toEqual(['absent']);
  expect(readFileSync(join(worktree, '.env'), 'utf8')).toBe('PORT=1\n');
  expect(readFileSync(join(worktree, 'secrets/deep/key'), 'utf8')).toBe('key\n');
  expect(readFileSync(join(worktree, 'tracked'), 'utf8')).toBe('committed\n');
  expect(readlinkSync(join(worktree, 'node_modules'))).toBe(join(repository, 'node_modules'));
  expect(git(worktree, 'status', '--porcelain')).toBe('');
  const excluded = readFileSync(join(repository, '.git/info/exclude'), 'utf8');
  await provide(where, ['.env'], ['node_modules']);
  expect(readFileSync(join(repository, '.git/info/exclude'), 'utf8')).toBe(excluded);
});

describe('a path that leads elsewhere', () => {
  const outside = (): string => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret'), 'secret\n');
    return folder;
  };

  it('is refused if a link in the repository leads out of it', async () => {
    const where = checkout();
    symlinkSync(join(outside(), 'secret'), join(where.repository, '.env'));
    await expect(provide(where, ['.env'])).rejects.toThrow('.env in');
    expect(existsSync(join(where.worktree, '.env'))).toBe(false);
  });

  it('is refused if a worker has committed a link on the way', async () => {
    const where = checkout();
    const elsewhere = outside();
    mkdirSync(join(where.repository, 'cache'));
    writeFileSync(join(where.repository, 'cache/new'), 'new\n');
    symlinkSync(elsewhere, join(where.worktree, 'cache'));
    await expect(provide(where, ['cache/new'])).rejects.toThrow('cache is not a folder in the worktree');
    await expect(provide(where, [], ['cache/new'])).rejects.toThrow('cache is not a folder in the worktree');
    expect(existsSync(join(elsewhere, 'new'))).toBe(false);
  });

  it('stays a link if it is inside a copied folder', async () => {
    const where = checkout();
    mkdirSync(join(where.repository, 'cache'));
    symlinkSync(join(outside(), 'secret'), join(where.repository, 'cache/link'));
    await provide(where, ['cache']);
    expect(readlinkSync(join(where.worktree, 'cache/link'))).toMatch(/secret$/);
  });
});
