import type { DiskState } from '../model/operation.ts';
import { pathKey, rangeBelow } from '../model/path.ts';
import type { Transaction } from './open.ts';

/** The part of a file record that can be compared with the disk. */
export interface KnownFile extends DiskState {
  readonly path: string;
  readonly hash: string;
}

const COLUMNS = `path, hash, size, mode, mtime_ns, ctime_ns, inode, 'file' AS kind`;

export function knownFile(tx: Transaction, notebookId: number, path: string): KnownFile | undefined {
  return tx.get<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL`,
    notebookId,
    path,
  );
}

export function knownFilesBelow(tx: Transaction, notebookId: number, folder: string): KnownFile[] {
  const { from, to } = folder === '' ? { from: '', to: '\u{10ffff}' } : rangeBelow(folder);
  return tx.all<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL`,
    notebookId,
    from,
    to,
  );
}

export function knownByInode(tx: Transaction, notebookId: number, inode: string): KnownFile[] {
  return tx.all<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND inode = ? AND deleted_by IS NULL`,
    notebookId,
    inode,
  );
}

export function knownByHash(tx: Transaction, notebookId: number, hash: string): KnownFile[] {
  return tx.all<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND hash = ? AND deleted_by IS NULL`,
    notebookId,
    hash,
  );
}

export function isKnownFolder(tx: Transaction, notebookId: number, path: string): boolean {
  return (
    tx.get('SELECT 1 FROM folders WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL', notebookId, path) !==
    undefined
  );
}

export function knownFolders(tx: Transaction, notebookId: number): string[] {
  return tx
    .all<{ path: string }>('SELECT path FROM folders WHERE notebook_id = ? AND deleted_by IS NULL', notebookId)
    .map(({ path }) => path);
}

/** Returns whether a sync of this path is queued and has not started. */
export function isLookQueued(tx: Transaction, notebookId: number, path: string): boolean {
  // Repeats the condition of the partial index, so that SQLite uses it.
  const found = tx.get(
    `SELECT 1 FROM file_events WHERE notebook_id = ? AND path_key = ? AND status IN ('pending', 'processing')
       AND status = 'pending' AND event_type = 'sync' AND path = ? LIMIT 1`,
    notebookId,
    pathKey(path),
    path,
  );
  return found !== undefined;
}

/** Folders of a notebook that were seen as mount points. */
export function knownDisks(tx: Transaction, notebookId: number): string[] {
  return tx
    .all<{ path: string }>('SELECT path FROM disks WHERE notebook_id = ? ORDER BY path', notebookId)
    .map(({ path }) => path);
}

export function putDisk(tx: Transaction, notebookId: number, path: string): void {
  tx.run('INSERT OR IGNORE INTO disks (notebook_id, path) VALUES (?, ?)', notebookId, path);
}

export function dropDisk(tx: Transaction, notebookId: number, path: string): void {
  tx.run('DELETE FROM disks WHERE notebook_id = ? AND path = ?', notebookId, path);
}
