import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SerialQueues } from '@holdfast/base';

import { git, tryGit } from './git.ts';
import { refuseCommittedNested, refuseNewNested } from './nested-repository.ts';
import { refuseUnresolved } from './changes.ts';

export interface Repository {
  readonly root: string;
  readonly commit: string;
}

/**
 * The repository around a folder, if it has a commit to begin from; without a name, the one that is checked out. Where the
 * repository is known already, that commit is read from its files, because starting a process takes longer.
 */
export async function repositoryAt(folder: string, base: string, known?: string): Promise<Repository | undefined> {
  if (!existsSync(folder)) return undefined;
  const quick = known === undefined || base !== '' ? undefined : checkedOutCommit(known);
  if (known !== undefined && quick !== undefined) return { root: known, commit: quick };
  const name = base === '' ? 'HEAD' : base;
  const found = await tryGit(folder, ['rev-parse', '--show-toplevel', `${name}^{commit}`]);
  const [root, commit] = found.stdout.trim().split('\n');
  return found.code === 0 && root !== undefined && commit !== undefined ? { root, commit } : undefined;
}

/** Undefined where it is written in another way than the usual one: then git is asked. */
function checkedOutCommit(root: string): string | undefined {
  try {
    const head = readFileSync(join(root, '.git', 'HEAD'), 'utf8').trim();
    const name = /^ref: (refs\/heads\/[^\s.][^\s]*)$/.exec(head)?.[1];
    const commit = name === undefined ? head : readFileSync(join(root, '.git', name), 'utf8').trim();
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}

export async function commitOf(repository: string, name: string): Promise<string | undefined> {
  const { code, stdout } = await tryGit(repository, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  return code === 0 ? stdout.trim() : undefined;
}

export interface WorktreeRequest {
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  readonly from: string;
}

/** Makes a worktree with its branch, whatever an earlier try that was cut short has left. */
export function addWorktree(request: WorktreeRequest): Promise<void> {
  return repositoryChanges.run(request.repository, () => addNow(request));
}

/**
 * Changes to one repository, by its path. git reads all worktrees when it adds or removes one and fails on a half-made
 * one; and of two merges into one branch the second would not find the branch where it was.
 */
export const repositoryChanges = new SerialQueues();

async function addNow({ repository, path, branch, from }: WorktreeRequest): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    const made = await tryGit(repository, ['worktree', 'add', '--quiet', '-b', branch, path, from]);
    if (made.code === 0) return;
  }
  rmSync(path, { recursive: true, force: true });
  await git(repository, ['worktree', 'prune']);
  const other = await commitOf(repository, `refs/heads/${branch}`);
  if (other !== undefined && other !== from) {
    // A branch of this name from before the state was taken back: its work gets another name, and is not lost.
    await git(repository, ['update-ref', `refs/heads/${branch}-${other.slice(0, 10)}`, other]);
  }
  await git(repository, ['worktree', 'add', '--quiet', '--force', '-B', branch, path, from]);
}

/** A git that was killed leaves its lock behind, and the next one would refuse to work. The branch is nobody else's. */
export async function clearLocks(path: string, branch: string): Promise<void> {
  const locks = ['index.lock', 'HEAD.lock', `refs/heads/${branch}.lock`];
  const names = locks.flatMap((name) => ['--git-path', name]);
  const { code, stdout } = await tryGit(path, ['rev-parse', ...names], { isRoot: true });
  if (code !== 0) return;
  for (const name of stdout.trim().split('\n')) rmSync(resolve(path, name), { force: true });
}

export interface WorkToCommit {
  readonly path: string;
  readonly branch: string;
  readonly message: string;
  /** The commit that the worktree began at. */
  readonly since: string;
}

/**
 * The commit that the worktree is at, after everything in it that was not committed has been. If the worker has changed to
 * another branch, ours follows it there.
 */
export async function commitWork({ path, branch, message, since }: WorkToCommit): Promise<string> {
  const isRoot = { isRoot: true };
  const status = await git(path, ['status', '--porcelain=v2', '--branch', '--untracked-files=normal'], isRoot);
  refuseUnresolved(path, status);
  let head = /^# branch\.oid (\S+)$/m.exec(status)?.[1] ?? '';
  if (status.split('\n').some((line) => line !== '' && !line.startsWith('#'))) {
    if (/^\? .*\/"?$/m.test(status)) await refuseNewNested(path);
    await git(path, ['add', '--all'], isRoot);
    const settings = ['-c', 'commit.gpgSign=false', '-c', 'core.hooksPath=/dev/null', ...(await identity(path))];
    await git(path, [...settings, 'commit', '--quiet', '--no-verify', '-m', message], isRoot);
    head = (await git(path, ['rev-parse', 'HEAD'], isRoot)).trim();
  }
  if (head !== since) await refuseCommittedNested(path, since, head);
  const isOurs = /^# branch\.head (\S+)$/m.exec(status)?.[1] === branch;
  if (!isOurs) await git(path, ['update-ref', `refs/heads/${branch}`, head], isRoot);
  return head;
}

/** That of the person where there is one: a commit without an author is refused. */
export async function identity(path: string): Promise<readonly string[]> {
  const { code } = await tryGit(path, ['var', 'GIT_COMMITTER_IDENT']);
  return code === 0 ? [] : ['-c', 'user.name=ringmaster', '-c', 'user.email=ringmaster@localhost'];
}

/** The folder alone; what was not committed is lost, so commit first. git's note about it goes with `forgetRemoved`. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** git forgets worktrees whose folder is gone: for several at once, because starting it takes longer than doing it. */
export function forgetRemoved(repository: string): Promise<string> {
  return repositoryChanges.run(repository, () => git(repository, ['worktree', 'prune', '--expire', 'now']));
}

/** Only where they are still where they were expected: nobody's commits are dropped. */
export async function deleteBranches(
  repository: string,
  branches: readonly { readonly branch: string; readonly expected: string }[],
): Promise<void> {
  const lines = branches.map(({ branch, expected }) => `delete refs/heads/${branch} ${expected}\n`);
  const { code } = await tryGit(repository, ['update-ref', '--stdin'], { input: lines.join('') });
  if (code === 0) return;
  // All or none: one that has moved or is gone must not keep the others.
  for (const { branch, expected } of branches) await deleteBranch(repository, branch, expected);
}

export async function deleteBranch(repository: string, branch: string, expected: string): Promise<boolean> {
  return (await tryGit(repository, ['update-ref', '-d', `refs/heads/${branch}`, expected])).code === 0;
}
