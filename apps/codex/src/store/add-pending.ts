import type { GitPending } from '../model/notebook.ts';
import type { Tx } from './open.ts';

/** Adds to what git has still to commit, in the same commit as the change itself. */
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
