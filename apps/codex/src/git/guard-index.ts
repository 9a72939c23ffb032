import { type IndexChange, IndexCopy, indexIdentity } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-index-lock.ts';
import { readHead } from '../adapters/git-state.ts';
import type { NotebookRepository } from './notebook-repository.ts';
import { unstaged } from './publish-batch.ts';

/** What the index was given last, and what it was before. */
export interface IndexGuard {
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly IndexChange[];
  /** Of the index that we left. While it is the same, all is well. */
  readonly identity: string;
}

const PATIENCE_MS = 500;

/**
 * git reads the index before it takes its lock. A command of the user's that was just beginning when we replaced the index
 * may write back what it had read, and the next commit of the user's would undo ours. So for a moment after a commit, an
 * index that has gone back to the entries before it is brought forward again.
 */
export async function guardIndex(opened: NotebookRepository, guard: IndexGuard): Promise<IndexGuard> {
  const { repository } = opened;
  if (indexIdentity(repository) === guard.identity) return guard;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head || head.tip !== guard.to) return { ...guard, identity: indexIdentity(repository) };
  const release = await takeIndexLock(repository, PATIENCE_MS);
  if (release === undefined) return guard;
  const index = new IndexCopy(repository);
  try {
    const differing = await index.stagedSince(guard.to);
    const stale = guard.changes.filter(({ path }) => differing.has(path));
    const lost = stale.length === 0 ? [] : unstaged(stale, await index.stagedSince(guard.from));
    if (lost.length > 0) {
      await index.update(lost);
      index.replaceIndex(guard.to);
      index.keep(guard.to);
    }
  } finally {
    index.discard();
    release();
  }
  return { ...guard, identity: indexIdentity(repository) };
}
