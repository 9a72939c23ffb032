import { worktreeOf } from '@holdfast/git';

import { git, gitOptions, tryGit } from './git.ts';
import { identity, repositoryChanges } from './worktree.ts';

export interface MergeRequest {
  readonly repository: string;
  readonly branch: string;
  /** Target branch. */
  readonly into: string;
  readonly message: string;
}

export type MergeResult =
  | { readonly kind: 'merged'; readonly commit: string }
  | { readonly kind: 'already'; readonly commit: string }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** Returns the checked-out branch; undefined for a detached HEAD. */
export async function currentBranch(repository: string): Promise<string | undefined> {
  const { code, stdout } = await tryGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return code === 0 ? stdout.trim() : undefined;
}

/** Returns whether a commit is an ancestor of a branch or commit. */
export async function isIn(repository: string, commit: string, of: string): Promise<boolean> {
  return (await tryGit(repository, ['merge-base', '--is-ancestor', commit, of])).code === 0;
}

/**
 * Computes the merge as git objects first. Moves the branch and its checked-out files only if there is no conflict. git
 * refuses that step if it would overwrite uncommitted changes, and then nothing has changed.
 */
export function mergeBranch(request: MergeRequest): Promise<MergeResult> {
  return repositoryChanges.run(request.repository, () => mergeNow(request));
}

const TRIES_MAX = 5;

async function mergeNow(request: MergeRequest): Promise<MergeResult> {
  for (let tried = 1; ; tried++) {
    const target = await commitAt(request.repository, request.into);
    try {
      return await mergeInto(request, target);
    } catch (error) {
      // If the branch moved meanwhile, merge again on top of it.
      const isMoved = (await commitAt(request.repository, request.into)) !== target;
      if (!isMoved || tried === TRIES_MAX) throw error;
    }
  }
}

async function mergeInto({ repository, branch, into, message }: MergeRequest, target: string): Promise<MergeResult> {
  const source = await commitAt(repository, branch);
  if (await isIn(repository, source, target)) return { kind: 'already', commit: target };
  const tried = await tryGit(repository, [
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--no-messages',
    target,
    source,
  ]);
  const [tree = '', ...files] = tried.stdout.trim().split('\n');
  if (tried.code === 1) return { kind: 'conflict', files: files.filter((name) => name !== '') };
  if (tried.code !== 0) await git(repository, ['merge-tree', '--write-tree', target, source]);
  const who = await identity(repository);
  const parents = ['-p', target, '-p', source];
  const made = [...who, 'commit-tree', tree, ...parents, '-m', message];
  const commit = (await git(repository, made)).trim();
  // Also updates the files where the branch is checked out; else they would look like changes that revert the merge.
  const folder = await worktreeOf(into, gitOptions(repository));
  if (folder === undefined) await git(repository, ['update-ref', `refs/heads/${into}`, commit, target]);
  else await git(folder, ['merge', '--ff-only', '--quiet', commit]);
  return { kind: 'merged', commit };
}

async function commitAt(repository: string, branch: string): Promise<string> {
  return (await git(repository, ['rev-parse', `refs/heads/${branch}^{commit}`])).trim();
}
