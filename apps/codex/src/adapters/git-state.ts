import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { gitText } from '@holdfast/git';

import type { GitObjects } from './git-objects.ts';
import type { Repository } from './git-repository.ts';

/** The branch for commits, or why there are none at the moment. */
export type HeadState =
  { readonly branch: string; readonly tip: string | undefined } | { readonly pausedBecause: string };

/** Files that git keeps during an unfinished operation of the user. */
const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or the applying of patches'],
  ['sequencer', 'a sequence of cherry-picks or reverts'],
  ['BISECT_LOG', 'a bisection'],
];

export async function readHead(repository: Repository, objects: GitObjects): Promise<HeadState> {
  for (const [file, what] of UNDER_WAY) {
    if (existsSync(join(repository.gitDir, file))) return { pausedBecause: `${what} is under way` };
  }
  const branch = await currentBranch(repository);
  if (branch === undefined) return { pausedBecause: 'HEAD is detached: no branch is checked out' };
  const commit = await objects.read(branch);
  return { branch, tip: commit?.oid };
}

/** Full name of the current branch; undefined if HEAD is detached. */
export async function currentBranch({ gitDir, root }: Repository): Promise<string | undefined> {
  const text = readFileSync(join(gitDir, 'HEAD'), 'utf8').trimEnd();
  const [, name] = /^ref: (refs\/\S+)$/.exec(text) ?? [];
  // With another ref storage format, the file HEAD is only a placeholder.
  if (name !== 'refs/heads/.invalid') return name;
  const answer = await gitText(['symbolic-ref', '-q', 'HEAD'], { folder: root, expected: [1] });
  return answer === '' ? undefined : answer.trim();
}

export interface IndexLock {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export function findIndexLock({ gitDir }: Repository): IndexLock | undefined {
  const path = join(gitDir, 'index.lock');
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : { path, since: found.mtimeMs };
}
