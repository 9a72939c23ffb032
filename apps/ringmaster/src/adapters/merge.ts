import { gitFailed, worktreeOf } from '@holdfast/git';

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

/** Returns the latest commit that both commits contain. */
export async function sharedCommit(repository: string, one: string, other: string): Promise<string> {
  return (await git(repository, ['merge-base', one, other])).trim();
}

/**
 * Computes the merge as git objects first. Moves the branch and updates its checked-out files only if there is no
 * conflict. If the update would overwrite uncommitted changes, git refuses, and nothing is changed.
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
      // If the branch has moved in the meantime, merges again on top of it.
      const isMoved = (await commitAt(request.repository, request.into)) !== target;
      if (!isMoved || tried === TRIES_MAX) throw error;
    }
  }
}

async function mergeInto({ repository, branch, into, message }: MergeRequest, target: string): Promise<MergeResult> {
  const source = await commitAt(repository, branch);
  if (await isIn(repository, source, target)) return { kind: 'already', commit: target };
  const result = await mergeCommits(repository, { target, source, message });
  if (result.kind === 'conflict') return result;
  // If the branch is checked out, its files must change too. If they stayed the same, they would look like changes that
  // revert the merge.
  const folder = await worktreeOf(into, gitOptions(repository));
  if (folder === undefined) await git(repository, ['update-ref', `refs/heads/${into}`, result.commit, target]);
  else await git(folder, ['merge', '--ff-only', '--quiet', result.commit]);
  return result;
}

export interface CommitMerge {
  readonly target: string;
  readonly source: string;
  readonly message: string;
  /** Date of the merge commit. With a fixed date, repeating the merge gives the same commit id. Default: now. */
  readonly date?: string;
}

/** Merges two commits as git objects: moves no branch and changes no file. */
export async function mergeCommits(
  repository: string,
  { target, source, message, date }: CommitMerge,
): Promise<Exclude<MergeResult, { kind: 'already' }>> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', target, source];
  const tried = await tryGit(repository, args);
  const [tree = '', ...files] = tried.stdout.trim().split('\n');
  if (tried.code === 1) return { kind: 'conflict', files: files.filter((name) => name !== '') };
  if (tried.code !== 0) throw gitFailed(args, tried.code, tried.stderr);
  const made = [...(await identity(repository)), 'commit-tree', tree, '-p', target, '-p', source, '-m', message];
  const env = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return { kind: 'merged', commit: (await git(repository, made, { env })).trim() };
}

/** Returns the given commits, except those that another given commit contains. */
export async function independentCommits(repository: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await git(repository, ['merge-base', '--independent', ...commits])).trim().split('\n'));
}

/** Returns all commits that the given commits contain and `base` does not. Ignores commits that no longer exist. */
export async function historyOutside(
  repository: string,
  base: string,
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const input = [`^${base}`, ...commits].join('\n');
  const listed = await git(repository, ['rev-list', '--ignore-missing', '--stdin'], { input });
  return new Set(listed.trim().split('\n'));
}

/** Returns the commit of each branch that exists and is not contained in `base`. */
export async function commitsOutside(
  repository: string,
  base: string,
  branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const format = '--format=%(objectname) %(refname:lstrip=2)';
  const listed = await git(repository, ['for-each-ref', format, `--no-merged=${base}`, ...refs]);
  const rows = listed.split('\n').filter((line) => line !== '');
  return new Map(rows.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

async function commitAt(repository: string, branch: string): Promise<string> {
  return (await git(repository, ['rev-parse', `refs/heads/${branch}^{commit}`])).trim();
}
