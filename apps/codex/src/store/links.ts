import type { LinkTarget } from '../model/links.ts';
import type { LinkKind } from '../model/note/parse-note.ts';
import { rangeBelow } from '../model/path.ts';
import { rowsOf } from './notes.ts';
import type { Transaction } from './open.ts';

const LIVE = 'deleted_by IS NULL';

export interface LinkedFile extends LinkTarget {
  readonly title: string | null;
}

/** Files whose name matches the last segment of a link. */
export function filesOfLinkKey(tx: Transaction, notebookId: number, key: string): LinkedFile[] {
  return tx.all<LinkedFile>(
    `SELECT id, path, title FROM files WHERE notebook_id = ? AND link_key = ? AND ${LIVE}`,
    notebookId,
    key,
  );
}

/** Returns whether some files are not indexed yet. */
export function hasUnread(tx: Transaction, notebookId: number): boolean {
  const { first, last } = rowsOf(notebookId);
  const counted = tx.get<{ files: number; notes: number }>(
    `SELECT (SELECT count(*) FROM files WHERE notebook_id = ?1 AND ${LIVE}) AS files,
       (SELECT count(*) FROM note_index WHERE row BETWEEN ?2 AND ?3) AS notes`,
    notebookId,
    first,
    last,
  );
  return (counted?.files ?? 0) > (counted?.notes ?? 0);
}

interface LinkRow {
  readonly file_id: string;
  readonly line: number;
  readonly kind: LinkKind;
  readonly target: string;
  readonly target_key: string;
  readonly text: string;
}

const COLUMNS = 'file_id, line, kind, target, target_key, text';

export function linksFrom(tx: Transaction, fileId: string): LinkRow[] {
  return tx.all<LinkRow>(`SELECT ${COLUMNS} FROM note_links WHERE file_id = ? ORDER BY id`, fileId);
}

export interface IncomingRow extends LinkRow {
  readonly path: string;
  readonly title: string | null;
}

/** Links with this last segment. They may resolve to different files. */
export function linksOfKey(tx: Transaction, notebookId: number, key: string): IncomingRow[] {
  return tx.all<IncomingRow>(
    `SELECT l.file_id, l.line, l.kind, l.target, l.target_key, l.text, f.path, f.title
     FROM note_links l JOIN files f ON f.id = l.file_id AND f.deleted_by IS NULL
     WHERE l.notebook_id = ? AND l.target_key = ? ORDER BY f.path, l.id`,
    notebookId,
    key,
  );
}

export function nextLinkKeys(tx: Transaction, notebookId: number, after: string, limit: number): string[] {
  return tx
    .all<{ target_key: string }>(
      `SELECT DISTINCT target_key FROM note_links WHERE notebook_id = ? AND target_key > ? ORDER BY target_key LIMIT ?`,
      notebookId,
      after,
      limit,
    )
    .map(({ target_key }) => target_key);
}

export interface PlacedLink {
  /** The note that contains the link. */
  readonly file_id: string;
  readonly path: string;
  readonly kind: LinkKind;
  readonly target: string;
}

/**
 * Links whose meaning a move of this folder may have changed: links by the name of a file below it, and links in notes
 * below it. One statement, however many files share a name.
 */
export function linksAroundFolder(tx: Transaction, notebookId: number, folder: string): PlacedLink[] {
  const { from, to } = rangeBelow(folder);
  const below = `f.notebook_id = ?1 AND f.path >= ?2 AND f.path < ?3 AND f.${LIVE}`;
  // CROSS JOIN fixes the join order: SQLite would start with all links of the notebook.
  return tx.all<PlacedLink>(
    `SELECT l.file_id, note.path, l.kind, l.target FROM (SELECT DISTINCT f.link_key FROM files f WHERE ${below}) moved
     CROSS JOIN note_links l ON l.notebook_id = ?1 AND l.target_key = moved.link_key
     CROSS JOIN files note ON note.id = l.file_id AND note.${LIVE}
     WHERE note.path < ?2 OR note.path >= ?3
     UNION ALL
     SELECT l.file_id, f.path, l.kind, l.target FROM files f CROSS JOIN note_links l ON l.file_id = f.id WHERE ${below}`,
    notebookId,
    from,
    to,
  );
}

/** Files whose name starts with `beginning`, sorted by name. */
export function filesNamedLike(tx: Transaction, notebookId: number, beginning: string, limit: number): LinkedFile[] {
  return tx.all<LinkedFile>(
    `SELECT id, path, title FROM files WHERE notebook_id = ? AND link_key >= ? AND link_key < ? AND ${LIVE}
     ORDER BY link_key LIMIT ?`,
    notebookId,
    beginning,
    `${beginning}\u{10ffff}`,
    limit,
  );
}

/** Recently changed files: suggestions before anything is typed. */
export function filesChangedLast(tx: Transaction, notebookId: number, limit: number): LinkedFile[] {
  return tx.all<LinkedFile>(
    `SELECT id, path, title FROM (
       SELECT file_id, max(id) AS last FROM (
         SELECT file_id, id FROM file_events WHERE notebook_id = ?1 AND status = 'completed' AND file_id IS NOT NULL
         ORDER BY id DESC LIMIT ?3)
       GROUP BY file_id)
     JOIN files ON files.id = file_id AND ${LIVE} ORDER BY last DESC LIMIT ?2`,
    notebookId,
    limit,
    10 * limit,
  );
}

/** Files with a word in name or title that starts with the query. */
export function filesWithWord(tx: Transaction, notebookId: number, query: string, limit: number): LinkedFile[] {
  return tx.all<LinkedFile>(
    `SELECT f.id, f.path, f.title FROM note_text t JOIN note_index n ON n.row = t.rowid
     JOIN files f ON f.id = n.file_id AND f.deleted_by IS NULL
     WHERE note_text MATCH ?1 AND t.rowid BETWEEN ?2 AND ?3 LIMIT ?4`,
    query,
    notebookId * 2 ** 32,
    (notebookId + 1) * 2 ** 32 - 1,
    limit,
  );
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

export function oweRewrite(tx: Transaction, owed: LinkRewrite): void {
  tx.run(
    `INSERT INTO link_rewrites (event_id, notebook_id, kind, source, dest, correlation_id, author)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    owed.event_id,
    owed.notebook_id,
    owed.kind,
    owed.source,
    owed.dest,
    owed.correlation_id,
    owed.author,
  );
}

/** Oldest move first. */
export function owedRewrites(tx: Transaction, notebookId: number): LinkRewrite[] {
  return tx.all<LinkRewrite>('SELECT * FROM link_rewrites WHERE notebook_id = ? ORDER BY event_id', notebookId);
}

export function rewriteQueued(tx: Transaction, eventId: number): void {
  tx.run('DELETE FROM link_rewrites WHERE event_id = ?', eventId);
}
