import { failpoint, syncFolder } from '@holdfast/base';

import { syncBranch } from '../adapters/git-durability.ts';
import { type IndexChange, IndexCopy } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-index-lock.ts';
import { type BranchMoved, moveBranch } from '../adapters/git-refs.ts';
import type { Repository } from '../adapters/git-repository.ts';
import { currentBranch } from '../adapters/git-state.ts';

export interface Publication {
  readonly repository: Repository;
  readonly branch: string;
  readonly from: string | undefined;
  readonly to: string;
  /** Temporary reference to the new commits. */
  readonly keptBy: string;
  readonly reason: string;
  readonly changes: readonly IndexChange[];
  readonly index: IndexCopy;
  /** Paths that the user has staged, according to the copy of the index. */
  readonly staged: ReadonlySet<string>;
  /** True if we already hold the index lock. */
  readonly isLocked: boolean;
}

export interface Published {
  readonly result: 'moved' | 'raced';
  readonly isIndexCurrent: boolean;
}

/**
 * Makes new commits visible: replaces the user's index and moves the branch while holding the index lock. Everything
 * slow is done before. The index comes first: `git commit` reads the branch, then the index, and fails if the branch
 * has moved meanwhile. With the reverse order, a commit of the user could undo ours. Without the lock, only the branch
 * moves and the index is updated later.
 */
export async function publishBatch(publication: Publication): Promise<Published> {
  const { repository, branch, index } = publication;
  await index.update(unstaged(publication.changes, publication.staged));
  const release = publication.isLocked ? () => undefined : await takeIndexLock(repository);
  try {
    if (release !== undefined && !index.isCurrent) await redo(publication);
    if ((await currentBranch(repository)) !== branch) return { result: 'raced', isIndexCurrent: false };
    failpoint('codex.git.ready');
    const result = await (release === undefined ? move(publication) : moveWithIndex(publication));
    if (result === 'raced') return { result, isIndexCurrent: false };
  } finally {
    release?.();
  }
  await syncBranch(repository, branch);
  await syncFolder(repository.gitDir);
  return { result: 'moved', isIndexCurrent: release !== undefined };
}

async function moveWithIndex(publication: Publication): Promise<BranchMoved> {
  const { index, to } = publication;
  index.replaceIndex(to);
  failpoint('codex.git.index');
  const result = await move(publication).catch((error: unknown) => {
    index.putBack(to);
    throw error;
  });
  if (result === 'raced') index.putBack(to);
  else index.keep(to);
  return result;
}

async function move({ repository, branch, from, to, keptBy: drop, reason }: Publication): Promise<BranchMoved> {
  const result = await moveBranch(repository, { branch, from, to, drop, reason });
  if (result === 'moved') failpoint('codex.git.moved');
  return result;
}

/** Prepares the index again, because the user changed it since it was copied. */
async function redo({ index, from, changes }: Publication): Promise<void> {
  index.take();
  await index.update(unstaged(changes, await index.stagedSince(from)));
}

/** Leaves out paths that the user has staged, and paths that would replace a staged one. */
export function unstaged(changes: readonly IndexChange[], staged: ReadonlySet<string>): readonly IndexChange[] {
  if (staged.size === 0) return changes;
  const folders = new Set<string>();
  for (const path of staged) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end));
  }
  return changes.filter(({ path, entry }) => {
    if (staged.has(path)) return false;
    if (entry === undefined) return true;
    if (folders.has(path)) return false;
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      if (staged.has(path.slice(0, end))) return false;
    }
    return true;
  });
}
