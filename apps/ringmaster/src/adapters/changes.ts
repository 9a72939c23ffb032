import { ringmasterErrors } from '../model/errors.ts';
import { git } from './git.ts';

/** As `git status --porcelain=v2` tells it. Added as it is, a file with two versions in it would count as merged. */
export function refuseUnresolved(path: string, status: string): void {
  const names = [...status.matchAll(/^u (?:\S+ ){9}(.+)$/gm)].map(([, name]) => name);
  if (names.length === 0) return;
  throw ringmasterErrors.MERGE_UNRESOLVED(
    `A merge in ${path} was left with conflicts in ${names.join(', ')}: resolve or abort it there`,
  );
}

/** Everything since a commit, committed or not. Files that are new to git are made known to it. */
export async function changesSince(path: string, base: string): Promise<string> {
  const isRoot = { isRoot: true };
  const status = ['status', '--porcelain=v2', '--untracked-files=no', '--ignore-submodules=dirty'];
  // Making them known would also make git forget the conflicts.
  refuseUnresolved(path, await git(path, status, isRoot));
  const input = await git(path, ['ls-files', '-z', '--others', '--exclude-standard'], isRoot);
  const known = ['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
  if (input !== '') await git(path, known, { ...isRoot, input });
  return git(path, ['diff', '--ignore-submodules=dirty', base], isRoot);
}
