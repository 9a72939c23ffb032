import {
  appendFileSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { locateGit } from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';
import { pathBelow } from './files.ts';
import { repositoryChanges } from './worktree.ts';

export interface FilesForWorktree {
  /** The user's checkout, from which the files come. */
  readonly repository: string;
  readonly worktree: string;
  /** Paths relative to the repository. */
  readonly copy: readonly string[];
  readonly link: readonly string[];
}

/**
 * Copies and links files that git does not track into a worktree. Does not overwrite files of the branch. Returns the
 * paths that do not exist in the repository.
 */
export async function provideFiles({ repository, worktree, copy, link }: FilesForWorktree): Promise<readonly string[]> {
  const isNeeded = (path: string): boolean => lstatSync(join(worktree, path), { throwIfNoEntry: false }) === undefined;
  const provided = [...copy, ...link].filter((path) => existsSync(join(repository, path)));
  // Excludes the paths explicitly, because the project's own ignore patterns may not match: "node_modules/" with a
  // slash at the end does not match a link.
  await repositoryChanges.run(repository, () => Promise.resolve(exclude(repository, provided)));
  for (const path of provided) {
    const source = sourceOf(repository, path);
    refuseLeading(worktree, path);
    if (!isNeeded(path)) continue;
    const target = join(worktree, path);
    mkdirSync(dirname(target), { recursive: true });
    if (copy.includes(path)) {
      // Links in a copied folder stay links, so that no content from elsewhere is copied.
      await cp(source, target, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    } else symlinkSync(source, target);
  }
  return [...copy, ...link].filter((path) => !provided.includes(path));
}

/** Returns the real path of a file in the repository. Refuses a link that leads out of it. */
function sourceOf(repository: string, path: string): string {
  const below = pathBelow(repository, join(repository, path));
  if (below === '' || below === '.git' || below.startsWith('.git/')) {
    throw ringmasterErrors.WORKTREE_SETUP_FAILED(`${path} in ${repository} is a link that leads out of the repository`);
  }
  return join(realpathSync(repository), below);
}

/**
 * Refuses a path that leads through a link or another repository: the branch may contain links that a worker has
 * committed.
 */
function refuseLeading(worktree: string, path: string): void {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = lstatSync(join(worktree, folder), { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (found.isDirectory() && !existsSync(join(worktree, folder, '.git'))) continue;
    throw ringmasterErrors.WORKTREE_SETUP_FAILED(
      `${path} is outside the worktree: ${folder} is not a folder in the worktree`,
    );
  }
}

/** Adds paths to the repository's info/exclude, so that neither ringmaster nor an agent commits the files. */
function exclude(repository: string, paths: readonly string[]): void {
  const commonDir = locateGit(repository)?.commonDir;
  if (commonDir === undefined) return;
  const file = join(commonDir, 'info', 'exclude');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const known = new Set(before.split('\n'));
  const missing = paths.map(excludePattern).filter((pattern) => !known.has(pattern));
  if (missing.length === 0) return;
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${before === '' || before.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
}

/** Returns a pattern that matches only this path. */
function excludePattern(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`;
}
