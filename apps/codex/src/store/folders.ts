import { ancestorsOf, type NotebookPath, pathKey, rangeBelow } from '../model/path.ts';
import type { Transaction } from './open.ts';

interface FolderRecord {
  readonly id: string;
  readonly notebook_id: number;
  readonly path: string;
  readonly path_key: string;
  readonly created_at: string;
  readonly deleted_by: number | null;
}

const LIVE = 'deleted_by IS NULL';

export function folderAt(tx: Transaction, notebookId: number, path: string): FolderRecord | undefined {
  return tx.get<FolderRecord>(`SELECT * FROM folders WHERE notebook_id = ? AND path = ? AND ${LIVE}`, notebookId, path);
}

export function folderById(tx: Transaction, id: string): FolderRecord | undefined {
  return tx.get<FolderRecord>(`SELECT * FROM folders WHERE id = ? AND ${LIVE}`, id);
}

export function foldersOfKey(tx: Transaction, notebookId: number, key: string): FolderRecord[] {
  return tx.all<FolderRecord>(
    `SELECT * FROM folders WHERE notebook_id = ? AND path_key = ? AND ${LIVE}`,
    notebookId,
    key,
  );
}

export function listFolders(tx: Transaction, notebookId: number, after: string, limit: number): FolderRecord[] {
  return tx.all<FolderRecord>(
    `SELECT * FROM folders WHERE notebook_id = ? AND path > ? AND ${LIVE} ORDER BY path LIMIT ?`,
    notebookId,
    after,
    limit,
  );
}

export function putFolders(
  tx: Transaction,
  notebookId: number,
  path: NotebookPath,
  now: string,
  newId: () => string,
): void {
  for (const folder of [path, ...ancestorsOf(path).toReversed()] as const) {
    if (folderAt(tx, notebookId, folder) !== undefined) return;
    putFolder(tx, notebookId, folder, newId(), now);
  }
}

export function putFolder(tx: Transaction, notebookId: number, path: string, id: string, now: string): void {
  tx.run(
    'INSERT INTO folders (id, notebook_id, path, path_key, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    notebookId,
    path,
    pathKey(path),
    now,
  );
}

export function moveFolders(tx: Transaction, notebookId: number, folder: string, target: string): void {
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

export function trashFolders(tx: Transaction, notebookId: number, folder: string, eventId: number): void {
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

export function forgetFolders(tx: Transaction, notebookId: number, folder: string): void {
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
export function restoreFolders(tx: Transaction, eventId: number, from: string, target: string): void {
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

/** A position in the listing of a folder. */
export interface TreePlace {
  readonly kind: 'folder' | 'file';
  /** The last listed path. */
  readonly after: string;
}

interface ChildFolder {
  readonly kind: 'folder';
  readonly id: string;
  readonly path: string;
}

interface ChildFile {
  readonly kind: 'file';
  readonly id: string;
  readonly path: string;
  readonly title: string | null;
  readonly size: number;
  readonly content_type: string;
  readonly updated_at: string;
  readonly git_reason: string | null;
}

export type Child = ChildFolder | ChildFile;

/** Sorts after every path. */
const LAST = '\u{10ffff}';

/**
 * Entries of one folder ('' is the notebook), folders first, from a position on. Each step asks the path index for the
 * next entry and skips everything below a folder, so deeper paths are never read.
 */
export function listChildren(
  tx: Transaction,
  notebookId: number,
  folder: string,
  from: TreePlace,
  limit: number,
): Child[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const end = folder === '' ? LAST : `${folder}0`;
  const found: Child[] = [];
  if (from.kind === 'folder') {
    for (let at = nextPath(from.after, prefix); found.length < limit;) {
      const next = nextFolder(tx, notebookId, at, end);
      if (next === undefined) break;
      const child = childPath(next.path, prefix);
      if (child === next.path) found.push({ kind: 'folder', ...next });
      at = child === next.path ? nextPath(child, prefix) : behindFolder(child);
    }
  }
  for (let at = nextPath(from.kind === 'file' ? from.after : '', prefix); found.length < limit;) {
    const next = nextFile(tx, notebookId, at, end);
    if (next === undefined) break;
    const child = childPath(next.path, prefix);
    if (child === next.path) found.push({ kind: 'file', ...next });
    at = child === next.path ? nextPath(child, prefix) : behindFolder(child);
  }
  return found;
}

function nextFolder(
  tx: Transaction,
  notebookId: number,
  at: string,
  end: string,
): Omit<ChildFolder, 'kind'> | undefined {
  return tx.get<Omit<ChildFolder, 'kind'>>(
    `SELECT id, path FROM folders WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL
     ORDER BY path LIMIT 1`,
    notebookId,
    at,
    end,
  );
}

function nextFile(tx: Transaction, notebookId: number, at: string, end: string): Omit<ChildFile, 'kind'> | undefined {
  return tx.get<Omit<ChildFile, 'kind'>>(
    `SELECT id, path, title, size, content_type, updated_at, git_reason FROM files
     WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL ORDER BY path LIMIT 1`,
    notebookId,
    at,
    end,
  );
}

/** The next possible path: no name contains a character that sorts before a space. */
function nextPath(path: string, prefix: string): string {
  return path === '' ? prefix : `${path} `;
}

/** The first path after everything below this folder. Not `nextPath`, because `a b` sorts between `a` and `a/c`. */
function behindFolder(path: string): string {
  return `${path}0`;
}

/** The entry of the listed folder that a path is, or is below. */
function childPath(path: string, prefix: string): string {
  const slash = path.indexOf('/', prefix.length);
  return slash < 0 ? path : path.slice(0, slash);
}

export function hasChildren(tx: Transaction, notebookId: number, folder: string): boolean {
  const below = [notebookId, `${folder}/`, `${folder}0`] as const;
  const inTable = (table: 'files' | 'folders'): boolean =>
    tx.get(
      `SELECT 1 FROM ${table} WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL LIMIT 1`,
      ...below,
    ) !== undefined;
  return inTable('files') || inTable('folders');
}
