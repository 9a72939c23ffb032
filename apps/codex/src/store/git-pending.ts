import type { PendingRow } from '../model/git/pending-row.ts';
import type { GitPending } from '../model/notebook.ts';
import type { Tx } from './open.ts';

const OWNER_MAY_RUN = 0o100;

export function readPending(tx: Tx, notebookId: number, after: number, limit: number): PendingRow[] {
  const rows = tx.all<GitPending & { event_type: string | null }>(
    `SELECT p.*, e.event_type FROM git_pending p LEFT JOIN file_events e ON e.id = p.event_id
     WHERE p.notebook_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`,
    notebookId,
    after,
    limit,
  );
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

export function countPendingAfter(tx: Tx, notebookId: number, rowId: number, enough: number): number {
  const found = tx.get<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM git_pending WHERE notebook_id = ? AND id > ? LIMIT ?)',
    notebookId,
    rowId,
    enough,
  );
  return found?.n ?? 0;
}

export function hasPendingUpTo(tx: Tx, notebookId: number, eventId: number): boolean {
  return (
    tx.get('SELECT 1 FROM git_pending WHERE notebook_id = ? AND event_id <= ? LIMIT 1', notebookId, eventId) !==
    undefined
  );
}

export function notebooksWithPending(tx: Tx): number[] {
  return tx.all<{ id: number }>('SELECT DISTINCT notebook_id AS id FROM git_pending').map(({ id }) => id);
}

/** Queues a change for git, in the same commit as the change itself. */
export function addPending(tx: Tx, row: Omit<GitPending, 'id'>): void {
  tx.run(
    `INSERT INTO git_pending (notebook_id, kind, path, from_path, blob_hash, size, content, mode, event_id, author, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.notebook_id,
    row.kind,
    row.path,
    row.from_path,
    row.blob_hash,
    row.size,
    row.content,
    row.mode,
    row.event_id,
    row.author,
    row.at,
  );
}
