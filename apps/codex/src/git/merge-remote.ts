import { failpoint, toTimestamp } from '@holdfast/base';
import { setReference } from '@holdfast/git';

import { changedEntries } from '../adapters/git-content.ts';
import { emptyTree, IndexCopy } from '../adapters/git-index.ts';
import { isAncestor, mergeCommits } from '../adapters/git-merge.ts';
import { readHead } from '../adapters/git-repository.ts';
import { codexErrors } from '../model/errors.ts';
import { codexIdentity, formatIdentity } from '../model/git.ts';
import { markIndexOutdated } from '../store/git.ts';
import { type ChangeRow, dropMerge, findMerge, insertMerge, type MergeRow, recordMerge } from '../store/remotes.ts';
import type { GitContext, NotebookRepository } from './notebook-repository.ts';
import { publishBatch } from './publish-batch.ts';

export interface MergeContext extends GitContext {
  readonly notebookId: number;
  readonly opened: NotebookRepository;
}

interface RemoteTip {
  readonly remote: string;
  readonly branch: string;
  readonly theirs: string;
}

export interface Merged {
  readonly tip: string;
  /** True if the branch moved, so that the folder has to follow. */
  readonly isMoved: boolean;
}

const TRIES_MAX = 5;

/**
 * Moves the branch to a commit that contains our commits and those of the remote. The folder follows later, through the
 * queue: the plan is stored before the branch moves, so that a crash at any moment loses nothing.
 */
export async function mergeRemote(context: MergeContext, tip: RemoteTip): Promise<Merged> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const merged = await tryMerge(context, tip);
    if (merged !== undefined) return merged;
  }
  throw codexErrors.GIT_UNAVAILABLE('Other programs kept moving the branch during a merge');
}

/** Returns undefined if the branch moved in the meantime. */
async function tryMerge(context: MergeContext, { remote, branch, theirs }: RemoteTip): Promise<Merged | undefined> {
  const { opened, store, notebookId } = context;
  const { repository } = opened;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head) throw codexErrors.GIT_PAUSED(`Commits are paused: ${head.pausedBecause}`);
  if (head.branch !== `refs/heads/${branch}`) throw otherBranch(head.branch, branch);
  const ours = head.tip;
  if (ours !== undefined && (await isAncestor(repository, theirs, ours))) return { tip: ours, isMoved: false };
  const merged = await mergedCommit(context, ours, theirs, remote);
  const keptBy = `refs/codex/${notebookId}`;
  await setReference(repository.root, keptBy, merged);
  const entries = await changedEntries(repository, ours ?? emptyTree(repository), merged);
  const changes = entries.map(({ path, before, entry }): ChangeRow => ({
    path,
    before: before?.oid ?? null,
    after: entry?.oid ?? null,
    mode: entry?.mode ?? '',
  }));
  const row: MergeRow = {
    notebook_id: notebookId,
    remote,
    branch: head.branch,
    ours: ours ?? null,
    merged,
    is_recorded: 0,
  };
  await store.write('codex merge planned', (tx) => insertMerge(tx, row, changes));
  failpoint('codex.sync.planned');
  const index = new IndexCopy(repository);
  try {
    const staged = await index.stagedSince(ours);
    const reason = `codex: sync with ${remote}`;
    const move = { branch: head.branch, from: ours, to: merged, keptBy, reason, changes: entries };
    const { result, isIndexCurrent } = await publishBatch({ ...opened, ...move, index, staged, isLocked: false });
    if (result === 'raced') {
      await store.write('codex merge dropped', (tx) => dropMerge(tx, notebookId));
      return undefined;
    }
    failpoint('codex.sync.moved');
    await record(context, row, isIndexCurrent);
  } finally {
    index.discard();
  }
  failpoint('codex.sync.recorded');
  return { tip: merged, isMoved: true };
}

function otherBranch(current: string, wanted: string): Error {
  const name = current.replace(/^refs\/heads\//, '');
  return codexErrors.REMOTE_UNSUITABLE(`The branch ${name} is checked out, but the remote is synced with ${wanted}`);
}

async function mergedCommit(
  { opened, clock }: MergeContext,
  ours: string | undefined,
  theirs: string,
  remote: string,
): Promise<string> {
  const { repository, user } = opened;
  if (ours === undefined || (await isAncestor(repository, ours, theirs))) return theirs;
  const message = `Merge changes from ${remote}\n`;
  return mergeCommits(repository, { ours, theirs, author: user, message, now: Math.floor(clock() / 1_000) });
}

async function record({ store, clock, opened }: MergeContext, row: MergeRow, isIndexCurrent: boolean): Promise<void> {
  const at = toTimestamp(clock());
  await store.write('codex merge recorded', (tx) => {
    recordMerge(tx, row, formatIdentity(codexIdentity), at);
    if (!isIndexCurrent) markIndexOutdated(tx, row.notebook_id, row.ours ?? emptyTree(opened.repository));
  });
}

/**
 * Settles a merge that a crash interrupted. If the branch has moved to the merged commit, records the merge, so that
 * codex does not commit the folder's older files on top of it. If the branch has not moved, forgets the merge.
 */
export async function settleMerge(context: MergeContext): Promise<void> {
  const { store, notebookId, opened } = context;
  const row = findMerge(store.reader, notebookId);
  if (row === undefined || row.is_recorded === 1) return;
  const tip = (await opened.objects.read(row.branch))?.oid;
  const hasMoved = tip !== undefined && (await isAncestor(opened.repository, row.merged, tip));
  // Marks the index as outdated, because the crash may have come before the index was updated.
  if (hasMoved) await record(context, row, false);
  else await store.write('codex merge dropped', (tx) => dropMerge(tx, notebookId));
}
