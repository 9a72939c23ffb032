import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { SerialQueues } from '@holdfast/base';
import { addWorktree as addGitWorktree, locateGit } from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';
import { git, gitOptions, tryGit } from './git.ts';

export interface Repository {
  readonly root: string;
  readonly commit: string;
}

/**
 * Returns the repository around a folder, if it has the base commit (default: HEAD). For a known repository, reads the
 * commit from its files, because starting git takes longer.
 */
export async function repositoryAt(folder: string, base: string, known?: string): Promise<Repository | undefined> {
  if (!existsSync(folder)) return undefined;
  const quick = known === undefined || base !== '' ? undefined : checkedOutCommit(known);
  if (known !== undefined && quick !== undefined) return { root: known, commit: quick };
  const name = base === '' ? 'HEAD' : base;
  const root = locateGit(folder)?.root;
  const commit = root === undefined ? undefined : await commitOf(root, name);
  return root === undefined || commit === undefined ? undefined : { root, commit };
}

/**
 * Returns why attempts cannot start from the repository around a folder; undefined if they can, or if there is no
 * repository.
 */
export async function repositoryProblem(folder: string, base: string): Promise<string | undefined> {
  // Checked first: a bare repository may lie inside another one.
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))) return 'is a bare repository';
  const root = locateGit(folder)?.root;
  if (root === undefined) return undefined;
  if ((await commitOf(root, base === '' ? 'HEAD' : base)) !== undefined) return undefined;
  return base === '' ? 'is a git repository without a commit' : `has no branch or commit "${base}" (run.base)`;
}

/** Reads the commit without git. Returns undefined for formats that only git can read. */
function checkedOutCommit(root: string): string | undefined {
  try {
    const head = readFileSync(join(root, '.git', 'HEAD'), 'utf8').trim();
    const name = /^ref: (refs\/heads\/(?!.*\.\.)[^\s.]\S*)$/.exec(head)?.[1];
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

/** Creates a worktree with its branch, even if an interrupted attempt left parts of them. */
export function addWorktree(request: WorktreeRequest): Promise<void> {
  return repositoryChanges.run(request.repository, () => addNow(request));
}

/**
 * Serialises changes to a repository. git fails if it finds an incomplete worktree while it adds or removes another,
 * and the second of two concurrent merges would find that its branch has moved.
 */
export const repositoryChanges = new SerialQueues();

async function addNow({ repository, path, branch, from }: WorktreeRequest): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    const options = { ...gitOptions(repository), expected: 'any' } as const;
    const made = await addGitWorktree(path, ['-b', branch, path, from], options);
    if (made.code === 0) return;
  }
  rmSync(path, { recursive: true, force: true });
  await git(repository, ['worktree', 'prune']);
  const other = await commitOf(repository, `refs/heads/${branch}`);
  if (other !== undefined && other !== from) {
    // The branch is from before a restore. Keep its commits under another name, so that no work is lost.
    await git(repository, ['update-ref', `refs/heads/${branch}-${other.slice(0, 10)}`, other]);
  }
  await addGitWorktree(path, ['--force', '-B', branch, path, from], gitOptions(repository));
}

/** Removes locks that a killed git left. No other process uses this branch. */
export function clearLocks(path: string, branch: string): void {
  const location = locateGit(path, true);
  if (location === undefined) return;
  for (const name of ['index.lock', 'HEAD.lock']) rmSync(join(location.gitDir, name), { force: true });
  rmSync(join(location.commonDir, `refs/heads/${branch}.lock`), { force: true });
}

export interface WorkToCommit {
  readonly path: string;
  readonly branch: string;
  readonly message: string;
  /** The commit from which the worktree was created. */
  readonly since: string;
}

/** Commits all changes in the worktree and returns the commit. `branch` gets it even if the worker left that branch. */
export async function commitWork({ path, branch, message, since }: WorkToCommit): Promise<string> {
  const isRoot = { isRoot: true };
  const args = ['status', '--porcelain=v2', '--branch', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const status = await git(path, args, isRoot);
  refuseUnresolved(path, status);
  let head = /^# branch\.oid (\S+)$/m.exec(status)?.[1] ?? '';
  if (status.split('\n').some((line) => line !== '' && !line.startsWith('#'))) {
    if (/^\? .*\/"?$/m.test(status)) await refuseNewNested(path);
    await stageAll(path);
    await git(path, [...(await identity(path)), 'commit', '--quiet', '-m', message], isRoot);
    head = (await git(path, ['rev-parse', 'HEAD'], isRoot)).trim();
  }
  if (head !== since) await refuseCommittedNested(path, since, head);
  const isOurs = /^# branch\.head (\S+)$/m.exec(status)?.[1] === branch;
  if (!isOurs) await git(path, ['update-ref', `refs/heads/${branch}`, head], isRoot);
  return head;
}

/** Stages all changes like `git add --all`, but does not run git inside submodules with their configuration. */
async function stageAll(path: string): Promise<void> {
  const isRoot = { isRoot: true };
  const changed = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard', '--deduplicate'];
  const input = await git(path, changed, isRoot);
  await git(path, ['update-index', '--add', '--remove', '-z', '--stdin'], { ...isRoot, input });
}

/** git options that set an identity if none is configured, because git refuses to commit without one. */
export async function identity(path: string): Promise<readonly string[]> {
  const { code } = await tryGit(path, ['var', 'GIT_COMMITTER_IDENT']);
  return code === 0 ? [] : ['-c', 'user.name=ringmaster', '-c', 'user.email=ringmaster@localhost'];
}

/** Removes only the folder, including uncommitted changes. `forgetRemoved` removes git's record of it. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes git's records of worktrees whose folders are gone. One call handles many, because starting git is slow. */
export function forgetRemoved(repository: string): Promise<string> {
  return repositoryChanges.run(repository, () => git(repository, ['worktree', 'prune', '--expire', 'now']));
}

/** Deletes only branches that have not moved, so that no commit is lost. */
export async function deleteBranches(
  repository: string,
  branches: readonly { readonly branch: string; readonly expected: string }[],
): Promise<void> {
  const lines = branches.map(({ branch, expected }) => `delete refs/heads/${branch} ${expected}\n`);
  const { code } = await tryGit(repository, ['update-ref', '--stdin'], { input: lines.join('') });
  if (code === 0) return;
  // A branch has moved, so the atomic update failed. Deletes the branches one by one, to delete at least the others.
  for (const { branch, expected } of branches) await deleteBranch(repository, branch, expected);
}

export async function deleteBranch(repository: string, branch: string, expected: string): Promise<boolean> {
  return (await tryGit(repository, ['update-ref', '-d', `refs/heads/${branch}`, expected])).code === 0;
}

/**
 * git stores only a commit id for a nested repository, so removing the worktree would lose its files. The worktree
 * stays until a person decides whether the nested repository is a copy, a submodule or rubbish.
 */
function refused(path: string, nested: string): Error {
  return ringmasterErrors.NESTED_REPOSITORY(
    `${nested} in ${path} is a separate git repository: its files cannot be kept on the branch of the attempt`,
  );
}

/** Refuses untracked nested repositories. */
async function refuseNewNested(path: string): Promise<void> {
  const others = await git(path, ['ls-files', '--others', '--exclude-standard', '-z'], { isRoot: true });
  // git lists a nested repository as a folder. For any other folder, it lists the files.
  const nested = others.split('\0').find((name) => name.endsWith('/'));
  if (nested !== undefined) throw refused(path, nested.slice(0, -1));
}

/** Refuses committed nested repositories, except submodules whose commit can be fetched again. */
async function refuseCommittedNested(path: string, since: string, head: string): Promise<void> {
  const changes = await git(path, ['diff-tree', '-r', '--raw', '--no-renames', '-z', since, head], {
    isRoot: true,
  });
  for (const [, commit = '', nested = ''] of changes.matchAll(/:\d+ 160000 \S+ (\S+) \w\0([^\0]+)\0/g)) {
    if (existsSync(join(path, nested, '.git')) && !(await isPublished(path, nested, commit))) {
      throw refused(path, nested);
    }
  }
}

async function isPublished(path: string, nested: string, commit: string): Promise<boolean> {
  const listed = await tryGit(path, ['config', '--file', '.gitmodules', '--get-regexp', '\\.path$'], { isRoot: true });
  if (!listed.stdout.split('\n').some((line) => line.endsWith(`.path ${nested}`))) return false;
  const folder = join(path, nested);
  const found = await tryGit(folder, ['for-each-ref', '--contains', commit, 'refs/remotes'], { isRoot: true });
  return found.code === 0 && found.stdout !== '';
}

/** Refuses unresolved conflicts in `git status --porcelain=v2`: staging such a file would mark it as resolved. */
function refuseUnresolved(path: string, status: string): void {
  const names = [...status.matchAll(/^u (?:\S+ ){9}(.+)$/gm)].map(([, name]) => name);
  if (names.length === 0) return;
  throw ringmasterErrors.MERGE_UNRESOLVED(
    `A merge in ${path} has unresolved conflicts in ${names.join(', ')}: resolve or abort it there`,
  );
}

/** Diff since a commit, with uncommitted changes. --intent-to-add makes the diff include untracked files. */
export async function changesSince(path: string, base: string): Promise<string> {
  const isRoot = { isRoot: true };
  const status = ['status', '--porcelain=v2', '--untracked-files=no', '--ignore-submodules=dirty'];
  // Comes first, because --intent-to-add would clear the conflicts.
  refuseUnresolved(path, await git(path, status, isRoot));
  const input = await git(path, ['ls-files', '-z', '--others', '--exclude-standard'], isRoot);
  const known = ['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
  if (input !== '') await git(path, known, { ...isRoot, input });
  return git(path, ['diff', '--ignore-submodules=dirty', base], isRoot);
}
