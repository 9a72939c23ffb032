import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { systemErrorCode } from '@holdfast/base';

import { gitErrors } from './errors.ts';

export interface GitLocation {
  /** Root of the working tree. */
  readonly root: string;
  /** HEAD, index and merge state of this working tree. */
  readonly gitDir: string;
  /** Objects, branches and settings, shared with other working trees. */
  readonly commonDir: string;
}

/**
 * Finds the repository that contains a folder. Does not run git, because git would obey the repository's settings. With
 * `isRoot`, only the folder itself counts.
 */
export function locateGit(folder: string, isRoot = false): GitLocation | undefined {
  const root = isRoot ? realpathSync(folder) : rootAround(realpathSync(folder));
  const path = join(root ?? '', '.git');
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (root === undefined || found === undefined) return undefined;
  if (!found.isDirectory() && !found.isFile()) throw refused(path, 'is neither a folder nor a file');
  if (found.isFile()) return linkedLocation(root, path);
  if (isUnfinished(path)) return undefined;
  if (existsSync(join(path, 'commondir')))
    throw refused(join(path, 'commondir'), 'may exist only in a linked worktree');
  return { root, gitDir: path, commonDir: path };
}

/**
 * True if a crash or power cut interrupted the creation of a repository: HEAD is missing, or HEAD is empty and there is
 * no branch.
 */
export function isUnfinished(gitDir: string): boolean {
  const head = lstatSync(join(gitDir, 'HEAD'), { throwIfNoEntry: false });
  if (head === undefined) return true;
  if (!head.isFile() || head.size > 0 || existsSync(join(gitDir, 'packed-refs'))) return false;
  const branches = join(gitDir, 'refs', 'heads');
  return !existsSync(branches) || readdirSync(branches).length === 0;
}

function rootAround(folder: string): string | undefined {
  if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
  return dirname(folder) === folder ? undefined : rootAround(dirname(folder));
}

/** `.git` is a file with a path: a linked worktree, submodule or separate git directory. */
function linkedLocation(root: string, path: string): GitLocation | undefined {
  const [, target] = /^gitdir: (.+?)\n*$/s.exec(readFileSync(path, 'utf8')) ?? [];
  if (target === undefined || !existsSync(resolve(root, target, 'HEAD'))) return undefined;
  const gitDir = realpathSync(resolve(root, target));
  refuseLinksIn(gitDir);
  if (!existsSync(join(gitDir, 'commondir'))) {
    // If this path were accepted, a folder could make us commit its files into any of the user's repositories.
    if (basename(gitDir) === '.git') throw refused(path, `points to ${gitDir}, which belongs to another folder`);
    return { root, gitDir, commonDir: gitDir };
  }
  for (const name of ['refs', 'logs']) refuseLinksBelow(join(gitDir, name));
  const back = resolve(gitDir, readLine(join(gitDir, 'gitdir')));
  if (!existsSync(back) || realpathSync(back) !== path) {
    throw refused(path, `points to ${gitDir}, which belongs to another worktree`, 'Run `git worktree repair` there.');
  }
  const commonDir = realpathSync(resolve(gitDir, readLine(join(gitDir, 'commondir'))));
  // Only the repository itself can create a folder there. A folder elsewhere could name any repository of the user.
  if (dirname(gitDir) !== join(commonDir, 'worktrees')) {
    throw refused(path, `points to ${gitDir}, which is not a worktree of ${commonDir}`);
  }
  return { root, gitDir, commonDir };
}

/**
 * Refuses symbolic links and alternates in the git directory. git follows both: a linked reflog could make it append
 * to any file, and an alternate could make it read the objects of any repository.
 */
export function refuseLinks({ gitDir, commonDir }: GitLocation): void {
  const alternates = join(commonDir, 'objects', 'info', 'alternates');
  if (existsSync(alternates)) {
    const hint = `Copy the objects: git repack -a -d && rm ${alternates}`;
    throw refused(alternates, 'names the objects of another repository', hint);
  }
  for (const folder of new Set([commonDir, gitDir])) {
    refuseLinksIn(folder);
    for (const name of ['refs', 'logs', 'info', 'reftable']) refuseLinksBelow(join(folder, name));
    for (const name of ['objects', 'objects/pack', 'objects/info', 'worktrees']) refuseLinksIn(join(folder, name));
  }
}

function refuseLinksBelow(folder: string): void {
  for (const name of refuseLinksIn(folder)) refuseLinksBelow(join(folder, name));
}

/** Entries that none of our commands use, so links in them are harmless. */
const unused: ReadonlySet<string> = new Set(['hooks', 'lfs', 'annex', 'modules', 'rr-cache', 'svn', 'description']);

/** Refuses symbolic links and special files in a folder; returns the names of its subfolders. */
function refuseLinksIn(folder: string): string[] {
  const entries = entriesOf(folder);
  for (const entry of entries) {
    // Refuses pipes, because reading a pipe would block. Allows sockets, which git's file system monitor creates.
    if (entry.isFile() || entry.isDirectory() || entry.isSocket() || unused.has(entry.name)) continue;
    const what = entry.isSymbolicLink() ? 'a symbolic link' : 'neither a folder nor a file';
    throw refused(join(folder, entry.name), `is ${what}`);
  }
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Returns nothing for a missing folder: git removes folders of `refs` and `logs` at any time. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export function refused(path: string, why: string, hint?: string): Error {
  return gitErrors.GIT_REPOSITORY_REFUSED(`${path} ${why}`, hint === undefined ? {} : { hint });
}

function readLine(path: string): string {
  return readFileSync(path, 'utf8').trimEnd();
}
