import type { FileRecord } from '../../model/notebook.ts';
import type { Tx } from '../open.ts';

export interface IndexedNote {
  readonly tags: readonly string[];
  readonly links_out: number;
  readonly properties_error: string | null;
}

const UNKNOWN: IndexedNote = { tags: [], links_out: 0, properties_error: null };

export function indexedNote(tx: Tx, fileId: string): IndexedNote {
  const row = tx.get<Omit<IndexedNote, 'tags'> & { readonly tags: string }>(
    'SELECT tags, links_out, properties_error FROM note_index WHERE file_id = ?',
    fileId,
  );
  return row === undefined ? UNKNOWN : { ...row, tags: JSON.parse(row.tags) as string[] };
}

export function fileOfRow(tx: Tx, row: number): FileRecord | undefined {
  return tx.get<FileRecord>(
    'SELECT f.* FROM note_index i JOIN files f ON f.id = i.file_id WHERE i.row = ? AND f.deleted_by IS NULL',
    row,
  );
}

export interface Counted {
  readonly name: string;
  readonly count: number;
}

/** All tags of a notebook, most used first. */
export function countTags(tx: Tx, notebookId: number): readonly Counted[] {
  return tx.all<Counted>(
    `SELECT min(tag) AS name, count(*) AS count FROM note_tags WHERE notebook_id = ?
     GROUP BY tag_key ORDER BY count DESC, tag_key`,
    notebookId,
  );
}

/** Property names, with the number of files that have each. */
export function countProperties(tx: Tx, notebookId: number): readonly Counted[] {
  return tx.all<Counted>(
    `SELECT min(name) AS name, count(DISTINCT row) AS count FROM note_properties WHERE notebook_id = ?
     GROUP BY key ORDER BY count DESC, key`,
    notebookId,
  );
}
