import { git, tryGit } from './git.ts';
import { identity } from './worktree.ts';

export interface MergeRequest {
  readonly repository: string;
  readonly branch: string;
  /** The branch that it goes into. */
  readonly into: string;
  readonly message: string;
}

export type MergeResult =
  | { readonly kind: 'merged'; readonly commit: string }
  | { readonly kind: 'already'; readonly commit: string }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** The branch that is checked out; undefined when none is. */
export async function currentBranch(repository: string): Promise<string | undefined> {
  const { code, stdout } = await tryGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return code === 0 ? stdout.trim() : undefined;
}

/** Whether a commit is part of a branch or of another commit. */
export async function isIn(repository: string, commit: string, of: string): Promise<boolean> {
  return (await tryGit(repository, ['merge-base', '--is-ancestor', commit, of])).code === 0;
}

/**
 * Merges without touching anybody's files until it is known to work: the result is computed as objects, and only then
 * the branch moves forward, with the files where it is checked out. git refuses that step if it would overwrite changes
 * that are not committed, and then nothing has happened.
 */
export async function mergeBranch({ repository, branch, into, message }: MergeRequest): Promise<MergeResult> {
  const target = (await git(repository, ['rev-parse', `refs/heads/${into}^{commit}`])).trim();
  const source = (await git(repository, ['rev-parse', `refs/heads/${branch}^{commit}`])).trim();
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
  const made = [...who, '-c', 'commit.gpgSign=false', 'commit-tree', tree, ...parents, '-m', message];
  const commit = (await git(repository, made)).trim();
  if ((await currentBranch(repository)) === into) await git(repository, ['merge', '--ff-only', '--quiet', commit]);
  else await git(repository, ['update-ref', `refs/heads/${into}`, commit, target]);
  return { kind: 'merged', commit };
}
