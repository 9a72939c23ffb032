import type { Tx } from './open.ts';

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
export function listChildren(tx: Tx, notebookId: number, folder: string, from: TreePlace, limit: number): Child[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const end = folder === '' ? LAST : `${folder}0`;
  const found: Child[] = [];
  if (from.kind === 'folder') {
    for (let at = after(from.after, prefix); found.length < limit;) {
      const next = nextFolder(tx, notebookId, at, end);
      if (next === undefined) break;
      const child = childPath(next.path, prefix);
      if (child === next.path) found.push({ kind: 'folder', ...next });
      at = child === next.path ? after(child, prefix) : behindFolder(child);
    }
  }
  for (let at = after(from.kind === 'file' ? from.after : '', prefix); found.length < limit;) {
    const next = nextFile(tx, notebookId, at, end);
    if (next === undefined) break;
    const child = childPath(next.path, prefix);
    if (child === next.path) found.push({ kind: 'file', ...next });
    at = child === next.path ? after(child, prefix) : behindFolder(child);
  }
  return found;
}

function nextFolder(tx: Tx, notebookId: number, at: string, end: string): Omit<ChildFolder, 'kind'> | undefined {
  return tx.get<Omit<ChildFolder, 'kind'>>(
    `SELECT id, path FROM folders WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL
     ORDER BY path LIMIT 1`,
    notebookId,
    at,
    end,
  );
}

function nextFile(tx: Tx, notebookId: number, at: string, end: string): Omit<ChildFile, 'kind'> | undefined {
  return tx.get<Omit<ChildFile, 'kind'>>(
    `SELECT id, path, title, size, content_type, updated_at, git_reason FROM files
     WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL ORDER BY path LIMIT 1`,
    notebookId,
    at,
    end,
  );
}

/** The next possible path: no name contains a character that sorts before a space. */
function after(path: string, prefix: string): string {
  return path === '' ? prefix : `${path} `;
}

/** The first path after everything below this folder. Not `after`, because `a b` sorts between `a` and `a/c`. */
function behindFolder(path: string): string {
  return `${path}0`;
}

/** The entry of the listed folder that a path is, or is below. */
function childPath(path: string, prefix: string): string {
  const slash = path.indexOf('/', prefix.length);
  return slash < 0 ? path : path.slice(0, slash);
}

export function hasChildren(tx: Tx, notebookId: number, folder: string): boolean {
  const below = [notebookId, `${folder}/`, `${folder}0`] as const;
  const inTable = (table: 'files' | 'folders'): boolean =>
    tx.get(
      `SELECT 1 FROM ${table} WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL LIMIT 1`,
      ...below,
    ) !== undefined;
  return inTable('files') || inTable('folders');
}
