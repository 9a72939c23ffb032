import type { DiskState } from '../model/intent.ts';
import { rangeBelow } from '../model/path.ts';
import type { Tx } from './open.ts';

/** What the index knows of a file, as far as a look at the disk can be compared with it. */
export interface KnownFile extends DiskState {
  readonly path: string;
  readonly hash: string;
}

const COLUMNS = `path, hash, size, mode, mtime_ns, ctime_ns, inode, 'file' AS kind`;

export function knownFile(tx: Tx, notebookId: number, path: string): KnownFile | undefined {
  return tx.get<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL`,
    notebookId,
    path,
  );
}

export function knownFilesBelow(tx: Tx, notebookId: number, folder: string): KnownFile[] {
  const { from, to } = folder === '' ? { from: '', to: '\u{10ffff}' } : rangeBelow(folder);
  return tx.all<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL`,
    notebookId,
    from,
    to,
  );
}

export function knownByInode(tx: Tx, notebookId: number, inode: string): KnownFile[] {
  return tx.all<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND inode = ? AND deleted_by IS NULL`,
    notebookId,
    inode,
  );
}

export function knownByHash(tx: Tx, notebookId: number, hash: string): KnownFile[] {
  return tx.all<KnownFile>(
    `SELECT ${COLUMNS} FROM files WHERE notebook_id = ? AND hash = ? AND deleted_by IS NULL`,
    notebookId,
    hash,
  );
}

export function isKnownFolder(tx: Tx, notebookId: number, path: string): boolean {
  return (
    tx.get('SELECT 1 FROM folders WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL', notebookId, path) !==
    undefined
  );
}

export function knownFolders(tx: Tx, notebookId: number): string[] {
  return tx
    .all<{ path: string }>('SELECT path FROM folders WHERE notebook_id = ? AND deleted_by IS NULL', notebookId)
    .map(({ path }) => path);
}
