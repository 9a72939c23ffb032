import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { beforeEach, expect, it, onTestFinished } from 'vitest';

import { initRepository, locateGit, runGit } from './index.ts';

let base: string;
let folder: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-locate-')));
  onTestFinished(() => rmSync(base, { recursive: true }));
  folder = join(base, 'repository');
  mkdirSync(folder);
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '--allow-empty', '-m', 'first');
});

const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const refusal = { code: 'GIT_REPOSITORY_REFUSED' } as const;

it('finds the repository around a folder, a linked worktree, and nothing', () => {
  mkdirSync(join(folder, 'deep/deeper'), { recursive: true });
  const main = { root: folder, gitDir: join(folder, '.git'), commonDir: join(folder, '.git') };
  expect(locateGit(join(folder, 'deep/deeper'))).toEqual(main);
  git('worktree', 'add', '-q', join(base, 'linked'));
  const linked = { root: join(base, 'linked'), gitDir: join(folder, '.git/worktrees/linked') };
  expect(locateGit(join(base, 'linked'))).toEqual({ ...linked, commonDir: main.commonDir });
  expect(locateGit(base, true)).toBeUndefined();
});

it('a repository whose creation a power cut interrupted is created again', async () => {
  const fresh = join(base, 'fresh');
  mkdirSync(fresh);
  expect((await initRepository(fresh)).code).toBe(0);
  for (const name of ['HEAD', 'config']) writeFileSync(join(fresh, '.git', name), '');
  expect(locateGit(fresh, true)).toBeUndefined();
  expect((await initRepository(fresh)).code).toBe(0);
  expect((await runGit(['symbolic-ref', 'HEAD'], { folder: fresh })).stdout.toString()).toBe('refs/heads/main\n');
});

it('a repository with branches is not created again because its HEAD is empty', async () => {
  writeFileSync(join(folder, '.git/HEAD'), '');
  await expect(runGit(['status'], { folder })).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

it('a worktree that was moved without git is refused, until it is repaired', async () => {
  git('worktree', 'add', '-q', join(base, 'linked'));
  renameSync(join(base, 'linked'), join(base, 'moved'));
  expect(() => locateGit(join(base, 'moved'))).toThrow(expect.objectContaining(refusal));
  git('worktree', 'repair', join(base, 'moved'));
  expect((await runGit(['status'], { folder: join(base, 'moved') })).code).toBe(0);
});

it('a link in place of .git, and a pipe below it, are refused', async () => {
  const other = join(base, 'other');
  mkdirSync(other);
  symlinkSync(join(folder, '.git'), join(other, '.git'));
  await expect(runGit(['status'], { folder: other })).rejects.toMatchObject(refusal);
  execFileSync('mkfifo', [join(folder, '.git/info/attributes')]);
  await expect(runGit(['status'], { folder })).rejects.toMatchObject(refusal);
});

it('a .git folder that borrows the objects and branches of another is refused', async () => {
  const other = join(base, 'other');
  mkdirSync(join(other, '.git'), { recursive: true });
  writeFileSync(join(other, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(other, '.git/commondir'), `${join(folder, '.git')}\n`);
  await expect(runGit(['status'], { folder: other })).rejects.toMatchObject(refusal);
});

it('a folder cannot pose as a worktree of another repository', () => {
  const fake = join(base, 'fake');
  const gitDir = join(fake, 'git');
  mkdirSync(gitDir, { recursive: true });
  writeFileSync(join(fake, '.git'), 'gitdir: git\n');
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(gitDir, 'gitdir'), `${join(fake, '.git')}\n`);
  writeFileSync(join(gitDir, 'commondir'), `${join(folder, '.git')}\n`);
  expect(() => locateGit(fake)).toThrow(expect.objectContaining(refusal));
});

it('a .git file that points to a bare repository is refused', async () => {
  const other = join(base, 'other');
  mkdirSync(other);
  git('clone', '-q', '--bare', folder, join(base, 'bare.git'));
  writeFileSync(join(other, '.git'), 'gitdir: ../bare.git\n');
  await expect(runGit(['status'], { folder: other })).rejects.toMatchObject(refusal);
});

it('links and alternates are refused even if they appear while the repository is in use', async () => {
  expect((await runGit(['status'], { folder })).code).toBe(0);
  const alternates = join(folder, '.git/objects/info/alternates');
  mkdirSync(dirname(alternates), { recursive: true });
  writeFileSync(alternates, `${join(base, 'other/.git/objects')}\n`);
  await expect(runGit(['status'], { folder })).rejects.toMatchObject(refusal);
  rmSync(alternates);
  expect((await runGit(['status'], { folder })).code).toBe(0);
  renameSync(join(folder, '.git/logs'), join(base, 'logs'));
  symlinkSync(join(base, 'logs'), join(folder, '.git/logs'));
  await expect(runGit(['status'], { folder })).rejects.toMatchObject(refusal);
});

it.runIf(process.geteuid?.() === 0)('a repository of another user is refused', async () => {
  chownSync(join(folder, '.git'), 12_345, 12_345);
  await expect(runGit(['status'], { folder })).rejects.toMatchObject({ ...refusal, message: /another user/ });
});
