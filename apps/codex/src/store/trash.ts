import type { Tx } from './open.ts';

export interface TrashRecord {
  readonly event_id: number;
  readonly notebook_id: number;
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly file_count: number;
  readonly deleted_at: string;
}

export function putTrash(tx: Tx, record: TrashRecord): void {
  tx.run(
    'INSERT INTO trash (event_id, notebook_id, path, kind, file_count, deleted_at) VALUES (?, ?, ?, ?, ?, ?)',
    record.event_id,
    record.notebook_id,
    record.path,
    record.kind,
    record.file_count,
    record.deleted_at,
  );
}

export function trashOf(tx: Tx, eventId: number): TrashRecord | undefined {
  return tx.get<TrashRecord>('SELECT * FROM trash WHERE event_id = ?', eventId);
}

export function listTrash(tx: Tx, notebookId: number, limit: number): TrashRecord[] {
  return tx.all<TrashRecord>(
    'SELECT * FROM trash WHERE notebook_id = ? ORDER BY event_id DESC LIMIT ?',
    notebookId,
    limit,
  );
}

/** Trash older than this time whose deletion git has committed. */
export function oldTrash(tx: Tx, notebookId: number, before: string): TrashRecord[] {
  return tx.all<TrashRecord>(
    `SELECT t.* FROM trash t WHERE t.notebook_id = ? AND t.deleted_at < ?
       AND NOT EXISTS (SELECT 1 FROM git_pending g WHERE g.notebook_id = t.notebook_id AND g.event_id <= t.event_id)`,
    notebookId,
    before,
  );
}

export function dropTrash(tx: Tx, eventId: number): void {
  tx.run('DELETE FROM files WHERE deleted_by = ?', eventId);
  tx.run('DELETE FROM folders WHERE deleted_by = ?', eventId);
  tx.run('DELETE FROM trash WHERE event_id = ?', eventId);
}
