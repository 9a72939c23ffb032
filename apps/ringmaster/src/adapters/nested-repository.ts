import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ringmasterErrors } from '../model/errors.ts';
import { git, tryGit } from './git.ts';

/**
 * git stores only a commit id for a nested repository, so removing the worktree would lose its files. Only a person can
 * tell whether it is a copy, a submodule or rubbish; until then the worktree stays.
 */
function refused(path: string, nested: string): Error {
  return ringmasterErrors.NESTED_REPOSITORY(
    `${nested} in ${path} is a git repository of its own: its files cannot be kept on the branch of the attempt`,
  );
}

/** Untracked nested repositories. */
export async function refuseNewNested(path: string): Promise<void> {
  const others = await git(path, ['ls-files', '--others', '--exclude-standard', '-z'], { isRoot: true });
  // For other folders git lists the files inside.
  const nested = others.split('\0').find((name) => name.endsWith('/'));
  if (nested !== undefined) throw refused(path, nested.slice(0, -1));
}

/** Committed nested repositories. A submodule whose commit can be fetched is fine. */
export async function refuseCommittedNested(path: string, since: string, head: string): Promise<void> {
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
