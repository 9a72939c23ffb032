import { type IndexChange, IndexCopy, indexIdentity } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-index-lock.ts';
import { readHead } from '../adapters/git-state.ts';
import type { NotebookRepository } from './notebook-repository.ts';
import { unstaged } from './publish-batch.ts';

export interface IndexGuard {
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly IndexChange[];
  /** Identity of the index that we wrote; nothing to do while it is unchanged. */
  readonly identity: string;
}

const PATIENCE_MS = 500;

/**
 * git reads the index before it takes the lock. A command of the user that started just before we replaced the index
 * may write the old entries back, and the user's next commit would undo ours. So for a moment after a commit, this
 * restores entries that were reverted.
 */
export async function guardIndex(opened: NotebookRepository, guard: IndexGuard): Promise<IndexGuard> {
  const { repository } = opened;
  if (indexIdentity(repository) === guard.identity) return guard;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head || head.tip !== guard.to) return { ...guard, identity: indexIdentity(repository) };
  const index = new IndexCopy(repository);
  try {
    // Checks without the lock, which must stay free for `git add` and `git commit` in a row.
    if ((await lostFrom(index, guard)).length === 0) return { ...guard, identity: index.identity };
    const release = await takeIndexLock(repository, PATIENCE_MS);
    if (release === undefined) return guard;
    try {
      index.take();
      const lost = await lostFrom(index, guard);
      if (lost.length > 0) {
        await index.update(lost);
        index.replaceIndex(guard.to);
        index.keep(guard.to);
      }
    } finally {
      release();
    }
  } finally {
    index.discard();
  }
  return { ...guard, identity: indexIdentity(repository) };
}

/** Reverted entries, except paths that the user has staged. */
async function lostFrom(index: IndexCopy, { from, to, changes }: IndexGuard): Promise<readonly IndexChange[]> {
  const differing = await index.stagedSince(to);
  const stale = changes.filter(({ path }) => differing.has(path));
  return stale.length === 0 ? [] : unstaged(stale, await index.stagedSince(from));
}
