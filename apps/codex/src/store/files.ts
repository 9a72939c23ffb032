import type { SqlValue } from '@holdfast/sqlite';

import { contentTypeOf } from '../model/file-types.ts';
import { type About, linkKey } from '../model/note/facts.ts';
import type { FileRecord } from '../model/notebook.ts';
import type { DiskState, FileMetadata } from '../model/operation.ts';
import { pathKey, rangeBelow } from '../model/path.ts';
import type { Transaction } from './open.ts';
import { all, get, insert, run, upsert } from './sql.ts';

export function fileById(tx: Transaction, id: string): FileRecord | undefined {
  return get<FileRecord>(tx)`SELECT * FROM files WHERE id = ${id} AND deleted_by IS NULL`;
}

export function fileAt(tx: Transaction, notebookId: number, path: string): FileRecord | undefined {
  return get<FileRecord>(tx)`SELECT * FROM files WHERE notebook_id = ${notebookId} AND path = ${path}
    AND deleted_by IS NULL`;
}

/** Returns the files with this key, see `pathKey`. */
export function filesOfKey(tx: Transaction, notebookId: number, key: string): FileRecord[] {
  return all<FileRecord>(tx)`SELECT * FROM files WHERE notebook_id = ${notebookId} AND path_key = ${key}
    AND deleted_by IS NULL`;
}

/** Returns conflict copies, the second versions of files that Holdfast keeps after a conflict, newest first. */
export function conflictCopies(tx: Transaction, limit: number): FileRecord[] {
  return all<FileRecord>(tx)`SELECT * FROM files WHERE path GLOB '*.conflict-[0-9]*' AND deleted_by IS NULL
    ORDER BY created_at DESC LIMIT ${limit}`;
}

export function fileOfHash(tx: Transaction, notebookId: number, hash: string, folder: string): FileRecord | undefined {
  const { from, to } = folder === '' ? { from: '', to: '\u{10ffff}' } : rangeBelow(folder);
  return get<FileRecord>(tx)`SELECT * FROM files INDEXED BY ix_files_hash WHERE notebook_id = ${notebookId}
    AND hash = ${hash} AND path >= ${from} AND path < ${to} AND deleted_by IS NULL ORDER BY path LIMIT 1`;
}

interface FileFilter {
  readonly folder?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export function listFiles(tx: Transaction, notebookId: number, { folder, after, limit }: FileFilter): FileRecord[] {
  const { from, to } = folder === undefined ? { from: '', to: '\u{10ffff}' } : rangeBelow(folder);
  return all<FileRecord>(tx)`SELECT * FROM files WHERE notebook_id = ${notebookId} AND path >= ${from}
    AND path < ${to} AND path > ${after ?? ''} AND deleted_by IS NULL ORDER BY path LIMIT ${limit}`;
}

export function countFilesBelow(tx: Transaction, notebookId: number, folder: string): number {
  const { from, to } = rangeBelow(folder);
  const row = get<{ n: number }>(tx)`SELECT count(*) AS n FROM files WHERE notebook_id = ${notebookId}
    AND path >= ${from} AND path < ${to} AND deleted_by IS NULL`;
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
  /** Metadata from the content or the sidecar; undefined leaves it unchanged. */
  readonly about?: About;
}

export function putFile(tx: Transaction, file: WrittenFile): void {
  const { id, path, hash, now, git, state } = file;
  const { size, mode, mtime_ns, ctime_ns, inode } = state;
  const row = { id, notebook_id: file.notebookId, path, path_key: pathKey(path), link_key: linkKey(path), size, hash };
  const found = { content_type: file.contentType, mode, mtime_ns, ctime_ns, inode, last_event_id: file.eventId };
  const tracking = { git_tracked: git.tracked ? 1 : 0, git_reason: git.reason, updated_at: now, deleted_by: null };
  const about = file.about === undefined ? {} : aboutColumns(file.about);
  upsert(tx, 'files', 'id', { ...row, ...found, ...tracking, ...about }, { created_at: now });
}

function aboutColumns({ title, description, properties }: About): Readonly<Record<string, string | null>> {
  return { title, description, properties: JSON.stringify(properties) };
}

export function putState(tx: Transaction, id: string, state: DiskState): void {
  run(tx)`UPDATE files SET mtime_ns = ${state.mtime_ns}, ctime_ns = ${state.ctime_ns}, inode = ${state.inode}, mode =
    ${state.mode} WHERE id = ${id}`;
}

export function putMetadata(tx: Transaction, id: string, metadata: FileMetadata, eventId: number, now: string): void {
  const { title, description, properties } = metadata;
  if (title !== undefined) run(tx)`UPDATE files SET title = ${title} WHERE id = ${id}`;
  if (description !== undefined) run(tx)`UPDATE files SET description = ${description} WHERE id = ${id}`;
  if (properties !== undefined) run(tx)`UPDATE files SET properties = ${JSON.stringify(properties)} WHERE id = ${id}`;
  run(tx)`UPDATE files SET updated_at = ${now}, last_event_id = ${eventId} WHERE id = ${id}`;
}

/** Sets metadata without recording a change to the file. */
export function setAbout(tx: Transaction, id: string, { title, description, properties }: About): void {
  run(tx)`UPDATE files SET title = ${title}, description = ${description}, properties = ${JSON.stringify(properties)}
    WHERE id = ${id}`;
}

/** Sets metadata, and records the event as the last change to the file. */
export function putAbout(tx: Transaction, id: string, about: About, eventId: number, now: string): void {
  setAbout(tx, id, about);
  run(tx)`UPDATE files SET updated_at = ${now}, last_event_id = ${eventId} WHERE id = ${id}`;
}

export function moveFile(tx: Transaction, id: string, path: string, eventId: number, now: string): void {
  run(tx)`UPDATE files SET path = ${path}, path_key = ${pathKey(path)}, link_key = ${linkKey(path)}, content_type =
    ${contentTypeOf(path)}, last_event_id = ${eventId}, updated_at = ${now} WHERE id = ${id}`;
}

/** Moves all files below a folder in one statement, using the path index. */
export function moveFilesBelow(tx: Transaction, notebookId: number, folder: string, target: string): number {
  const [folderKey, targetKey] = [pathKey(folder), pathKey(target)];
  const { from, to } = rangeBelow(folder);
  const below = `notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL`;
  const moved = ([id, path, key]: readonly [string, string, string]): readonly string[] => {
    return [id, path, key, target + path.slice(folder.length), targetKey + key.slice(folderKey.length)];
  };
  const select = `SELECT id, path, path_key FROM files WHERE ${below}`;
  const update = `UPDATE files SET path = ? || substr(path, ?), path_key = ? || substr(path_key, ?) WHERE ${below}`;
  const values = [target, codePoints(folder) + 1, targetKey, codePoints(folderKey) + 1, notebookId, from, to] as const;
  return changeMany(tx, ['path', 'path_key'], {
    rows: () => tx.allArrays<[string, string, string]>(select, notebookId, from, to).map(moved),
    change: () => tx.run(update, ...values).changes,
  });
}

interface ManyFiles {
  /** One row per file: its id, the old values of the changed columns, and their new values. */
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

/** Marks the file as deleted. The record stays until the trash is emptied. */
export function trashFile(tx: Transaction, id: string, eventId: number): void {
  run(tx)`UPDATE files SET deleted_by = ${eventId} WHERE id = ${id}`;
}

export function trashFilesBelow(tx: Transaction, notebookId: number, folder: string, eventId: number): number {
  const { from, to } = rangeBelow(folder);
  const below = `notebook_id = ?2 AND path >= ?3 AND path < ?4 AND deleted_by IS NULL`;
  const parameters = [eventId, notebookId, from, to] as const;
  return changeMany(tx, ['deleted_by'], {
    rows: () => tx.allArrays(`SELECT id, deleted_by, ?1 FROM files WHERE ${below}`, ...parameters),
    change: () => tx.run(`UPDATE files SET deleted_by = ?1 WHERE ${below}`, ...parameters).changes,
  });
}

export function filesInTrash(tx: Transaction, eventId: number): FileRecord[] {
  return all<FileRecord>(tx)`SELECT * FROM files WHERE deleted_by = ${eventId} ORDER BY path`;
}

export function forgetFile(tx: Transaction, id: string): void {
  run(tx)`DELETE FROM files WHERE id = ${id}`;
}

/** Returns the ids of the removed files. */
export function forgetFilesBelow(tx: Transaction, notebookId: number, folder: string): readonly string[] {
  const { from, to } = rangeBelow(folder);
  const gone = all<{ id: string }>(tx)`DELETE FROM files WHERE notebook_id = ${notebookId} AND path >= ${from}
    AND path < ${to} AND deleted_by IS NULL RETURNING id`;
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
  insert(tx, 'trash', { ...record });
}

export function trashOf(tx: Transaction, eventId: number): TrashRecord | undefined {
  return get<TrashRecord>(tx)`SELECT * FROM trash WHERE event_id = ${eventId}`;
}

export function listTrash(tx: Transaction, notebookId: number, limit: number): TrashRecord[] {
  return all<TrashRecord>(tx)`SELECT * FROM trash WHERE notebook_id = ${notebookId} ORDER BY event_id DESC
    LIMIT ${limit}`;
}

/** Returns trash that was deleted before `before` and whose deletion is committed to git. */
export function oldTrash(tx: Transaction, notebookId: number, before: string): TrashRecord[] {
  return all<TrashRecord>(tx)`SELECT t.* FROM trash t WHERE t.notebook_id = ${notebookId}
    AND t.deleted_at < ${before} AND NOT EXISTS (SELECT 1 FROM git_pending g WHERE g.notebook_id = t.notebook_id
    AND g.event_id <= t.event_id)`;
}

export function dropTrash(tx: Transaction, eventId: number): void {
  run(tx)`DELETE FROM files WHERE deleted_by = ${eventId}`;
  run(tx)`DELETE FROM folders WHERE deleted_by = ${eventId}`;
  run(tx)`DELETE FROM trash WHERE event_id = ${eventId}`;
}
