import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

import { addWorktree, locateGit } from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';
import { git, gitOptions } from './git.ts';

interface Submodule {
  readonly path: string;
  /** The commit of the submodule in the worktree's index. */
  readonly commit: string;
}

async function submodulesOf(worktree: string): Promise<readonly Submodule[]> {
  if (!existsSync(join(worktree, '.gitmodules'))) return [];
  const listed = await git(worktree, ['ls-files', '--stage', '-z'], { isRoot: true });
  return [...listed.matchAll(/(?<=^|\0)160000 (\S+) 0\t([^\0]+)/g)].map(([, commit = '', path = '']) => ({
    path,
    commit,
  }));
}

/** A submodule that stays empty in a worktree. */
export interface EmptySubmodule {
  readonly path: string;
  readonly why: string;
}

/**
 * Checks out the submodules of a new worktree from the repositories in `checkout`, without fetching or reading their
 * settings. Each submodule becomes a worktree of its repository, so its commits remain after the worktree is removed.
 */
export async function addSubmodules(checkout: string, worktree: string): Promise<readonly EmptySubmodule[]> {
  const empty: EmptySubmodule[] = [];
  for (const { path, commit } of await submodulesOf(worktree)) {
    const source = join(checkout, path);
    const target = join(worktree, path);
    try {
      if (!isCheckedOut(checkout, path)) {
        empty.push({ path, why: `it is not checked out in ${checkout} (git submodule update --init)` });
        continue;
      }
      await git(source, ['worktree', 'prune'], { isRoot: true });
      await addWorktree(target, ['--force', '--detach', target, commit], gitOptions(source));
      const nested = await addSubmodules(source, target);
      empty.push(...nested.map((one) => ({ ...one, path: join(path, one.path) })));
    } catch (error) {
      empty.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return empty;
}

/** Returns false for a link, which could lead to any of the user's repositories. */
function isCheckedOut(checkout: string, path: string): boolean {
  const folder = join(checkout, path);
  if (!existsSync(join(folder, '.git'))) return false;
  return realpathSync(folder) === join(realpathSync(checkout), path) && locateGit(folder, true) !== undefined;
}

/**
 * Returns the submodules whose repositories remain after the worktree is removed. Throws if a worker wrote files into
 * an empty submodule, because git does not see these files.
 */
export async function survivingSubmodules(worktree: string): Promise<readonly Submodule[]> {
  const submodules = await submodulesOf(worktree);
  return submodules.filter(({ path }) => {
    const folder = join(worktree, path);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    if (existsSync(join(folder, '.git'))) return survives(worktree, folder);
    if (readdirSync(folder).length === 0) return false;
    throw ringmasterErrors.SUBMODULE_EMPTY(
      `${path} in ${worktree} is a submodule that is not checked out: git cannot keep the files that the worker wrote there`,
    );
  });
}

/** Returns whether the repository of a nested folder remains when the worktree is removed. */
export function survives(worktree: string, nested: string): boolean {
  const outer = locateGit(worktree, true);
  const inner = locateGit(nested, true);
  if (outer === undefined || inner === undefined) return false;
  return [outer.root, outer.gitDir].every((removed) => relative(removed, inner.commonDir).startsWith('..'));
}
