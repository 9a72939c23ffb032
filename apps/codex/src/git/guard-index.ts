import { type IndexChange, IndexCopy, indexIdentity } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-index-lock.ts';
import { readHead } from '../adapters/git-state.ts';
import type { NotebookRepository } from './notebook-repository.ts';
import { unstaged } from './publish-batch.ts';

/** The index entries that we wrote last, and what they replaced. */
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
  const index = new IndexCopy(repository);
  try {
    // Looked at without the lock: whoever runs `git add` and `git commit` in a row must not find it taken.
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

/** Entries that the index has lost again, except where the user has staged something. */
async function lostFrom(index: IndexCopy, { from, to, changes }: IndexGuard): Promise<readonly IndexChange[]> {
  const differing = await index.stagedSince(to);
  const stale = changes.filter(({ path }) => differing.has(path));
  return stale.length === 0 ? [] : unstaged(stale, await index.stagedSince(from));
}
