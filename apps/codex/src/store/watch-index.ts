import type { DiskState } from '../model/operation.ts';
import { pathKey, rangeBelow } from '../model/path.ts';
import { folderAt } from './folders.ts';
import type { Transaction } from './open.ts';
import { all, get, run } from './sql.ts';

/** The part of a file record that can be compared with the disk. */
export interface KnownFile extends DiskState {
  readonly path: string;
  readonly hash: string;
}

/** Returns the files of a notebook that meet a condition on `files`. */
function knownWhere(tx: Transaction, notebookId: number, condition: string, ...values: readonly string[]): KnownFile[] {
  return tx.all<KnownFile>(
    `SELECT path, hash, size, mode, mtime_ns, ctime_ns, inode, 'file' AS kind FROM files
     WHERE notebook_id = ? AND ${condition} AND deleted_by IS NULL`,
    notebookId,
    ...values,
  );
}

export function knownFile(tx: Transaction, notebookId: number, path: string): KnownFile | undefined {
  return knownWhere(tx, notebookId, 'path = ?', path)[0];
}

export function knownFilesBelow(tx: Transaction, notebookId: number, folder: string): KnownFile[] {
  const { from, to } = folder === '' ? { from: '', to: '\u{10ffff}' } : rangeBelow(folder);
  return knownWhere(tx, notebookId, 'path >= ? AND path < ?', from, to);
}

export function knownByInode(tx: Transaction, notebookId: number, inode: string): KnownFile[] {
  return knownWhere(tx, notebookId, 'inode = ?', inode);
}

export function knownByHash(tx: Transaction, notebookId: number, hash: string): KnownFile[] {
  return knownWhere(tx, notebookId, 'hash = ?', hash);
}

export function isKnownFolder(tx: Transaction, notebookId: number, path: string): boolean {
  return folderAt(tx, notebookId, path) !== undefined;
}

export function knownFolders(tx: Transaction, notebookId: number): string[] {
  const rows = all<{ path: string }>(tx)`SELECT path FROM folders
    WHERE notebook_id = ${notebookId} AND deleted_by IS NULL`;
  return rows.map(({ path }) => path);
}

/** Returns whether a sync of this path is queued. With `orRunning`, a running sync counts too. */
export function isSyncQueued(tx: Transaction, notebookId: number, path: string, orRunning: boolean): boolean {
  // Repeats the condition of the partial index, so that SQLite uses it.
  const found = get(tx)`SELECT 1 FROM file_events WHERE notebook_id = ${notebookId} AND path_key = ${pathKey(path)}
    AND status IN ('pending', 'processing') AND (status = 'pending' OR ${orRunning ? 1 : 0}) AND event_type = 'sync'
    AND path = ${path} LIMIT 1`;
  return found !== undefined;
}

/** Returns the folders of a notebook that were recorded as mount points. */
export function knownDisks(tx: Transaction, notebookId: number): string[] {
  const rows = all<{ path: string }>(tx)`SELECT path FROM disks WHERE notebook_id = ${notebookId} ORDER BY path`;
  return rows.map(({ path }) => path);
}

export function putDisk(tx: Transaction, notebookId: number, path: string): void {
  run(tx)`INSERT OR IGNORE INTO disks (notebook_id, path) VALUES (${notebookId}, ${path})`;
}

export function dropDisk(tx: Transaction, notebookId: number, path: string): void {
  run(tx)`DELETE FROM disks WHERE notebook_id = ${notebookId} AND path = ${path}`;
}
