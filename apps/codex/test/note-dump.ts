import type { Transaction } from '../src/store/open.ts';

/** Returns the whole note index of a notebook, except row ids, which may differ. */
export function noteDump(tx: Transaction, notebookId: number): Readonly<Record<string, unknown>> {
  const notes = tx.all<{ row: number; file_id: string; path: string }>(
    `SELECT f.path, f.title AS file_title, f.properties AS file_properties, i.*, t.title, t.name, t.tags AS words, t.properties, t.body
     FROM note_index i JOIN files f ON f.id = i.file_id AND f.deleted_by IS NULL JOIN note_text t ON t.rowid = i.row
     WHERE i.notebook_id = ? ORDER BY f.path`,
    notebookId,
  );
  return Object.fromEntries(
    notes.map(({ row, file_id, path, ...rest }) => {
      const tags = tx.all('SELECT tag_key, tag FROM note_tags WHERE row = ? ORDER BY tag_key', row);
      const values = tx.all('SELECT key, value, name FROM note_properties WHERE row = ? ORDER BY key, value', row);
      const links = tx.all(
        'SELECT line, kind, target, target_key, text, part FROM note_links WHERE file_id = ? ORDER BY id',
        file_id,
      );
      return [path, { ...rest, file_id, tags, values, links }];
    }),
  );
}

/**
 * Returns the errors of the index with their numbers: rows without a file, files without a row, and pending removals.
 */
export function noteProblems(tx: Transaction, notebookId: number): readonly string[] {
  const count = (what: string, sql: string, ...parameters: number[]): string[] => {
    const { n } = tx.get<{ n: number }>(sql, ...parameters) ?? { n: -1 };
    return n === 0 ? [] : [`${n} ${what}`];
  };
  const rows = 'NOT IN (SELECT row FROM note_index)';
  return [
    ...count(
      'files are not indexed',
      `SELECT count(*) AS n FROM files f LEFT JOIN note_index i ON i.file_id = f.id WHERE f.notebook_id = ? AND f.deleted_by IS NULL
         AND (i.row IS NULL OR i.hash <> f.hash OR i.event_id IS NOT f.last_event_id)`,
      notebookId,
    ),
    ...count('texts have no file', `SELECT count(*) AS n FROM note_text WHERE rowid ${rows}`),
    ...count('tags have no file', `SELECT count(*) AS n FROM note_tags WHERE row ${rows}`),
    ...count('properties have no file', `SELECT count(*) AS n FROM note_properties WHERE row ${rows}`),
    ...count('links have no file', 'SELECT count(*) AS n FROM note_links WHERE file_id NOT IN (SELECT id FROM files)'),
    ...count('texts wait to be taken out', 'SELECT count(*) AS n FROM note_orphans'),
  ];
}
