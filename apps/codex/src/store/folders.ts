import { ancestorsOf, type NotebookPath, pathKey, rangeBelow } from '../model/path.ts';
import type { Transaction } from './open.ts';
import { all, get, insert, run } from './sql.ts';

export interface FolderRecord {
  readonly id: string;
  readonly notebook_id: number;
  readonly path: string;
  readonly path_key: string;
  readonly created_at: string;
  readonly deleted_by: number | null;
}

export function folderAt(tx: Transaction, notebookId: number, path: string): FolderRecord | undefined {
  return get<FolderRecord>(tx)`SELECT * FROM folders WHERE notebook_id = ${notebookId} AND path = ${path}
    AND deleted_by IS NULL`;
}

export function folderById(tx: Transaction, id: string): FolderRecord | undefined {
  return get<FolderRecord>(tx)`SELECT * FROM folders WHERE id = ${id} AND deleted_by IS NULL`;
}

/** Returns the files, then the folders, with this key, see `pathKey`. */
export function pathsOfKey(
  tx: Transaction,
  notebookId: number,
  key: string,
): readonly { readonly kind: 'file' | 'folder'; readonly path: string }[] {
  return all<{ kind: 'file' | 'folder'; path: string }>(tx)`SELECT 'file' AS kind, path FROM files
    WHERE notebook_id = ${notebookId} AND path_key = ${key} AND deleted_by IS NULL
    UNION ALL SELECT 'folder', path FROM folders
    WHERE notebook_id = ${notebookId} AND path_key = ${key} AND deleted_by IS NULL`;
}

export function listFolders(tx: Transaction, notebookId: number, after: string, limit: number): FolderRecord[] {
  return all<FolderRecord>(tx)`SELECT * FROM folders WHERE notebook_id = ${notebookId} AND path > ${after}
    AND deleted_by IS NULL ORDER BY path LIMIT ${limit}`;
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
  insert(tx, 'folders', { id, notebook_id: notebookId, path, path_key: pathKey(path), created_at: now });
}

export function moveFolders(tx: Transaction, notebookId: number, folder: string, target: string): void {
  const { from, to } = rangeBelow(folder);
  const [key, start, keyStart] = rebase(folder, target);
  run(
    tx,
  )`UPDATE folders SET path = ${target} || substr(path, ${start}), path_key = ${key} || substr(path_key, ${keyStart})
    WHERE notebook_id = ${notebookId} AND (path = ${folder} OR (path >= ${from} AND path < ${to}))
    AND deleted_by IS NULL`;
}

/**
 * Returns what a move from `folder` to `target` needs: the path key of `target`, and the positions after `folder` in a
 * path and in a path key. Counts code points, as SQLite does.
 */
function rebase(folder: string, target: string): readonly [string, number, number] {
  return [pathKey(target), Array.from(folder).length + 1, Array.from(pathKey(folder)).length + 1];
}

export function trashFolders(tx: Transaction, notebookId: number, folder: string, eventId: number): void {
  const { from, to } = rangeBelow(folder);
  run(tx)`UPDATE folders SET deleted_by = ${eventId} WHERE notebook_id = ${notebookId}
    AND (path = ${folder} OR (path >= ${from} AND path < ${to})) AND deleted_by IS NULL`;
}

export function forgetFolders(tx: Transaction, notebookId: number, folder: string): void {
  const { from, to } = rangeBelow(folder);
  run(tx)`DELETE FROM folders WHERE notebook_id = ${notebookId}
    AND (path = ${folder} OR (path >= ${from} AND path < ${to})) AND deleted_by IS NULL`;
}

/** Restores the folder `from`, and all folders below it, as `target`. */
export function restoreFolders(tx: Transaction, eventId: number, from: string, target: string): void {
  const [key, start, keyStart] = rebase(from, target);
  run(tx)`UPDATE folders SET deleted_by = NULL, path = ${target} || substr(path, ${start}),
    path_key = ${key} || substr(path_key, ${keyStart}) WHERE deleted_by = ${eventId}`;
}

/** A position in a folder listing. */
export interface TreePlace {
  readonly kind: 'folder' | 'file';
  /** The last listed path. */
  readonly after: string;
}

/** For folders, all fields except `kind`, `id` and `path` are null. */
export interface Child {
  readonly kind: 'folder' | 'file';
  readonly id: string;
  readonly path: string;
  readonly title: string | null;
  readonly size: number | null;
  readonly content_type: string | null;
  readonly updated_at: string | null;
  readonly git_reason: string | null;
}

/** Sorts after every path. */
const LAST = '\u{10ffff}';

/**
 * Lists a folder ('' is the notebook) from a position on, folders first. Each step looks up the next entry in the path
 * index and skips everything below a folder, so deeper paths are never read.
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
  for (const kind of from.kind === 'folder' ? (['folder', 'file'] as const) : (['file'] as const)) {
    const next = kind === 'folder' ? nextFolder : nextFile;
    for (let at = nextPath(from.kind === kind ? from.after : '', prefix); found.length < limit;) {
      const entry = next(tx, notebookId, at, end);
      if (entry === undefined) break;
      const child = childPath(entry.path, prefix);
      if (child === entry.path) found.push(entry);
      at = child === entry.path ? nextPath(child, prefix) : behindFolder(child);
    }
  }
  return found;
}

function nextFolder(tx: Transaction, notebookId: number, at: string, end: string): Child | undefined {
  return get<Child>(tx)`SELECT 'folder' AS kind, id, path, NULL AS title, NULL AS size, NULL AS content_type,
    NULL AS updated_at, NULL AS git_reason FROM folders
    WHERE notebook_id = ${notebookId} AND path >= ${at} AND path < ${end} AND deleted_by IS NULL ORDER BY path LIMIT 1`;
}

function nextFile(tx: Transaction, notebookId: number, at: string, end: string): Child | undefined {
  return get<Child>(tx)`SELECT 'file' AS kind, id, path, title, size, content_type, updated_at, git_reason FROM files
    WHERE notebook_id = ${notebookId} AND path >= ${at} AND path < ${end} AND deleted_by IS NULL ORDER BY path LIMIT 1`;
}

/** Returns the next possible path. It ends in a space, because names contain no character that sorts before a space. */
function nextPath(path: string, prefix: string): string {
  return path === '' ? prefix : `${path} `;
}

/**
 * Returns the first path after everything below this folder. `nextPath` would be wrong, because `a b` sorts between `a`
 * and `a/c`.
 */
function behindFolder(path: string): string {
  return `${path}0`;
}

/** Returns the direct child of the listed folder that leads to `path`. It can be `path` itself. */
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
