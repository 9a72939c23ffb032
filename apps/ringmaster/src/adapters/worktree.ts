import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { failpoint, isHoldfastError, SerialQueues } from '@holdfast/base';
import { addWorktree as addGitWorktree, gitFailed, initRepository, locateGit } from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';
import { git, type GitOptions, gitOptions, tryGit } from './git.ts';
import { addSubmodules, type EmptySubmodule, survives, survivingSubmodules } from './submodules.ts';

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
  // Checks for a bare repository first, because the search below would skip it and find a repository that contains it.
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
  /** True to check out the commit instead of the branch. The branch does not move until the work is committed. */
  readonly isDetached?: boolean;
}

const STATUS = ['status', '--porcelain=v2', '--branch', '--untracked-files=normal', '--ignore-submodules=dirty'];

/** Files that Aider creates in its working folder. */
const leftovers = ['.aider.chat.history.md', '.aider.input.history', '.aider.tags.cache.v*'];

/** Returns whether `git status --porcelain=v2` lists changes, ignoring Aider's files. */
function isDirty(status: string): boolean {
  const isLeftover = /^\? \.aider\.(?:chat\.history\.md|input\.history|tags\.cache\.v\d+\/)$/;
  return status.split('\n').some((line) => line !== '' && !line.startsWith('#') && !isLeftover.test(line));
}

/**
 * Creates a worktree with its branch and submodules, even if an interrupted attempt left parts of them. Returns the
 * submodules that stay empty.
 */
export function addWorktree(request: WorktreeRequest): Promise<readonly EmptySubmodule[]> {
  return repositoryChanges.run(request.repository, async () => {
    await addNow(request);
    if (request.isDetached === true) await detach(request.path, request.from);
    return addSubmodules(request.repository, request.path);
  });
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
    // The branch is left over from before a restore. Keeps its commits under another name, so that no work is lost.
    await git(repository, ['update-ref', `refs/heads/${branch}-${other.slice(0, 10)}`, other]);
  }
  await addGitWorktree(path, ['--force', '-B', branch, path, from], gitOptions(repository));
}

/** Makes HEAD point at a commit instead of a branch. */
function detach(path: string, commit: string): Promise<string> {
  return git(path, ['update-ref', '--no-deref', 'HEAD', commit], { isRoot: true });
}

export interface WorktreeState {
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** The commit with which the attempt's changes are compared. */
  readonly base: string;
}

/** Lists the stashes made on a branch. All worktrees of a repository share one list of stashes. */
export async function stashesOf({ repository, branch }: WorktreeState): Promise<readonly string[]> {
  const list = await git(repository, ['stash', 'list', '--format=%gd: %gs']);
  return list.split('\n').filter((line) => line.includes(`n ${branch}: `));
}

export interface ThrowAwayRepository extends WorktreeState {
  readonly remove: () => Promise<void>;
}

/** Creates a temporary repository with one committed file. */
export async function makeThrowAwayRepository(file: {
  readonly name: string;
  readonly text: string;
}): Promise<ThrowAwayRepository> {
  const path = mkdtempSync(join(tmpdir(), 'ringmaster-check-'));
  const branch = 'main';
  await initRepository(path);
  writeFileSync(join(path, file.name), file.text);
  await git(path, ['add', file.name]);
  await git(path, [...(await identity(path)), 'commit', '--quiet', '-m', 'Start']);
  const base = (await commitOf(path, 'HEAD')) ?? '';
  return { repository: path, path, branch, base, remove: () => removeFolder(path) };
}

/** Returns whether a submodule has changes. The command in `STATUS` does not list them. */
async function hasDirtySubmodule(path: string): Promise<boolean> {
  for (const { path: below } of await survivingSubmodules(path)) {
    const folder = join(path, below);
    if (isDirty(await git(folder, STATUS, { isRoot: true })) || (await hasDirtySubmodule(folder))) return true;
  }
  return false;
}

/**
 * Returns whether a worktree differs from the base commit. If the worktree is gone, compares its branch. Changes that
 * `recordSetup` has recorded do not count.
 */
export async function hasChanges({ repository, path, branch, base }: WorktreeState): Promise<boolean> {
  const isThere = existsSync(path);
  const status = isThere ? await git(path, STATUS, { isRoot: true }) : '';
  const head = isThere ? headIn(status) : await commitOf(repository, `refs/heads/${branch}`);
  const setup = isThere ? treeAfterSetup(path) : undefined;
  if (setup === undefined && isDirty(status)) {
    // The worker may have reverted its own commits or staged changes without committing the revert.
    const mayBeReverted = head !== base || /^[12] [^.][^.] /m.test(status);
    if (!mayBeReverted || (await treeOf(path)) !== (await commitTree(repository, base))) return true;
  }
  if (isThere && (await hasDirtySubmodule(path))) return true;
  if (setup !== undefined) return (await treeOf(path)) !== setup;
  if (head === undefined || head === base || isDirty(status)) return false;
  const { code } = await tryGit(repository, ['diff', '--quiet', '--ignore-submodules=dirty', base, head]);
  return code !== 0;
}

function headIn(status: string): string | undefined {
  return /^# branch\.oid (\S+)$/m.exec(status)?.[1];
}

async function commitTree(repository: string, commit: string): Promise<string> {
  return (await git(repository, ['rev-parse', `${commit}^{tree}`])).trim();
}

/** A file in the worktree's git directory, so that it is deleted with the worktree. */
const SETUP_TREE = 'ringmaster-setup-tree';

/**
 * Records files that setup_command has changed and that git does not ignore, so that they do not count as changes by
 * the worker. Call it for a worktree without other changes.
 */
export async function recordSetup(path: string): Promise<void> {
  const location = locateGit(path, true);
  if (location === undefined || !isDirty(await git(path, STATUS, { isRoot: true }))) return;
  const tree = await treeOf(path);
  // The flag makes the write fail if setup_command has created a link with this name.
  if (tree !== undefined) writeFileSync(join(location.gitDir, SETUP_TREE), tree, { flag: 'wx' });
}

function treeAfterSetup(path: string): string | undefined {
  const location = locateGit(path, true);
  const file = join(location?.gitDir ?? path, SETUP_TREE);
  return location !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Returns the tree that a commit of all changes in the worktree would have; undefined if git cannot store them. Uses a
 * copy of the index, so that nothing is staged.
 */
async function treeOf(path: string): Promise<string | undefined> {
  const location = locateGit(path, true);
  if (location === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'ringmaster-index-'));
  const indexFile = join(folder, 'index');
  const options = { isRoot: true, indexFile };
  try {
    copyIndex(join(location.gitDir, 'index'), indexFile);
    await refuseNewNested(path);
    await stageAll(path, options);
    return (await git(path, ['write-tree'], options)).trim();
  } catch (error) {
    if (!isHoldfastError(error, 'GIT_FAILED') && !isHoldfastError(error, 'NESTED_REPOSITORY')) throw error;
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Keeps the time of the index. git compares the content only of files that are not older than the index, so a newer copy
 * would hide a change of the same size that was made in the same moment as the index. A worker may have deleted the
 * index; git then reads all files.
 */
function copyIndex(index: string, copy: string): void {
  const { mtimeMs } = statSync(index, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return;
  copyFileSync(index, copy);
  utimesSync(copy, Math.floor(mtimeMs) / 1_000, Math.floor(mtimeMs) / 1_000);
}

/** Removes locks that a killed git process left behind. No other process uses this branch. */
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

/**
 * Commits all changes in the worktree and returns the commit. Moves `branch` to it even if the worker has switched to
 * another branch.
 */
export async function commitWork({ path, branch, message, since }: WorkToCommit): Promise<string> {
  await commitSubmodules({ path, branch, message });
  const isRoot = { isRoot: true };
  const status = await git(path, STATUS, isRoot);
  refuseUnresolved(path, status);
  let head = headIn(status) ?? '';
  const branchOfHead = /^# branch\.head (\S+)$/m.exec(status)?.[1];
  const isOurs = branchOfHead === branch;
  if (isDirty(status)) {
    // Detaches HEAD, so that the commit does not move a branch that the worker has checked out, for example the user's.
    if (!isOurs && branchOfHead !== '(detached)' && head !== '(initial)') await detach(path, head);
    if (/^\? .*\/"?$/m.test(status)) await refuseNewNested(path);
    await stageAll(path);
    await commitStaged(path, message);
    head = (await git(path, ['rev-parse', 'HEAD'], isRoot)).trim();
  }
  if (head !== since) await refuseCommittedNested(path, since, head);
  if (!isOurs) await git(path, ['update-ref', `refs/heads/${branch}`, head], isRoot);
  return head;
}

/** Commits the changes in submodules. Their repositories get a branch with the same name as the worktree's. */
async function commitSubmodules({ path, branch, message }: Omit<WorkToCommit, 'since'>): Promise<void> {
  for (const { path: below, commit: since } of await survivingSubmodules(path)) {
    const folder = join(path, below);
    const head = await commitWork({ path: folder, branch, message, since });
    if (head === since) await deleteBranch(folder, branch, head);
  }
}

/**
 * Stages all changes like `git add --all`, but without running git inside submodules, where their configuration would
 * apply.
 */
async function stageAll(path: string, isRoot: GitOptions = { isRoot: true }): Promise<void> {
  const changed = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard', '--deduplicate'];
  const input = await git(path, [...changed, ...leftovers.map((name) => `--exclude=${name}`)], isRoot);
  await git(path, ['update-index', '--add', '--remove', '-z', '--stdin'], { ...isRoot, input });
}

async function commitStaged(path: string, message: string): Promise<void> {
  const args = [...(await identity(path)), 'commit', '--quiet', '-m', message];
  const { code, stderr } = await tryGit(path, args, { isRoot: true });
  if (code === 0) return;
  // The worker had staged changes and then reverted the files, so nothing is left to commit.
  const staged = await tryGit(path, ['diff', '--cached', '--quiet', '--ignore-submodules=dirty'], { isRoot: true });
  if (staged.code !== 0) throw gitFailed(args, code, stderr);
}

/** Returns git options that set an identity if none is configured, because git refuses to commit without one. */
export async function identity(path: string): Promise<readonly string[]> {
  const { code } = await tryGit(path, ['var', 'GIT_COMMITTER_IDENT']);
  return code === 0 ? [] : ['-c', 'user.name=ringmaster', '-c', 'user.email=ringmaster@localhost'];
}

/**
 * Deletes only the folder, including uncommitted changes. `forgetRemoved` deletes git's record of the worktree. Renames
 * the folder first, because a worktree that a killed process left half-deleted would look like work that deletes files.
 */
export async function removeFolder(path: string): Promise<void> {
  const removed = `${path}.removed`;
  const options = { recursive: true, force: true, maxRetries: 3 };
  await rm(removed, options);
  if (!existsSync(path)) return;
  await rename(path, removed);
  failpoint('ringmaster.run.renamed');
  await rm(removed, options);
}

/** Removes git's records of worktrees whose folders are gone. One call handles many, because starting git is slow. */
export function forgetRemoved(repository: string): Promise<string> {
  return repositoryChanges.run(repository, () => git(repository, ['worktree', 'prune', '--expire', 'now']));
}

/** Deletes only branches that still point to the expected commit, so that no commit is lost. */
export async function deleteBranches(
  repository: string,
  branches: readonly { readonly branch: string; readonly expected: string }[],
): Promise<void> {
  const lines = branches.map(({ branch, expected }) => `delete refs/heads/${branch} ${expected}\n`);
  const { code } = await tryGit(repository, ['update-ref', '--stdin'], { input: lines.join('') });
  if (code === 0) return;
  // A branch has moved, so the atomic update failed. Deletes the other branches one by one.
  for (const { branch, expected } of branches) await deleteBranch(repository, branch, expected);
}

/** Returns the branches whose full name begins with `prefix`, with their commits. */
export async function branchesBelow(
  repository: string,
  prefix: string,
): Promise<readonly { readonly branch: string; readonly commit: string }[]> {
  const output = await git(repository, ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', prefix]);
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => ({ commit: line.slice(0, line.indexOf(' ')), branch: line.slice(line.indexOf(' ') + 1) }));
}

export async function deleteBranch(repository: string, branch: string, expected: string): Promise<boolean> {
  return (await tryGit(repository, ['update-ref', '-d', `refs/heads/${branch}`, expected])).code === 0;
}

/**
 * Returns the error for a nested repository. git stores only a commit id for it, so removing the worktree would lose
 * its files. The worktree stays until a person decides whether the nested repository is a copy, a submodule or not
 * needed.
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

/** Refuses committed nested repositories, except submodules whose commit stays available. */
async function refuseCommittedNested(path: string, since: string, head: string): Promise<void> {
  const changes = await git(path, ['diff-tree', '-r', '--raw', '--no-renames', '-z', since, head], {
    isRoot: true,
  });
  for (const [, commit = '', nested = ''] of changes.matchAll(/:\d+ 160000 \S+ (\S+) \w\0([^\0]+)\0/g)) {
    if (existsSync(join(path, nested, '.git')) && !(await isAvailable(path, nested, commit))) {
      throw refused(path, nested);
    }
  }
}

/** Returns whether a commit stays available: on a remote, or on a branch of a repository that is kept. */
async function isAvailable(path: string, nested: string, commit: string): Promise<boolean> {
  const listed = await tryGit(path, ['config', '--file', '.gitmodules', '--get-regexp', '\\.path$'], { isRoot: true });
  if (!listed.stdout.split('\n').some((line) => line.endsWith(`.path ${nested}`))) return false;
  const folder = join(path, nested);
  const refs = survives(path, folder) ? ['refs/remotes', 'refs/heads'] : ['refs/remotes'];
  const found = await tryGit(folder, ['for-each-ref', '--contains', commit, ...refs], { isRoot: true });
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

/** Returns the diff since a commit, with uncommitted changes. --intent-to-add makes it include untracked files. */
export async function changesSince(path: string, base: string): Promise<string> {
  const isRoot = { isRoot: true };
  const status = ['status', '--porcelain=v2', '--untracked-files=no', '--ignore-submodules=dirty'];
  // Checks for unresolved conflicts first, because --intent-to-add would clear them.
  refuseUnresolved(path, await git(path, status, isRoot));
  const input = await git(path, ['ls-files', '-z', '--others', '--exclude-standard'], isRoot);
  const known = ['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
  if (input !== '') await git(path, known, { ...isRoot, input });
  return git(path, ['diff', '--ignore-submodules=dirty', base], isRoot);
}
