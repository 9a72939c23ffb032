import { toTimestamp } from '@holdfast/base';
import { gitText } from '@holdfast/git';

import { emptyTree } from '../adapters/git-index.ts';
import { lastCommit, recordBatch } from '../store/git-commits.ts';
import type { BatchContext } from './batch-context.ts';
import { rowsOfBatch } from './batch-id.ts';
import { readTrailers } from '../model/git/log.ts';
import type { PendingRow } from '../model/git/pending-row.ts';

/** Number of commits to search; the user may have committed since. */
const LOOKED_AT = 200;

interface FoundCommit {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly author: string;
  readonly batchId: string;
  readonly eventIds: readonly number[];
}

/**
 * Records a batch that was committed before an interruption, so that it is not committed twice. Returns whether there
 * was one.
 */
export async function recordUnrecorded(
  context: BatchContext,
  head: { readonly branch: string; readonly tip: string | undefined },
  pending: readonly PendingRow[],
): Promise<boolean> {
  const { opened, store, notebookId } = context;
  if (head.tip === undefined || pending.length === 0) return false;
  const found = await ownCommits(context, head.tip);
  const id = found.find((commit) => rowsOfBatch(commit.batchId, pending) !== undefined)?.batchId;
  const rows = id === undefined ? undefined : rowsOfBatch(id, pending);
  if (rows === undefined) return false;
  const commits = found.filter((commit) => commit.batchId === id).toReversed();
  const last = commits.at(-1)?.sha ?? head.tip;
  const before = commits[0]?.parent;
  await recordBatch(store, {
    notebookId,
    commits: commits.map((commit) => ({ ...commit, branch: head.branch, pathCount: 0 })),
    rowIds: rows.map((row) => row.id),
    eventIds: rows.map((row) => row.eventId),
    tip: last,
    tracked: rows.filter(({ kind }) => kind !== 'delete').map((row) => ({ path: row.path, hash: row.hash, sha: last })),
    untracked: [],
    // The interruption may have come before the index was updated.
    indexOwedFrom: before ?? emptyTree(opened.repository),
    at: toTimestamp(context.now()),
  });
  return true;
}

async function ownCommits({ opened, store, notebookId }: BatchContext, tip: string): Promise<FoundCommit[]> {
  const known = lastCommit(store.reader, notebookId)?.sha;
  const isThere = known !== undefined && (await opened.objects.read(known)) !== undefined;
  const args = ['log', `--max-count=${LOOKED_AT}`, '--format=%H%x00%P%x00%an <%ae>%x00%B%x00', tip];
  const text = await gitText(isThere ? [...args, `^${known}`] : args, { folder: opened.repository.root });
  const fields = text.split('\0');
  const found: FoundCommit[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const { batchId, eventIds } = readTrailers(fields[at + 3] ?? '');
    if (batchId === undefined) continue;
    const [parent] = (fields[at + 1] ?? '').split(' ');
    found.push({
      sha: (fields[at] ?? '').trim(),
      parent: parent === '' ? undefined : parent,
      author: fields[at + 2] ?? '',
      batchId,
      eventIds,
    });
  }
  return found;
}
