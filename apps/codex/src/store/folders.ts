import { ancestorsOf, type NotebookPath, pathKey, rangeBelow } from '../model/path.ts';
import type { Tx } from './open.ts';

export interface FolderRecord {
  readonly id: string;
  readonly notebook_id: number;
  readonly path: string;
  readonly path_key: string;
  readonly created_at: string;
  readonly deleted_by: number | null;
}

const LIVE = 'deleted_by IS NULL';

export function folderAt(tx: Tx, notebookId: number, path: string): FolderRecord | undefined {
  return tx.get<FolderRecord>(`SELECT * FROM folders WHERE notebook_id = ? AND path = ? AND ${LIVE}`, notebookId, path);
}

export function folderById(tx: Tx, id: string): FolderRecord | undefined {
  return tx.get<FolderRecord>(`SELECT * FROM folders WHERE id = ? AND ${LIVE}`, id);
}

export function foldersOfKey(tx: Tx, notebookId: number, key: string): FolderRecord[] {
  return tx.all<FolderRecord>(
    `SELECT * FROM folders WHERE notebook_id = ? AND path_key = ? AND ${LIVE}`,
    notebookId,
    key,
  );
}

export function listFolders(tx: Tx, notebookId: number, after: string, limit: number): FolderRecord[] {
  return tx.all<FolderRecord>(
    `SELECT * FROM folders WHERE notebook_id = ? AND path > ? AND ${LIVE} ORDER BY path LIMIT ?`,
    notebookId,
    after,
    limit,
  );
}

export function putFolders(tx: Tx, notebookId: number, path: NotebookPath, now: string, newId: () => string): void {
  for (const folder of [path, ...ancestorsOf(path).toReversed()] as const) {
    if (folderAt(tx, notebookId, folder) !== undefined) return;
    putFolder(tx, notebookId, folder, newId(), now);
  }
}

export function putFolder(tx: Tx, notebookId: number, path: string, id: string, now: string): void {
  tx.run(
    'INSERT INTO folders (id, notebook_id, path, path_key, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    notebookId,
    path,
    pathKey(path),
    now,
  );
}

export function moveFolders(tx: Tx, notebookId: number, folder: string, target: string): void {
  const { from, to } = rangeBelow(folder);
  tx.run(
    `UPDATE folders SET path = ?1 || substr(path, ?2), path_key = ?3 || substr(path_key, ?4)
     WHERE notebook_id = ?5 AND (path = ?6 OR (path >= ?7 AND path < ?8)) AND ${LIVE}`,
    target,
    Array.from(folder).length + 1,
    pathKey(target),
    Array.from(pathKey(folder)).length + 1,
    notebookId,
    folder,
    from,
    to,
  );
}

export function trashFolders(tx: Tx, notebookId: number, folder: string, eventId: number): void {
  const { from, to } = rangeBelow(folder);
  tx.run(
    `UPDATE folders SET deleted_by = ? WHERE notebook_id = ? AND (path = ? OR (path >= ? AND path < ?)) AND ${LIVE}`,
    eventId,
    notebookId,
    folder,
    from,
    to,
  );
}

export function forgetFolders(tx: Tx, notebookId: number, folder: string): void {
  const { from, to } = rangeBelow(folder);
  tx.run(
    `DELETE FROM folders WHERE notebook_id = ? AND (path = ? OR (path >= ? AND path < ?)) AND ${LIVE}`,
    notebookId,
    folder,
    from,
    to,
  );
}

/** Restores the folder `from`, and all folders below it, as `target`. */
export function restoreFolders(tx: Tx, eventId: number, from: string, target: string): void {
  tx.run(
    `UPDATE folders SET deleted_by = NULL, path = ?1 || substr(path, ?2), path_key = ?3 || substr(path_key, ?4)
     WHERE deleted_by = ?5`,
    target,
    Array.from(from).length + 1,
    pathKey(target),
    Array.from(pathKey(from)).length + 1,
    eventId,
  );
}
