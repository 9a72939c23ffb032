import { failpoint } from '@holdfast/base';

import type { Store, Tx } from './open.ts';

interface CommitRecord {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly branch: string;
  readonly author: string;
  readonly pathCount: number;
  readonly eventIds: readonly number[];
}

export interface BatchRecord {
  readonly notebookId: number;
  readonly commits: readonly CommitRecord[];
  /** Finished rows of `git_pending`. */
  readonly rowIds: readonly number[];
  /** Events of these rows. Those that no commit names get the tip, which contains their changes. */
  readonly eventIds: readonly number[];
  readonly tip: string | undefined;
  /** Committed paths: content by hash, or undefined for a move. */
  readonly tracked: readonly { readonly path: string; readonly hash: string | undefined; readonly sha: string }[];
  readonly untracked: readonly { readonly path: string; readonly reason: string }[];
  /** The commit that the user's index corresponds to, if the index could not be updated. */
  readonly indexOwedFrom: string | undefined;
  readonly at: string;
}

/** Rows per transaction. Others wait for it, so it has to be short. */
const AT_ONCE = 50;

/**
 * Records the commits of a batch in their events and files, and removes the pending rows. A crash before the commits
 * are recorded repeats everything with the same result; after that, only the removal is left, see `clearRecorded`.
 */
export async function recordBatch(store: Store, batch: BatchRecord): Promise<void> {
  const shas = [...shasOfEvents(batch)];
  const { notebookId, tracked, untracked } = batch;
  for (let at = 0; at < Math.max(shas.length, tracked.length); at += AT_ONCE) {
    await store.write('commit noted', (tx) => {
      setCommits(tx, shas.slice(at, at + AT_ONCE));
      for (const file of tracked.slice(at, at + AT_ONCE)) setTracked(tx, notebookId, file.path, file.hash, file.sha);
    });
  }
  await store.write('commit recorded', (tx) => {
    for (const { path, reason } of untracked) setUntracked(tx, notebookId, path, reason);
    for (const commit of batch.commits) putCommit(tx, batch, commit);
    const ids = JSON.stringify(batch.rowIds);
    tx.run('INSERT INTO git_recorded (notebook_id, pending_ids) VALUES (?, ?)', notebookId, ids);
    if (batch.indexOwedFrom !== undefined) oweIndex(tx, notebookId, batch.indexOwedFrom);
  });
  failpoint('codex.git.known');
  await clearRecorded(store, notebookId);
}

/**
 * Removes pending rows of recorded commits, a few at a time. Runs first after an interruption, because the rows would
 * otherwise be committed twice.
 */
export async function clearRecorded(store: Store, notebookId: number): Promise<void> {
  const recorded = store.reader.all<{ id: number; pending_ids: string }>(
    'SELECT id, pending_ids FROM git_recorded WHERE notebook_id = ? ORDER BY id',
    notebookId,
  );
  for (const { id, pending_ids } of recorded) {
    const left = JSON.parse(pending_ids) as number[];
    do {
      const some = left.splice(0, AT_ONCE);
      await store.write('commit cleared', (tx) => {
        for (const row of some) tx.run('DELETE FROM git_pending WHERE id = ?', row);
        if (left.length === 0) tx.run('DELETE FROM git_recorded WHERE id = ?', id);
      });
    } while (left.length > 0);
  }
}

function putCommit(tx: Tx, { notebookId, rowIds, at }: BatchRecord, commit: CommitRecord): void {
  tx.run(
    `INSERT INTO git_commits (notebook_id, sha, parent_sha, branch, author, path_count, last_pending_id, last_event_id,
       committed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    notebookId,
    commit.sha,
    commit.parent ?? null,
    commit.branch,
    commit.author,
    commit.pathCount,
    rowIds.at(-1) ?? 0,
    commit.eventIds.reduce((last, id) => Math.max(last, id), 0),
    at,
  );
}

/** An older debt stays: the index still corresponds to that commit. */
function oweIndex(tx: Tx, notebookId: number, from: string): void {
  tx.run('INSERT INTO git_index_owed (notebook_id, from_sha) VALUES (?, ?) ON CONFLICT DO NOTHING', notebookId, from);
}

function shasOfEvents({ commits, eventIds, tip }: BatchRecord): Map<number, string> {
  const shas = new Map<number, string>();
  if (tip !== undefined) for (const id of eventIds) shas.set(id, tip);
  for (const { sha, eventIds: own } of commits) for (const id of own) shas.set(id, sha);
  return shas;
}

/** Listeners follow events by `change_seq`, so each change takes its own number. */
function setCommits(tx: Tx, shas: readonly (readonly [eventId: number, sha: string])[]): void {
  if (shas.length === 0) return;
  const last = tx.get<{ value: number }>(
    `UPDATE codex_meta SET value = value + ? WHERE key = 'change_seq' RETURNING value`,
    shas.length,
  );
  let change = (last?.value ?? 0) - shas.length;
  for (const [eventId, sha] of shas) {
    change += 1;
    tx.run('UPDATE file_events SET commit_sha = ?, change_seq = ? WHERE id = ?', sha, change, eventId);
  }
}

function setTracked(tx: Tx, notebookId: number, path: string, hash: string | undefined, sha: string): void {
  tx.run(
    `UPDATE files SET git_tracked = 1, git_reason = NULL, last_commit_hash = ?
     WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL AND hash = coalesce(?, hash)`,
    sha,
    notebookId,
    path,
    hash ?? null,
  );
}

function setUntracked(tx: Tx, notebookId: number, path: string, reason: string): void {
  tx.run(
    'UPDATE files SET git_tracked = 0, git_reason = ? WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL',
    reason,
    notebookId,
    path,
  );
}

/** The tip of a notebook's last batch: the commit that is no other's parent. */
export function lastCommit(tx: Tx, notebookId: number): { sha: string; branch: string } | undefined {
  const batch = tx.all<{ sha: string; branch: string; parent_sha: string | null }>(
    `SELECT sha, branch, parent_sha FROM git_commits WHERE notebook_id = ?1 AND last_pending_id =
       (SELECT max(last_pending_id) FROM git_commits WHERE notebook_id = ?1)`,
    notebookId,
  );
  const parents = new Set(batch.map(({ parent_sha }) => parent_sha));
  return batch.find(({ sha }) => !parents.has(sha));
}

export function indexOwedFrom(tx: Tx, notebookId: number): string | undefined {
  return tx.get<{ from_sha: string }>('SELECT from_sha FROM git_index_owed WHERE notebook_id = ?', notebookId)
    ?.from_sha;
}

export function indexSettled(tx: Tx, notebookId: number): void {
  tx.run('DELETE FROM git_index_owed WHERE notebook_id = ?', notebookId);
}
