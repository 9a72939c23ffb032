import { linkKey, type NoteChange, type NoteFacts } from '../model/note/facts.ts';
import { propertyText, propertyValues, tagKey } from '../model/note/properties.ts';
import type { FileRecord } from '../model/notebook.ts';
import type { Transaction } from './open.ts';

const ROWS_OF_NOTEBOOK = 2 ** 32;

export function rowsOf(notebookId: number): { readonly first: number; readonly last: number } {
  return { first: notebookId * ROWS_OF_NOTEBOOK, last: (notebookId + 1) * ROWS_OF_NOTEBOOK - 1 };
}

/** Returns another row number with each call. */
type FreeRows = () => number;

/** Row numbers used by neither live nor pending-deletion texts, within one transaction. */
function freeRows(tx: Transaction, notebookId: number): FreeRows {
  let taken: number | undefined;
  return () => (taken = (taken ?? lastRow(tx, notebookId)) + 1);
}

function lastRow(tx: Transaction, notebookId: number): number {
  const { first, last } = rowsOf(notebookId);
  const found = tx.get<{ row: number | null }>(
    `SELECT max(coalesce((SELECT max(row) FROM note_index WHERE row BETWEEN ?1 AND ?2), ?1),
                coalesce((SELECT max(row) FROM note_orphans WHERE row BETWEEN ?1 AND ?2), ?1)) AS row`,
    first,
    last,
  );
  return found?.row ?? first;
}

export interface IndexedNote {
  readonly tags: readonly string[];
  readonly links_out: number;
  readonly properties_error: string | null;
}

const UNKNOWN: IndexedNote = { tags: [], links_out: 0, properties_error: null };

export function indexedNote(tx: Transaction, fileId: string): IndexedNote {
  const row = tx.get<Omit<IndexedNote, 'tags'> & { readonly tags: string }>(
    'SELECT tags, links_out, properties_error FROM note_index WHERE file_id = ?',
    fileId,
  );
  return row === undefined ? UNKNOWN : { ...row, tags: JSON.parse(row.tags) as string[] };
}

export function fileOfRow(tx: Transaction, row: number): FileRecord | undefined {
  return tx.get<FileRecord>(
    'SELECT f.* FROM note_index i JOIN files f ON f.id = i.file_id WHERE i.row = ? AND f.deleted_by IS NULL',
    row,
  );
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

/** All tags of a notebook, most used first. */
export function countTags(tx: Transaction, notebookId: number): readonly Counted[] {
  return tx.all<Counted>(
    `SELECT min(tag) AS name, count(*) AS count FROM note_tags WHERE notebook_id = ?
     GROUP BY tag_key ORDER BY count DESC, tag_key`,
    notebookId,
  );
}

/** Property names, with the number of files that have each. */
export function countProperties(tx: Transaction, notebookId: number): readonly Counted[] {
  return tx.all<Counted>(
    `SELECT min(name) AS name, count(DISTINCT row) AS count FROM note_properties WHERE notebook_id = ?
     GROUP BY key ORDER BY count DESC, key`,
    notebookId,
  );
}

/** Updates the index in the same write as the change. */
export function putNotes(tx: Transaction, notebookId: number, changes: readonly NoteChange[]): void {
  const rows = freeRows(tx, notebookId);
  for (const change of changes) {
    switch (change.kind) {
      case 'content':
        putContent(tx, notebookId, change, rows);
        break;
      case 'about':
        putAbout(tx, notebookId, change);
        break;
      case 'stale':
        tx.run(`UPDATE note_index SET hash = '' WHERE file_id = ?`, change.fileId);
        break;
      case 'trashed':
        dropNotes(tx, 'SELECT id FROM files WHERE deleted_by = ?', change.eventId);
        break;
      case 'gone':
      default:
        dropNotes(tx, 'SELECT value FROM json_each(?)', JSON.stringify(change.fileIds));
    }
  }
}

type Change<Kind extends NoteChange['kind']> = Extract<NoteChange, { readonly kind: Kind }>;

function putContent(
  tx: Transaction,
  notebookId: number,
  { fileId, name, hash, eventId, facts }: Change<'content'>,
  rows: FreeRows,
): void {
  const known = rowOf(tx, fileId);
  const row = known ?? rows();
  tx.run(
    `INSERT INTO note_index (row, file_id, notebook_id, hash, event_id, tags, links_out, properties_error)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
     ON CONFLICT (row) DO UPDATE SET hash = ?4, event_id = ?5, tags = ?6, links_out = ?7, properties_error = ?8`,
    row,
    fileId,
    notebookId,
    hash,
    eventId,
    JSON.stringify(facts.tags),
    facts.links.length,
    facts.propertiesError,
  );
  const columns = [facts.title ?? '', name, facts.tags.join(' '), propertyText(facts.properties), facts.text] as const;
  if (known === undefined) {
    tx.run(
      'INSERT INTO note_text (rowid, title, name, tags, properties, body) VALUES (?, ?, ?, ?, ?, ?)',
      row,
      ...columns,
    );
  } else {
    tx.run(
      'UPDATE note_text SET title = ?, name = ?, tags = ?, properties = ?, body = ? WHERE rowid = ?',
      ...columns,
      row,
    );
    clearLists(tx, row);
    tx.run('DELETE FROM note_links WHERE file_id = ?', fileId);
  }
  putLists(tx, notebookId, row, facts);
  for (const { line, kind, target, text } of facts.links) {
    tx.run(
      'INSERT INTO note_links (notebook_id, file_id, line, kind, target, target_key, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
      notebookId,
      fileId,
      line,
      kind,
      target,
      linkKey(target),
      text,
    );
  }
}

function putAbout(tx: Transaction, notebookId: number, { fileId, name, eventId, facts }: Change<'about'>): void {
  const row = rowOf(tx, fileId);
  // Not indexed yet; indexing will use the new values.
  if (row === undefined) return;
  tx.run('UPDATE note_index SET event_id = ? WHERE row = ?', eventId, row);
  if (facts === undefined) {
    tx.run('UPDATE note_text SET name = ? WHERE rowid = ?', name, row);
    return;
  }
  const { title, tags, properties, propertiesError } = facts;
  tx.run(
    'UPDATE note_index SET tags = ?, properties_error = ? WHERE row = ?',
    JSON.stringify(tags),
    propertiesError,
    row,
  );
  tx.run(
    'UPDATE note_text SET title = ?, name = ?, tags = ?, properties = ? WHERE rowid = ?',
    title ?? '',
    name,
    tags.join(' '),
    propertyText(properties),
    row,
  );
  clearLists(tx, row);
  putLists(tx, notebookId, row, facts);
}

function rowOf(tx: Transaction, fileId: string): number | undefined {
  return tx.get<{ row: number }>('SELECT row FROM note_index WHERE file_id = ?', fileId)?.row;
}

function clearLists(tx: Transaction, row: number): void {
  tx.run('DELETE FROM note_tags WHERE row = ?', row);
  tx.run('DELETE FROM note_properties WHERE row = ?', row);
}

function putLists(tx: Transaction, notebookId: number, row: number, { tags, properties }: NoteFacts): void {
  for (const tag of tags) {
    tx.run(
      'INSERT INTO note_tags (notebook_id, tag_key, row, tag) VALUES (?, ?, ?, ?)',
      notebookId,
      tagKey(tag),
      row,
      tag,
    );
  }
  for (const { name, key, value } of propertyValues(properties)) {
    tx.run(
      'INSERT INTO note_properties (notebook_id, key, value, row, name) VALUES (?, ?, ?, ?, ?)',
      notebookId,
      key,
      value,
      row,
      name,
    );
  }
}

/**
 * Uses a few statements for any number of files. The text is deleted later, because that costs as much as indexing it.
 */
function dropNotes(tx: Transaction, fileIds: string, parameter: number | string): void {
  const rows = `SELECT row FROM note_index WHERE file_id IN (${fileIds})`;
  tx.run(`INSERT OR IGNORE INTO note_orphans (row) ${rows}`, parameter);
  tx.run(`DELETE FROM note_tags WHERE row IN (${rows})`, parameter);
  tx.run(`DELETE FROM note_properties WHERE row IN (${rows})`, parameter);
  tx.run(`DELETE FROM note_links WHERE file_id IN (${fileIds})`, parameter);
  tx.run(`DELETE FROM note_index WHERE file_id IN (${fileIds})`, parameter);
}

export function dropNotebookNotes(tx: Transaction, notebookId: number): void {
  dropNotes(tx, 'SELECT file_id FROM note_index WHERE row BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1', notebookId);
}

/** Returns the number of deleted texts; fewer than `limit` when none are left. */
export function clearOrphans(tx: Transaction, limit: number): number {
  const rows = tx.all<{ row: number }>('SELECT row FROM note_orphans LIMIT ?', limit);
  for (const { row } of rows) {
    tx.run('DELETE FROM note_text WHERE rowid = ?', row);
    tx.run('DELETE FROM note_orphans WHERE row = ?', row);
  }
  return rows.length;
}

export interface CheckedFile {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly last_event_id: number | null;
  /** 1 if the index is missing this version of the file. */
  readonly is_stale: number;
  /** 1 if the file was never indexed. */
  readonly is_new: number;
}

/** Compares the next files by path with the index; reads at most `limit`. */
export function checkFiles(tx: Transaction, notebookId: number, after: string, limit: number): readonly CheckedFile[] {
  return tx.all<CheckedFile>(
    `SELECT f.id, f.path, f.hash, f.size, f.last_event_id, i.row IS NULL AS is_new,
       i.row IS NULL OR i.hash <> f.hash OR i.event_id IS NOT f.last_event_id AS is_stale
     FROM files f LEFT JOIN note_index i ON i.file_id = f.id
     WHERE f.notebook_id = ? AND f.path > ? AND f.deleted_by IS NULL ORDER BY f.path LIMIT ?`,
    notebookId,
    after,
    limit,
  );
}

interface CheckedNote {
  readonly row: number;
  readonly file_id: string;
  readonly is_gone: number;
}

/** Returns the next rows of the index. Restoring an older database can leave rows without a file. */
export function checkNotes(tx: Transaction, notebookId: number, after: number, limit: number): readonly CheckedNote[] {
  const { first, last } = rowsOf(notebookId);
  return tx.all<CheckedNote>(
    `SELECT i.row, i.file_id,
       NOT EXISTS (SELECT 1 FROM files f WHERE f.id = i.file_id AND f.deleted_by IS NULL) AS is_gone
     FROM note_index i WHERE i.row > ? AND i.row <= ? ORDER BY i.row LIMIT ?`,
    Math.max(after, first),
    last,
    limit,
  );
}

export function markStale(tx: Transaction, notebookId: number): void {
  const { first, last } = rowsOf(notebookId);
  tx.run(`UPDATE note_index SET hash = '' WHERE row BETWEEN ? AND ?`, first, last);
}
