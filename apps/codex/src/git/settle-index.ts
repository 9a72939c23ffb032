import { changedEntries } from '../adapters/git-diff.ts';
import { IndexCopy } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-index-lock.ts';
import { readHead } from '../adapters/git-state.ts';
import { indexOwedFrom, indexSettled, lastCommit } from '../store/git-commits.ts';
import type { BatchContext } from './batch-context.ts';
import { unstaged } from './publish-batch.ts';

/**
 * Updates the user's index if that is still due: entries that match the commit before ours become those of the tip;
 * staged paths stay. Returns false while another process holds the index lock.
 */
export async function settleIndex(context: BatchContext, patienceMs?: number): Promise<boolean> {
  const { opened, store, notebookId } = context;
  const { repository } = opened;
  const from = indexOwedFrom(store.reader, notebookId);
  if (from === undefined) return true;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head || head.tip === undefined) return false;
  const release = await takeIndexLock(repository, patienceMs);
  if (release === undefined) return false;
  try {
    // Switching the branch or the repository has replaced the index.
    const isHere = (await opened.objects.read(from)) !== undefined;
    if (isHere && lastCommit(store.reader, notebookId)?.branch === head.branch) {
      const index = new IndexCopy(repository);
      try {
        const changes = await changedEntries(repository, from, head.tip);
        await index.update(unstaged(changes, await index.stagedSince(from)));
        index.replaceIndex(head.tip);
        index.keep(head.tip);
      } finally {
        index.discard();
      }
    }
  } finally {
    release();
  }
  await store.write('index settled', (tx) => indexSettled(tx, notebookId));
  return true;
}
