import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { gitText } from '@holdfast/git';

import type { GitObjects } from './git-objects.ts';
import type { Repository } from './git-repository.ts';

/** Where commits go now; or why they do not, in words for the user. */
export type HeadState =
  { readonly branch: string; readonly tip: string | undefined } | { readonly pausedBecause: string };

/** Files that git keeps while the user is in the middle of something. */
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

/** The full name of the branch that is checked out; undefined when HEAD is detached. */
export async function currentBranch({ gitDir, root }: Repository): Promise<string | undefined> {
  const text = readFileSync(join(gitDir, 'HEAD'), 'utf8').trimEnd();
  const [, name] = /^ref: (refs\/\S+)$/.exec(text) ?? [];
  // Repositories with another store for references keep a HEAD that says nothing.
  if (name !== 'refs/heads/.invalid') return name;
  const answer = await gitText(['symbolic-ref', '-q', 'HEAD'], { folder: root, expected: [1] });
  return answer === '' ? undefined : answer.trim();
}

export interface IndexLock {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A lock of the index, held or left behind. */
export function findIndexLock({ gitDir }: Repository): IndexLock | undefined {
  const path = join(gitDir, 'index.lock');
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : { path, since: found.mtimeMs };
}
