import type { SqlValue } from '@holdfast/sqlite';

import { contentTypeOf } from '../model/file-types.ts';
import { type About, linkKey } from '../model/note/facts.ts';
import type { FileRecord } from '../model/notebook.ts';
import type { DiskState, FileMetadata } from '../model/operation.ts';
import { pathKey, rangeBelow } from '../model/path.ts';
import type { Transaction } from './open.ts';

const LIVE = 'deleted_by IS NULL';

export function fileById(tx: Transaction, id: string): FileRecord | undefined {
  return tx.get<FileRecord>(`SELECT * FROM files WHERE id = ? AND ${LIVE}`, id);
}

export function fileAt(tx: Transaction, notebookId: number, path: string): FileRecord | undefined {
  return tx.get<FileRecord>(`SELECT * FROM files WHERE notebook_id = ? AND path = ? AND ${LIVE}`, notebookId, path);
}

/** Files with the same path on a system that ignores case. */
export function filesOfKey(tx: Transaction, notebookId: number, key: string): FileRecord[] {
  return tx.all<FileRecord>(`SELECT * FROM files WHERE notebook_id = ? AND path_key = ? AND ${LIVE}`, notebookId, key);
}

export function fileOfHash(tx: Transaction, notebookId: number, hash: string, folder: string): FileRecord | undefined {
  const { from, to } = rangeBelow(folder);
  return tx.get<FileRecord>(
    `SELECT * FROM files INDEXED BY ix_files_hash WHERE notebook_id = ? AND hash = ? AND path >= ? AND path < ? AND ${LIVE}
     ORDER BY path LIMIT 1`,
    notebookId,
    hash,
    from,
    to,
  );
}

interface FileFilter {
  readonly folder?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export function listFiles(tx: Transaction, notebookId: number, { folder, after, limit }: FileFilter): FileRecord[] {
  const { from, to } = folder === undefined ? { from: '', to: '\u{10ffff}' } : rangeBelow(folder);
  return tx.all<FileRecord>(
    `SELECT * FROM files WHERE notebook_id = ? AND path >= ? AND path < ? AND path > ? AND ${LIVE} ORDER BY path LIMIT ?`,
    notebookId,
    from,
    to,
    after ?? '',
    limit,
  );
}

export function countFilesBelow(tx: Transaction, notebookId: number, folder: string): number {
  const { from, to } = rangeBelow(folder);
  const row = tx.get<{ n: number }>(
    `SELECT count(*) AS n FROM files WHERE notebook_id = ? AND path >= ? AND path < ? AND ${LIVE}`,
    notebookId,
    from,
    to,
  );
  return row?.n ?? 0;
}

interface WrittenFile {
  readonly id: string;
  readonly notebookId: number;
  readonly path: string;
  readonly hash: string;
  readonly state: DiskState;
  readonly contentType: string;
  readonly eventId: number;
  readonly now: string;
  readonly git: { readonly tracked: boolean; readonly reason: string | null };
  /** Metadata from its content or sidecar; unchanged if left out. */
  readonly about?: About;
}

export function putFile(tx: Transaction, file: WrittenFile): void {
  const { state } = file;
  tx.run(
    `INSERT INTO files (id, notebook_id, path, path_key, size, hash, content_type, mode, created_at, updated_at,
       mtime_ns, ctime_ns, inode, last_event_id, git_tracked, git_reason, link_key)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
     ON CONFLICT (id) DO UPDATE SET path = ?3, path_key = ?4, size = ?5, hash = ?6, content_type = ?7, mode = ?8,
       updated_at = ?9, mtime_ns = ?10, ctime_ns = ?11, inode = ?12, last_event_id = ?13, git_tracked = ?14,
       git_reason = ?15, link_key = ?16, deleted_by = NULL`,
    file.id,
    file.notebookId,
    file.path,
    pathKey(file.path),
    state.size,
    file.hash,
    file.contentType,
    state.mode,
    file.now,
    state.mtime_ns,
    state.ctime_ns,
    state.inode,
    file.eventId,
    file.git.tracked ? 1 : 0,
    file.git.reason,
    linkKey(file.path),
  );
  if (file.about !== undefined) putAbout(tx, file.id, file.about, file.eventId, file.now);
}

export function putState(tx: Transaction, id: string, state: DiskState): void {
  tx.run(
    'UPDATE files SET mtime_ns = ?, ctime_ns = ?, inode = ?, mode = ? WHERE id = ?',
    state.mtime_ns,
    state.ctime_ns,
    state.inode,
    state.mode,
    id,
  );
}

export function putMetadata(tx: Transaction, id: string, metadata: FileMetadata, eventId: number, now: string): void {
  const { title, description, properties } = metadata;
  if (title !== undefined) tx.run('UPDATE files SET title = ? WHERE id = ?', title, id);
  if (description !== undefined) tx.run('UPDATE files SET description = ? WHERE id = ?', description, id);
  if (properties !== undefined) tx.run('UPDATE files SET properties = ? WHERE id = ?', JSON.stringify(properties), id);
  tx.run('UPDATE files SET updated_at = ?, last_event_id = ? WHERE id = ?', now, eventId, id);
}

/** Sets metadata without counting as a change of the file. */
export function setAbout(tx: Transaction, id: string, { title, description, properties }: About): void {
  tx.run(
    'UPDATE files SET title = ?, description = ?, properties = ? WHERE id = ?',
    title,
    description,
    JSON.stringify(properties),
    id,
  );
}

/** Sets metadata from the file or its sidecar. */
export function putAbout(tx: Transaction, id: string, about: About, eventId: number, now: string): void {
  setAbout(tx, id, about);
  tx.run('UPDATE files SET updated_at = ?, last_event_id = ? WHERE id = ?', now, eventId, id);
}

export function moveFile(tx: Transaction, id: string, path: string, eventId: number, now: string): void {
  tx.run(
    `UPDATE files SET path = ?, path_key = ?, link_key = ?, content_type = ?, last_event_id = ?, updated_at = ?
     WHERE id = ?`,
    path,
    pathKey(path),
    linkKey(path),
    contentTypeOf(path),
    eventId,
    now,
    id,
  );
}

/** Moves all files below a folder in one statement, using the path index. */
export function moveFilesBelow(tx: Transaction, notebookId: number, folder: string, target: string): number {
  const [folderKey, targetKey] = [pathKey(folder), pathKey(target)];
  const { from, to } = rangeBelow(folder);
  const below = `notebook_id = ?1 AND path >= ?2 AND path < ?3 AND ${LIVE}`;
  const moved = ([id, path, key]: readonly [string, string, string]): readonly string[] => [
    id,
    path,
    key,
    target + path.slice(folder.length),
    targetKey + key.slice(folderKey.length),
  ];
  return changeMany(tx, ['path', 'path_key'], {
    rows: () =>
      tx
        .allArrays<[string, string, string]>(
          `SELECT id, path, path_key FROM files WHERE ${below}`,
          notebookId,
          from,
          to,
        )
        .map(moved),
    change: () =>
      tx.run(
        `UPDATE files SET path = ?4 || substr(path, ?5), path_key = ?6 || substr(path_key, ?7) WHERE ${below}`,
        notebookId,
        from,
        to,
        target,
        codePoints(folder) + 1,
        targetKey,
        codePoints(folderKey) + 1,
      ).changes,
  });
}

interface ManyFiles {
  /** The id, the changed columns before, and the same columns after. */
  readonly rows: () => readonly (readonly SqlValue[])[];
  readonly change: () => number;
}

function changeMany(tx: Transaction, changed: readonly string[], { rows, change }: ManyFiles): number {
  let count = 0;
  tx.changeDescribed(
    () => ({ table: 'files', key: 'id', changed, rows: rows() }),
    () => (count = change()),
  );
  return count;
}

/** The record stays until the trash is emptied. */
export function trashFile(tx: Transaction, id: string, eventId: number): void {
  tx.run('UPDATE files SET deleted_by = ? WHERE id = ?', eventId, id);
}

export function trashFilesBelow(tx: Transaction, notebookId: number, folder: string, eventId: number): number {
  const { from, to } = rangeBelow(folder);
  const below = `notebook_id = ?2 AND path >= ?3 AND path < ?4 AND ${LIVE}`;
  const parameters = [eventId, notebookId, from, to] as const;
  return changeMany(tx, ['deleted_by'], {
    rows: () => tx.allArrays(`SELECT id, deleted_by, ?1 FROM files WHERE ${below}`, ...parameters),
    change: () => tx.run(`UPDATE files SET deleted_by = ?1 WHERE ${below}`, ...parameters).changes,
  });
}

export function filesInTrash(tx: Transaction, eventId: number): FileRecord[] {
  return tx.all<FileRecord>('SELECT * FROM files WHERE deleted_by = ? ORDER BY path', eventId);
}

export function forgetFile(tx: Transaction, id: string): void {
  tx.run('DELETE FROM files WHERE id = ?', id);
}

/** Returns the ids of the removed files. */
export function forgetFilesBelow(tx: Transaction, notebookId: number, folder: string): readonly string[] {
  const { from, to } = rangeBelow(folder);
  const gone = tx.all<{ id: string }>(
    `DELETE FROM files WHERE notebook_id = ? AND path >= ? AND path < ? AND ${LIVE} RETURNING id`,
    notebookId,
    from,
    to,
  );
  return gone.map(({ id }) => id);
}

/** SQLite counts characters as code points. */
function codePoints(text: string): number {
  return Array.from(text).length;
}

export interface TrashRecord {
  readonly event_id: number;
  readonly notebook_id: number;
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly file_count: number;
  readonly deleted_at: string;
}

export function putTrash(tx: Transaction, record: TrashRecord): void {
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

export function trashOf(tx: Transaction, eventId: number): TrashRecord | undefined {
  return tx.get<TrashRecord>('SELECT * FROM trash WHERE event_id = ?', eventId);
}

export function listTrash(tx: Transaction, notebookId: number, limit: number): TrashRecord[] {
  return tx.all<TrashRecord>(
    'SELECT * FROM trash WHERE notebook_id = ? ORDER BY event_id DESC LIMIT ?',
    notebookId,
    limit,
  );
}

/** Trash older than this time whose deletion git has committed. */
export function oldTrash(tx: Transaction, notebookId: number, before: string): TrashRecord[] {
  return tx.all<TrashRecord>(
    `SELECT t.* FROM trash t WHERE t.notebook_id = ? AND t.deleted_at < ?
       AND NOT EXISTS (SELECT 1 FROM git_pending g WHERE g.notebook_id = t.notebook_id AND g.event_id <= t.event_id)`,
    notebookId,
    before,
  );
}

export function dropTrash(tx: Transaction, eventId: number): void {
  tx.run('DELETE FROM files WHERE deleted_by = ?', eventId);
  tx.run('DELETE FROM folders WHERE deleted_by = ?', eventId);
  tx.run('DELETE FROM trash WHERE event_id = ?', eventId);
}
