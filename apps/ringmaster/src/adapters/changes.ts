import { ringmasterErrors } from '../model/errors.ts';
import { git } from './git.ts';

/** Reads `git status --porcelain=v2`. Adding a file with conflict markers would mark the conflict as resolved. */
export function refuseUnresolved(path: string, status: string): void {
  const names = [...status.matchAll(/^u (?:\S+ ){9}(.+)$/gm)].map(([, name]) => name);
  if (names.length === 0) return;
  throw ringmasterErrors.MERGE_UNRESOLVED(
    `A merge in ${path} was left with conflicts in ${names.join(', ')}: resolve or abort it there`,
  );
}

/** Changes since a commit, committed or not. Adds untracked files with --intent-to-add so that they show. */
export async function changesSince(path: string, base: string): Promise<string> {
  const isRoot = { isRoot: true };
  const status = ['status', '--porcelain=v2', '--untracked-files=no', '--ignore-submodules=dirty'];
  // --intent-to-add would also clear the conflicts.
  refuseUnresolved(path, await git(path, status, isRoot));
  const input = await git(path, ['ls-files', '-z', '--others', '--exclude-standard'], isRoot);
  const known = ['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
  if (input !== '') await git(path, known, { ...isRoot, input });
  return git(path, ['diff', '--ignore-submodules=dirty', base], isRoot);
}
