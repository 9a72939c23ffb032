import type { NoteChange } from '../../model/note/change.ts';
import { linkKey, type NoteFacts } from '../../model/note/facts.ts';
import { propertyText, propertyValues } from '../../model/note/property-values.ts';
import { tagKey } from '../../model/note/tags.ts';
import type { Tx } from '../open.ts';
import { type FreeRows, freeRows } from './rows.ts';

/** Updates the index in the same write as the change. */
export function putNotes(tx: Tx, notebookId: number, changes: readonly NoteChange[]): void {
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
  tx: Tx,
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

function putAbout(tx: Tx, notebookId: number, { fileId, name, eventId, facts }: Change<'about'>): void {
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

function rowOf(tx: Tx, fileId: string): number | undefined {
  return tx.get<{ row: number }>('SELECT row FROM note_index WHERE file_id = ?', fileId)?.row;
}

function clearLists(tx: Tx, row: number): void {
  tx.run('DELETE FROM note_tags WHERE row = ?', row);
  tx.run('DELETE FROM note_properties WHERE row = ?', row);
}

function putLists(tx: Tx, notebookId: number, row: number, { tags, properties }: NoteFacts): void {
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
function dropNotes(tx: Tx, fileIds: string, parameter: number | string): void {
  const rows = `SELECT row FROM note_index WHERE file_id IN (${fileIds})`;
  tx.run(`INSERT OR IGNORE INTO note_orphans (row) ${rows}`, parameter);
  tx.run(`DELETE FROM note_tags WHERE row IN (${rows})`, parameter);
  tx.run(`DELETE FROM note_properties WHERE row IN (${rows})`, parameter);
  tx.run(`DELETE FROM note_links WHERE file_id IN (${fileIds})`, parameter);
  tx.run(`DELETE FROM note_index WHERE file_id IN (${fileIds})`, parameter);
}

export function dropNotebookNotes(tx: Tx, notebookId: number): void {
  dropNotes(tx, 'SELECT file_id FROM note_index WHERE row BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1', notebookId);
}

/** Returns the number of deleted texts; fewer than `limit` when none are left. */
export function clearOrphans(tx: Tx, limit: number): number {
  const rows = tx.all<{ row: number }>('SELECT row FROM note_orphans LIMIT ?', limit);
  for (const { row } of rows) {
    tx.run('DELETE FROM note_text WHERE rowid = ?', row);
    tx.run('DELETE FROM note_orphans WHERE row = ?', row);
  }
  return rows.length;
}
