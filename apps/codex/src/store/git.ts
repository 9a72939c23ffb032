import { failpoint, parseStoredList } from '@holdfast/base';

import type { PendingRow } from '../model/git.ts';
import { findEvent, nextChange } from './events.ts';
import { fileAt } from './files.ts';
import type { Store, Transaction } from './open.ts';
import { all, get, insert, run } from './sql.ts';

const OWNER_MAY_RUN = 0o100;

/** A row of `git_pending` without its `id`; an omitted column is stored as null. */
export interface NewPending {
  readonly notebook_id: number;
  readonly kind: PendingRow['kind'];
  readonly path: string;
  readonly from_path?: string | null;
  readonly blob_hash?: string | null;
  readonly size?: number | null;
  readonly content?: Uint8Array | null;
  readonly mode?: number | null;
  readonly event_id: number;
  readonly author: string;
  readonly at: string;
}

export function readPending(tx: Transaction, notebookId: number, after: number, limit: number): PendingRow[] {
  const rows = all<Required<NewPending> & { id: number; event_type: string | null }>(
    tx,
  )`SELECT p.*, e.event_type FROM git_pending p
    LEFT JOIN file_events e ON e.id = p.event_id WHERE p.notebook_id = ${notebookId} AND p.id > ${after} ORDER BY p.id
    LIMIT ${limit}`;
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    path: row.path,
    fromPath: row.from_path ?? undefined,
    hash: row.blob_hash ?? undefined,
    size: row.size ?? 0,
    inline: row.content,
    isExecutable: ((row.mode ?? 0) & OWNER_MAY_RUN) !== 0,
    eventId: row.event_id,
    author: row.author,
    isExternal: row.event_type === 'sync',
    at: row.at,
  }));
}

export function countPendingAfter(tx: Transaction, notebookId: number, rowId: number, enough: number): number {
  const found = get<{ n: number }>(tx)`SELECT count(*) AS n FROM (SELECT 1 FROM git_pending
    WHERE notebook_id = ${notebookId} AND id > ${rowId} LIMIT ${enough})`;
  return found?.n ?? 0;
}

/** Like `countPendingAfter`, without changes that other programs made. */
export function countRequestedAfter(tx: Transaction, notebookId: number, rowId: number, enough: number): number {
  const found = get<{ n: number }>(tx)`SELECT count(*) AS n FROM (SELECT 1 FROM git_pending p
    JOIN file_events e ON e.id = p.event_id WHERE p.notebook_id = ${notebookId} AND p.id > ${rowId}
    AND e.event_type <> 'sync' LIMIT ${enough})`;
  return found?.n ?? 0;
}

export function hasPendingUpTo(tx: Transaction, notebookId: number, eventId: number): boolean {
  const found = get(tx)`SELECT 1 FROM git_pending
    WHERE notebook_id = ${notebookId} AND event_id <= ${eventId} LIMIT 1`;
  return found !== undefined;
}

export function notebooksWithPending(tx: Transaction): number[] {
  return tx.all<{ id: number }>('SELECT DISTINCT notebook_id AS id FROM git_pending').map(({ id }) => id);
}

/** Queues a change for git. Call it in the transaction that records the change. */
export function addPending(tx: Transaction, row: NewPending): void {
  insert(tx, 'git_pending', { ...row });
}

/** A path at which the notebook and the branch differ. */
export interface Uncommitted {
  readonly path: string;
  /** Undefined if the file no longer exists. */
  readonly content:
    { readonly hash: string; readonly size: number; readonly inline: Uint8Array | undefined } | undefined;
}

/**
 * Queues paths for git again, with the event that last changed each path. Skips paths whose file has changed since the
 * comparison: the new content is already queued, and git must not get the old content after it. Returns the number of
 * queued paths.
 */
export async function queueAgain(
  store: Store,
  notebookId: number,
  found: readonly Uncommitted[],
  at: string,
): Promise<number> {
  if (found.length === 0) return 0;
  return store.write('codex git again', (tx) => {
    const still = found.filter(({ path, content }) => fileAt(tx, notebookId, path)?.hash === content?.hash);
    for (const { path, content } of still) {
      const file = fileAt(tx, notebookId, path);
      const event = findEvent(tx, file?.last_event_id ?? 0);
      addPending(tx, {
        notebook_id: notebookId,
        kind: content === undefined ? 'delete' : 'write',
        path,
        blob_hash: content?.hash ?? null,
        size: content?.size ?? null,
        content: content?.inline ?? null,
        mode: file?.mode ?? null,
        event_id: event?.id ?? 0,
        author: event?.author ?? '',
        at,
      });
    }
    return still.length;
  });
}

export function isPending(tx: Transaction, notebookId: number, path: string): boolean {
  const found = get(tx)`SELECT 1 FROM git_pending WHERE notebook_id = ${notebookId} AND path = ${path} LIMIT 1`;
  return found !== undefined;
}

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
  /** Events of these rows. If no commit names an event, it is recorded with the tip, which contains its changes. */
  readonly eventIds: readonly number[];
  readonly tip: string | undefined;
  /** Committed paths. `hash` identifies the written content; it is undefined for a move. */
  readonly tracked: readonly { readonly path: string; readonly hash: string | undefined; readonly sha: string }[];
  readonly untracked: readonly { readonly path: string; readonly reason: string }[];
  /** Set if the user's index could not be updated: the commit that the index still corresponds to. */
  readonly indexOwedFrom: string | undefined;
  readonly at: string;
}

/** Rows per transaction. Keeps transactions short, because other writers wait for them. */
const AT_ONCE = 50;

/**
 * Records the commits of a batch in their events and files, then removes the pending rows. If a crash interrupts the
 * recording, repeating it has the same result. After a later crash, `clearRecorded` completes the removal.
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
    run(tx)`INSERT INTO git_recorded (notebook_id, pending_ids) VALUES (${notebookId}, ${ids})`;
    if (batch.indexOwedFrom !== undefined) markIndexOutdated(tx, notebookId, batch.indexOwedFrom);
  });
  failpoint('codex.git.known');
  await clearRecorded(store, notebookId);
}

/**
 * Removes pending rows of recorded commits, a few at a time. After an interruption, this must run before anything is
 * committed, because the rows would otherwise be committed twice.
 */
export async function clearRecorded(store: Store, notebookId: number): Promise<void> {
  const recorded = all<{ id: number; pending_ids: string }>(store.reader)`SELECT id, pending_ids FROM git_recorded
    WHERE notebook_id = ${notebookId} ORDER BY id`;
  for (const { id, pending_ids } of recorded) {
    const left = [...(parseStoredList(pending_ids) as readonly number[])];
    do {
      const some = left.splice(0, AT_ONCE);
      await store.write('commit cleared', (tx) => {
        for (const row of some) run(tx)`DELETE FROM git_pending WHERE id = ${row}`;
        if (left.length === 0) run(tx)`DELETE FROM git_recorded WHERE id = ${id}`;
      });
    } while (left.length > 0);
  }
}

function putCommit(tx: Transaction, { notebookId, rowIds, at }: BatchRecord, commit: CommitRecord): void {
  const { sha, parent = null, branch, author, pathCount, eventIds } = commit;
  const last = eventIds.reduce((highest, id) => Math.max(highest, id), 0);
  run(tx)`INSERT INTO git_commits (notebook_id, sha, parent_sha, branch, author, path_count, last_pending_id,
    last_event_id, committed_at) VALUES (${notebookId}, ${sha}, ${parent}, ${branch}, ${author}, ${pathCount},
    ${rowIds.at(-1) ?? 0}, ${last}, ${at}) ON CONFLICT DO NOTHING`;
}

/**
 * Marks the user's index as outdated since the commit `from`. Keeps an older mark, because the index still corresponds
 * to that older commit.
 */
export function markIndexOutdated(tx: Transaction, notebookId: number, from: string): void {
  run(tx)`INSERT INTO git_index_owed (notebook_id, from_sha) VALUES (${notebookId}, ${from}) ON CONFLICT DO NOTHING`;
}

function shasOfEvents({ commits, eventIds, tip }: BatchRecord): Map<number, string> {
  const shas = new Map<number, string>();
  if (tip !== undefined) for (const id of eventIds) shas.set(id, tip);
  for (const { sha, eventIds: own } of commits) for (const id of own) shas.set(id, sha);
  return shas;
}

/** Each changed event takes its own `change_seq`, by which listeners follow events. */
function setCommits(tx: Transaction, shas: readonly (readonly [eventId: number, sha: string])[]): void {
  if (shas.length === 0) return;
  let change = nextChange(tx, shas.length) - shas.length;
  for (const [eventId, sha] of shas) {
    change += 1;
    run(tx)`UPDATE file_events SET commit_sha = ${sha}, change_seq = ${change} WHERE id = ${eventId}`;
  }
}

function setTracked(tx: Transaction, notebookId: number, path: string, hash: string | undefined, sha: string): void {
  run(tx)`UPDATE files SET git_tracked = 1, git_reason = NULL, last_commit_hash = ${sha}
    WHERE notebook_id = ${notebookId} AND path = ${path} AND deleted_by IS NULL
    AND hash = coalesce(${hash ?? null}, hash)`;
}

export function untrackedFiles(
  tx: Transaction,
  notebookId: number,
  limit: number,
): { readonly path: string; readonly reason: string }[] {
  return all<{ path: string; reason: string }>(tx)`SELECT path, git_reason AS reason FROM files
    WHERE notebook_id = ${notebookId} AND deleted_by IS NULL AND git_reason IS NOT NULL ORDER BY path LIMIT ${limit}`;
}

function setUntracked(tx: Transaction, notebookId: number, path: string, reason: string): void {
  run(tx)`UPDATE files SET git_tracked = 0, git_reason = ${reason} WHERE notebook_id = ${notebookId}
    AND path = ${path} AND deleted_by IS NULL`;
}

/** Returns the tip of a notebook's last batch: the commit that is not the parent of another. */
export function lastCommit(tx: Transaction, notebookId: number): { sha: string; branch: string } | undefined {
  const batch = all<{ sha: string; branch: string; parent_sha: string | null }>(tx)`SELECT sha, branch, parent_sha
    FROM git_commits WHERE notebook_id = ${notebookId} AND last_pending_id = (SELECT max(last_pending_id)
    FROM git_commits WHERE notebook_id = ${notebookId})`;
  const parents = new Set(batch.map(({ parent_sha }) => parent_sha));
  return batch.find(({ sha }) => !parents.has(sha));
}

export function indexOwedFrom(tx: Transaction, notebookId: number): string | undefined {
  return get<{ from_sha: string }>(tx)`SELECT from_sha FROM git_index_owed WHERE notebook_id = ${notebookId}`?.from_sha;
}

export function markIndexCurrent(tx: Transaction, notebookId: number): void {
  run(tx)`DELETE FROM git_index_owed WHERE notebook_id = ${notebookId}`;
}
