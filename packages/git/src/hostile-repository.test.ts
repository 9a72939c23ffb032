import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { makeHostileRepository, plantedSettings } from '../test/hostile-repository.ts';
import { addWorktree, runGit, worktreeOf } from './index.ts';

/** Matches the keys of settings that may name a program, directly or indirectly. */
const suspicious =
  /(cmd|command|program|helper|editor|pager|hook|hookspath|askpass|proxy|external|textconv|driver|clean|smudge|tool|browser|viewer|uploadpack|receivepack|vcs|tunnel|httpd|fsmonitor|difffilter|templatedir|update|smtpserver|uri|insteadof|promisor|\.path|modulepath)$/i;

/** Matches keys that look suspicious but are harmless, because their values are words, mail addresses or booleans. */
const harmless =
  /^(advice\.|color\.|fetch\.|receive\.|repack\.|http\.|column\.clean|fsck\.|gitcvs\.|rerere\.autoUpdate|status\.|merge\.renormalize|core\.fsmonitorHookVersion|difftool\.prompt|completion\.|remote\.<name>\.skipDefaultUpdate)/;

it('every setting of this git that can name a program is planted', () => {
  const keys = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n');
  const planted = plantedSettings.map(([key]) => key.toLowerCase());
  const isPlanted = (key: string): boolean => {
    const pattern = key
      .toLowerCase()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/<[^>]+>/g, '.+');
    return planted.some((one) => new RegExp(`^${pattern}$`).test(one));
  };
  const suspects = keys.filter((key) => suspicious.test(key) && !harmless.test(key));
  expect(suspects.length).toBeGreaterThan(30);
  expect(suspects.filter((key) => !isPlanted(key))).toEqual([]);
});

it('plain git falls into the traps, so that they prove something', () => {
  const { git, ran, remove } = makeHostileRepository();
  onTestFinished(remove);
  const off = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'submodule.recurse=false'];
  const noFilter = ['-c', 'filter.evil.process=', '-c', 'filter.evil.clean=', '-c', 'filter.evil.smudge='];
  git('status');
  git('log', '-1');
  git(...off, 'show', 'HEAD~2:c.bin');
  git(...off, ...noFilter, 'diff', 'HEAD~1', 'HEAD');
  git(...off, ...noFilter, '-c', 'diff.external=', '-c', 'diff.evil.command=', 'log', '-p', '-1', '-m', '--textconv');
  git(...off, 'merge-tree', '--write-tree', 'main', 'clash');
  git('commit', '--allow-empty', '-m', 'x');
  git('update-ref', 'refs/heads/y', 'HEAD');
  git(...off, 'hash-object', '-w', '--path=a.txt', 'a.txt');
  expect(ran()).toEqual(
    expect.arrayContaining([
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.evil.process',
      'gpg.program',
      'hook-reference-transaction',
      'included-fsmonitor',
      'merge.evil.driver',
      'remote.evil.uploadpack',
    ]),
  );
});

/** All commands that the applications run, and more. Some must fail. */
const commands: readonly (readonly string[])[] = [
  ['rev-parse', '--verify', 'HEAD^{commit}'],
  ['status', '--porcelain=v2', '--branch', '--ignore-submodules=dirty'],
  ['log', '-z', '--name-status', '--follow', '-M', '--format=%H%x00%B%x00', '--', 'a.txt'],
  ['log', '-p', '-2'],
  ['show', 'HEAD'],
  ['diff', 'HEAD~1', 'HEAD'],
  ['diff', '--ignore-submodules=dirty', 'HEAD~1'],
  ['diff-tree', '-r', '-z', '--raw', '--no-renames', 'HEAD~1', 'HEAD'],
  ['diff-index', '--cached', '--name-only', '-z', 'HEAD'],
  ['cat-file', '-p', 'HEAD~2:c.bin'],
  ['check-attr', '-z', 'filter', 'a.txt'],
  ['hash-object', '-w', '--path=a.txt', 'a.txt'],
  ['ls-files', '--others', '--modified', '--exclude-standard', '-z'],
  ['grep', '--untracked', '-I', '-i', '-F', '-c', '-z', '-e', 'one'],
  ['merge-base', '--is-ancestor', 'HEAD~1', 'HEAD'],
  ['merge-tree', '--write-tree', 'main', 'clash'],
  ['merge-tree', '--write-tree', 'main', 'side'],
  ['update-index', '--add', 'a.txt', 'sub'],
  ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--allow-empty', '-m', 'x'],
  ['update-ref', 'refs/heads/other', 'HEAD'],
  ['checkout', '-q', 'other'],
  ['branch', '-D', 'main'],
  ['for-each-ref', '--contains', 'HEAD'],
  ['repack', '-d', '-q', '--geometric=2'],
  ['fetch', '-q', 'evil'],
  ['fetch', '-q', '--all'],
  ['ls-remote', 'ext::sh -c true'],
  ['push', 'other', 'other'],
  ['worktree', 'prune'],
  ['evil'],
];

it('no command in a hostile repository, its worktrees or its submodule runs anything of theirs', async () => {
  const { folder, ran, remove } = makeHostileRepository();
  onTestFinished(remove);
  const worktree = join(folder, '..', 'worktree');
  await addWorktree(worktree, ['-b', 'work', worktree, 'main'], { folder });
  expect(await worktreeOf('work', { folder })).toBe(worktree);
  expect(await worktreeOf('main', { folder: worktree })).toBe(folder);
  for (const place of [worktree, folder, join(folder, 'sub')]) {
    appendFileSync(join(place, '.gitattributes'), '\n');
    for (const args of commands) {
      await runGit(args, { folder: place, expected: 'any' });
      expect({ args, ran: ran() }).toEqual({ args, ran: [] });
    }
  }
});

it('works on with a worktree whose `.git` names the real repository', async () => {
  const { folder, remove, ran } = makeHostileRepository();
  onTestFinished(remove);
  const worktree = join(folder, '..', 'worktree');
  await addWorktree(worktree, ['-b', 'work', worktree, 'main'], { folder });
  const args = ['-c', 'core.fsmonitor=false', 'rev-parse', '--git-common-dir'];
  expect(execFileSync('git', args, { cwd: worktree, encoding: 'utf8' }).trim()).toBe(join(folder, '.git'));
  expect(ran()).toEqual([]);
});

function repository(config: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-git-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
  appendFileSync(join(folder, '.git', 'config'), config);
  return folder;
}

async function settings(folder: string): Promise<string> {
  const { stdout } = await runGit(['config', '--list', '--local'], { folder });
  return stdout.toString('utf8');
}

it('settings that only describe the repository and its user come through', async () => {
  const folder = repository(
    '[user]\n\tname = "Zoë \\"Z\\" \\\\ Müller"\n\temail = z@example.org\n[core]\n\tautocrlf = input\n[alias]\n\tx = y\n',
  );
  const found = await settings(folder);
  expect(found).toContain('user.name=Zoë "Z" \\ Müller\nuser.email=z@example.org\ncore.autocrlf=input\n');
  expect(found).not.toContain('alias');
});

it('a change of the settings is noticed at once', async () => {
  const folder = repository('[user]\n\tname = One\n');
  expect(await settings(folder)).toContain('user.name=One');
  appendFileSync(join(folder, '.git', 'config'), '[user]\n\tname = Two\n');
  expect(await settings(folder)).toContain('user.name=Two');
});

it('settings of one worktree are read where the repository has them', async () => {
  const folder = repository('[extensions]\n\tworktreeConfig = true\n[core]\n\trepositoryFormatVersion = 1\n');
  writeFileSync(join(folder, '.git', 'config.worktree'), '[core]\n\tsparseCheckout = true\n\tfsmonitor = evil\n');
  const found = await settings(folder);
  expect(found).toContain('core.sparsecheckout=true');
  expect(found).not.toContain('fsmonitor');
});

it.each([
  ['an extension that nobody knows', '[extensions]\n\tsecretSauce = true\n'],
  ['references in another place', '[extensions]\n\trefStorage = files:///tmp/elsewhere\n'],
  ['a working tree in another place', '[core]\n\tworktree = ../..\n'],
])('%s is refused', async (_, config) => {
  const folder = repository(config);
  await expect(runGit(['status'], { folder })).rejects.toMatchObject({ code: 'GIT_REPOSITORY_REFUSED' });
});

it('outside of a repository, and where only the folder itself counts, git has nothing to do', async () => {
  const folder = repository('');
  const below = join(folder, 'below');
  mkdirSync(below);
  expect((await runGit(['status'], { folder: below })).code).toBe(0);
  const alone = await runGit(['status'], { folder: below, isRoot: true, expected: 'any' });
  expect(alone).toMatchObject({ code: 128, stderr: expect.stringContaining('not a git repository') });
  await expect(runGit(['status'], { folder: tmpdir() })).rejects.toMatchObject({ code: 'GIT_FAILED' });
});
