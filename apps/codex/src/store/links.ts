import { parseStoredList } from '@holdfast/base';

import type { LinkTarget } from '../model/links.ts';
import type { LinkKind } from '../model/note/scan-line.ts';
import { rangeBelow } from '../model/path.ts';
import { rowsOf } from './notes.ts';
import type { Transaction } from './open.ts';
import { all, get, insert, run } from './sql.ts';

export interface LinkedFile extends LinkTarget {
  readonly title: string | null;
}

/** Returns the files whose name matches the last segment of a link. */
export function filesOfLinkKey(tx: Transaction, notebookId: number, key: string): LinkedFile[] {
  return all<LinkedFile>(tx)`SELECT id, path, title FROM files WHERE notebook_id = ${notebookId}
    AND link_key = ${key} AND deleted_by IS NULL`;
}

/** Returns whether some files are not indexed yet. */
export function hasUnread(tx: Transaction, notebookId: number): boolean {
  const { first, last } = rowsOf(notebookId);
  const counted = get<{ files: number; notes: number }>(tx)`SELECT (SELECT count(*) FROM files
    WHERE notebook_id = ${notebookId} AND deleted_by IS NULL) AS files, (SELECT count(*) FROM note_index
    WHERE row BETWEEN ${first} AND ${last}) AS notes`;
  return (counted?.files ?? 0) > (counted?.notes ?? 0);
}

interface LinkRow {
  readonly file_id: string;
  readonly line: number;
  readonly kind: LinkKind;
  readonly target: string;
  readonly target_key: string;
  readonly text: string;
  readonly part: string | null;
}

export function linksFrom(tx: Transaction, fileId: string): LinkRow[] {
  return all<LinkRow>(tx)`SELECT file_id, line, kind, target, target_key, text, part FROM note_links
    WHERE file_id = ${fileId} ORDER BY id`;
}

export interface IncomingRow extends LinkRow {
  readonly path: string;
  readonly title: string | null;
}

/** Returns links whose last segment has this key. They may lead to different files. */
export function linksOfKey(tx: Transaction, notebookId: number, key: string): IncomingRow[] {
  return all<IncomingRow>(tx)`SELECT l.file_id, l.line, l.kind, l.target, l.target_key, l.text, l.part, f.path, f.title
    FROM note_links l JOIN files f ON f.id = l.file_id AND f.deleted_by IS NULL WHERE l.notebook_id = ${notebookId}
    AND l.target_key = ${key} ORDER BY f.path, l.id`;
}

/** Returns the keys of the headings and blocks of a note; undefined if it is not indexed. */
export function anchorsOf(tx: Transaction, fileId: string): readonly string[] | undefined {
  const row = get<{ anchors: string }>(tx)`SELECT anchors FROM note_index WHERE file_id = ${fileId}`;
  return row === undefined ? undefined : (parseStoredList(row.anchors) as string[]);
}

/** Returns the files with an alias that starts with `beginning`, with all their properties as JSON. */
export function filesWithAlias(
  tx: Transaction,
  notebookId: number,
  beginning: string,
  limit: number,
): readonly (LinkedFile & { readonly properties: string })[] {
  return all<LinkedFile & { properties: string }>(tx)`SELECT DISTINCT f.id, f.path, f.title, f.properties
    FROM note_properties p JOIN note_index i ON i.row = p.row JOIN files f ON f.id = i.file_id AND f.deleted_by IS NULL
    WHERE p.notebook_id = ${notebookId} AND p.key = 'aliases' AND p.value >= ${beginning}
    AND p.value < ${`${beginning}\u{10ffff}`} ORDER BY p.value LIMIT ${limit}`;
}

export function nextLinkKeys(tx: Transaction, notebookId: number, after: string, limit: number): string[] {
  return all<{ target_key: string }>(tx)`SELECT DISTINCT target_key FROM note_links WHERE notebook_id = ${notebookId}
    AND target_key > ${after} ORDER BY target_key LIMIT ${limit}`.map(({ target_key }) => target_key);
}

export interface PlacedLink {
  /** The note that contains the link. */
  readonly file_id: string;
  readonly path: string;
  readonly kind: LinkKind;
  readonly target: string;
}

/**
 * Returns links that a move of this folder may have affected: links that name a file below it, and links in notes below
 * it. Uses one statement, however many files share a name.
 */
export function linksAroundFolder(tx: Transaction, notebookId: number, folder: string): PlacedLink[] {
  const { from, to } = rangeBelow(folder);
  const below = `f.notebook_id = ?1 AND f.path >= ?2 AND f.path < ?3 AND f.deleted_by IS NULL`;
  // CROSS JOIN fixes the join order. Without it, SQLite would start with all links in the notebook.
  return tx.all<PlacedLink>(
    `SELECT l.file_id, note.path, l.kind, l.target FROM (SELECT DISTINCT f.link_key FROM files f WHERE ${below}) moved
     CROSS JOIN note_links l ON l.notebook_id = ?1 AND l.target_key = moved.link_key
     CROSS JOIN files note ON note.id = l.file_id AND note.deleted_by IS NULL
     WHERE note.path < ?2 OR note.path >= ?3
     UNION ALL
     SELECT l.file_id, f.path, l.kind, l.target FROM files f CROSS JOIN note_links l ON l.file_id = f.id WHERE ${below}`,
    notebookId,
    from,
    to,
  );
}

/** Returns the files whose name starts with `beginning`, sorted by name. */
export function filesNamedLike(tx: Transaction, notebookId: number, beginning: string, limit: number): LinkedFile[] {
  return all<LinkedFile>(tx)`SELECT id, path, title FROM files WHERE notebook_id = ${notebookId}
    AND link_key >= ${beginning} AND link_key < ${`${beginning}\u{10ffff}`} AND deleted_by IS NULL ORDER BY link_key
    LIMIT ${limit}`;
}

/** Returns the recently changed files: suggestions before anything is typed. */
export function filesChangedLast(tx: Transaction, notebookId: number, limit: number): LinkedFile[] {
  return all<LinkedFile>(tx)`SELECT id, path, title FROM (
      SELECT file_id, max(id) AS last FROM (
        SELECT file_id, id FROM file_events
        WHERE notebook_id = ${notebookId} AND status = 'completed' AND file_id IS NOT NULL
        ORDER BY id DESC LIMIT ${10 * limit})
      GROUP BY file_id)
    JOIN files ON files.id = file_id AND deleted_by IS NULL ORDER BY last DESC LIMIT ${limit}`;
}

/** Returns the files whose name or title contains a word that starts with the query. */
export function filesWithWord(tx: Transaction, notebookId: number, query: string, limit: number): LinkedFile[] {
  const { first, last } = rowsOf(notebookId);
  return all<LinkedFile>(tx)`SELECT f.id, f.path, f.title FROM note_text t JOIN note_index n ON n.row = t.rowid
    JOIN files f ON f.id = n.file_id AND f.deleted_by IS NULL
    WHERE note_text MATCH ${query} AND t.rowid BETWEEN ${first} AND ${last} LIMIT ${limit}`;
}

/** A move after which links have to be rewritten. */
export interface LinkRewrite {
  readonly event_id: number;
  readonly notebook_id: number;
  readonly kind: 'file' | 'folder';
  readonly source: string;
  readonly dest: string;
  readonly correlation_id: string;
  readonly author: string;
}

export function addLinkRewrite(tx: Transaction, owed: LinkRewrite): void {
  insert(tx, 'link_rewrites', { ...owed });
}

/** Returns the moves whose links are not rewritten yet, oldest first. */
export function pendingLinkRewrites(tx: Transaction, notebookId: number): LinkRewrite[] {
  return all<LinkRewrite>(tx)`SELECT * FROM link_rewrites WHERE notebook_id = ${notebookId} ORDER BY event_id`;
}

export function dropLinkRewrite(tx: Transaction, eventId: number): void {
  run(tx)`DELETE FROM link_rewrites WHERE event_id = ${eventId}`;
}
