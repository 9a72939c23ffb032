import type { Tx } from '../open.ts';
import { rowsOf } from './rows.ts';

export interface CheckedFile {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly last_event_id: number | null;
  /** 1 if the index is missing this version of the file. */
  readonly is_stale: number;
  /** 1 if the file was never indexed. */
  readonly is_new: number;
}

/** Compares the next files by path with the index; reads at most `limit`. */
export function checkFiles(tx: Tx, notebookId: number, after: string, limit: number): readonly CheckedFile[] {
  return tx.all<CheckedFile>(
    `SELECT f.id, f.path, f.hash, f.size, f.last_event_id, i.row IS NULL AS is_new,
       i.row IS NULL OR i.hash <> f.hash OR i.event_id IS NOT f.last_event_id AS is_stale
     FROM files f LEFT JOIN note_index i ON i.file_id = f.id
     WHERE f.notebook_id = ? AND f.path > ? AND f.deleted_by IS NULL ORDER BY f.path LIMIT ?`,
    notebookId,
    after,
    limit,
  );
}

export interface CheckedNote {
  readonly row: number;
  readonly file_id: string;
  readonly is_gone: number;
}

/** Returns the next rows of the index. Restoring an older database can leave rows without a file. */
export function checkNotes(tx: Tx, notebookId: number, after: number, limit: number): readonly CheckedNote[] {
  const { first, last } = rowsOf(notebookId);
  return tx.all<CheckedNote>(
    `SELECT i.row, i.file_id,
       NOT EXISTS (SELECT 1 FROM files f WHERE f.id = i.file_id AND f.deleted_by IS NULL) AS is_gone
     FROM note_index i WHERE i.row > ? AND i.row <= ? ORDER BY i.row LIMIT ?`,
    Math.max(after, first),
    last,
    limit,
  );
}

export function markStale(tx: Tx, notebookId: number): void {
  const { first, last } = rowsOf(notebookId);
  tx.run(`UPDATE note_index SET hash = '' WHERE row BETWEEN ? AND ?`, first, last);
}
