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
  /** The reference that kept the new commits until now. */
  readonly keptBy: string;
  readonly reason: string;
  readonly changes: readonly IndexChange[];
  readonly index: IndexCopy;
  /** Paths that the user has staged, according to the copy of the index. */
  readonly staged: ReadonlySet<string>;
  /** Whether the lock of the index is ours already. */
  readonly isLocked: boolean;
}

export interface Published {
  readonly result: 'moved' | 'raced';
  readonly isIndexCurrent: boolean;
}

/**
 * Makes new commits visible: the user's index and the branch change while we hold the lock of the index. Everything slow
 * is done before. The index comes first: `git commit` reads the branch, then the index without its lock, and is refused at
 * its end when the branch has moved. Who saw the new index with the old branch is refused; the other way round, a commit
 * of the user's would undo ours. When the lock is not to be had, the branch moves alone and the index is owed.
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

/** The user did something with the index since it was copied: again, from how it is now. */
async function redo({ index, from, changes }: Publication): Promise<void> {
  index.take();
  await index.update(unstaged(changes, await index.stagedSince(from)));
}

/** A path that the user staged is left as they staged it, and so is one that would have to make room for theirs. */
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
