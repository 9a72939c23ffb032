import { parseStoredList } from '@holdfast/base';

import { splitCjk } from '../model/note/cjk.ts';
import { linkKey, type NoteChange, type NoteFacts } from '../model/note/facts.ts';
import { propertyText, propertyValues, tagKey } from '../model/note/properties.ts';
import type { FileRecord } from '../model/notebook.ts';
import type { Transaction } from './open.ts';
import { all, get, insert, run, upsert } from './sql.ts';

const ROWS_OF_NOTEBOOK = 2 ** 32;

export function rowsOf(notebookId: number): { readonly first: number; readonly last: number } {
  return { first: notebookId * ROWS_OF_NOTEBOOK, last: (notebookId + 1) * ROWS_OF_NOTEBOOK - 1 };
}

/** Returns an unused row number with each call. */
type FreeRows = () => number;

/** Returns row numbers that neither live texts nor texts pending deletion use. Valid within one transaction. */
function freeRows(tx: Transaction, notebookId: number): FreeRows {
  let taken: number | undefined;
  return () => (taken = (taken ?? lastRow(tx, notebookId)) + 1);
}

function lastRow(tx: Transaction, notebookId: number): number {
  const { first, last } = rowsOf(notebookId);
  const found = get<{ row: number | null }>(tx)`SELECT max(coalesce((SELECT max(row) FROM note_index
    WHERE row BETWEEN ${first} AND ${last}), ${first}), coalesce((SELECT max(row) FROM note_orphans
    WHERE row BETWEEN ${first} AND ${last}), ${first})) AS row`;
  return found?.row ?? first;
}

export interface IndexedNote {
  readonly tags: readonly string[];
  readonly links_out: number;
  readonly properties_error: string | null;
}

const UNKNOWN: IndexedNote = { tags: [], links_out: 0, properties_error: null };

export function indexedNote(tx: Transaction, fileId: string): IndexedNote {
  const row = get<Omit<IndexedNote, 'tags'> & { readonly tags: string }>(tx)`SELECT tags, links_out, properties_error
    FROM note_index WHERE file_id = ${fileId}`;
  return row === undefined ? UNKNOWN : { ...row, tags: parseStoredList(row.tags) as string[] };
}

export function fileOfRow(tx: Transaction, row: number): FileRecord | undefined {
  return get<FileRecord>(tx)`SELECT f.* FROM note_index i JOIN files f ON f.id = i.file_id WHERE i.row = ${row}
    AND f.deleted_by IS NULL`;
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

export function countTags(tx: Transaction, notebookId: number): readonly Counted[] {
  return all<Counted>(tx)`SELECT min(tag) AS name, count(*) AS count FROM note_tags WHERE notebook_id = ${notebookId}
    GROUP BY tag_key ORDER BY count DESC, tag_key`;
}

/** Returns each property name with the number of files that have the property. */
export function countProperties(tx: Transaction, notebookId: number): readonly Counted[] {
  return all<Counted>(tx)`SELECT min(name) AS name, count(DISTINCT row) AS count FROM note_properties
    WHERE notebook_id = ${notebookId} GROUP BY key ORDER BY count DESC, key`;
}

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
        run(tx)`UPDATE note_index SET hash = '' WHERE file_id = ${change.fileId}`;
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
  upsert(tx, 'note_index', 'row', {
    row,
    file_id: fileId,
    notebook_id: notebookId,
    hash,
    event_id: eventId,
    tags: JSON.stringify(facts.tags),
    links_out: facts.links.length,
    anchors: JSON.stringify(facts.anchors),
    properties_error: facts.propertiesError,
  });
  const { title, tags, properties } = wordsOf(facts);
  const text = { title, name: splitCjk(name), tags, properties, body: splitCjk(facts.text) };
  if (known === undefined) insert(tx, 'note_text', { rowid: row, ...text });
  else {
    run(tx)`UPDATE note_text SET title = ${title}, name = ${text.name}, tags = ${tags}, properties = ${properties},
      body = ${text.body} WHERE rowid = ${row}`;
    clearLists(tx, row);
    run(tx)`DELETE FROM note_links WHERE file_id = ${fileId}`;
  }
  putLists(tx, notebookId, row, facts);
  for (const { line, kind, target, part, text: shown } of facts.links) {
    run(tx)`INSERT INTO note_links (notebook_id, file_id, line, kind, target, target_key, text, part)
      VALUES (${notebookId}, ${fileId}, ${line}, ${kind}, ${target}, ${linkKey(target)}, ${shown}, ${part})`;
  }
}

function putAbout(tx: Transaction, notebookId: number, { fileId, name, eventId, facts }: Change<'about'>): void {
  const row = rowOf(tx, fileId);
  // The file is not indexed yet. Indexing will use the new values.
  if (row === undefined) return;
  run(tx)`UPDATE note_index SET event_id = ${eventId} WHERE row = ${row}`;
  if (facts === undefined) {
    run(tx)`UPDATE note_text SET name = ${splitCjk(name)} WHERE rowid = ${row}`;
    return;
  }
  run(tx)`UPDATE note_index SET tags = ${JSON.stringify(facts.tags)}, properties_error = ${facts.propertiesError}
    WHERE row = ${row}`;
  const { title, tags, properties } = wordsOf(facts);
  run(tx)`UPDATE note_text SET title = ${title}, name = ${splitCjk(name)}, tags = ${tags}, properties = ${properties}
    WHERE rowid = ${row}`;
  clearLists(tx, row);
  putLists(tx, notebookId, row, facts);
}

/** Returns the metadata as the words to index. */
function wordsOf({ title, tags, properties }: NoteFacts): Readonly<Record<'title' | 'tags' | 'properties', string>> {
  return {
    title: splitCjk(title ?? ''),
    tags: splitCjk(tags.join(' ')),
    properties: splitCjk(propertyText(properties)),
  };
}

function rowOf(tx: Transaction, fileId: string): number | undefined {
  return get<{ row: number }>(tx)`SELECT row FROM note_index WHERE file_id = ${fileId}`?.row;
}

function clearLists(tx: Transaction, row: number): void {
  run(tx)`DELETE FROM note_tags WHERE row = ${row}`;
  run(tx)`DELETE FROM note_properties WHERE row = ${row}`;
}

function putLists(tx: Transaction, notebookId: number, row: number, { tags, properties }: NoteFacts): void {
  for (const tag of tags) {
    run(tx)`INSERT INTO note_tags (notebook_id, tag_key, row, tag)
      VALUES (${notebookId}, ${tagKey(tag)}, ${row}, ${tag})`;
  }
  for (const { name, key, value } of propertyValues(properties)) {
    run(tx)`INSERT INTO note_properties (notebook_id, key, value, row, name)
      VALUES (${notebookId}, ${key}, ${value}, ${row}, ${name})`;
  }
}

/**
 * Uses a few statements for any number of files. The text is deleted later, because deleting costs as much as indexing.
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

/** Deletes texts of removed notes. Returns their number, which is lower than `limit` when none are left. */
export function clearOrphans(tx: Transaction, limit: number): number {
  const rows = all<{ row: number }>(tx)`SELECT row FROM note_orphans LIMIT ${limit}`;
  for (const { row } of rows) {
    run(tx)`DELETE FROM note_text WHERE rowid = ${row}`;
    run(tx)`DELETE FROM note_orphans WHERE row = ${row}`;
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

/** Compares the next files, in order of path, with the index. Reads at most `limit` files. */
export function checkFiles(tx: Transaction, notebookId: number, after: string, limit: number): readonly CheckedFile[] {
  return all<CheckedFile>(tx)`SELECT f.id, f.path, f.hash, f.size, f.last_event_id, i.row IS NULL AS is_new,
    i.row IS NULL OR i.hash <> f.hash OR i.event_id IS NOT f.last_event_id AS is_stale
    FROM files f LEFT JOIN note_index i ON i.file_id = f.id
    WHERE f.notebook_id = ${notebookId} AND f.path > ${after} AND f.deleted_by IS NULL ORDER BY f.path LIMIT ${limit}`;
}

interface CheckedNote {
  readonly row: number;
  readonly file_id: string;
  readonly is_gone: number;
}

/** Returns the next rows of the index. Restoring an older database can leave rows without a file. */
export function checkNotes(tx: Transaction, notebookId: number, after: number, limit: number): readonly CheckedNote[] {
  const { first, last } = rowsOf(notebookId);
  return all<CheckedNote>(tx)`SELECT i.row, i.file_id, NOT EXISTS (SELECT 1 FROM files f WHERE f.id = i.file_id
    AND f.deleted_by IS NULL) AS is_gone FROM note_index i WHERE i.row > ${Math.max(after, first)}
    AND i.row <= ${last} ORDER BY i.row LIMIT ${limit}`;
}

export function markStale(tx: Transaction, notebookId: number): void {
  const { first, last } = rowsOf(notebookId);
  run(tx)`UPDATE note_index SET hash = '' WHERE row BETWEEN ${first} AND ${last}`;
}
