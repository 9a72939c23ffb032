import { type Database, openDatabase } from '@holdfast/sqlite';

/**
 * The full-text index, in its own file beside the database. It is rebuilt from books and journal and can be deleted at
 * any time, so its writes are not journalled.
 */
export interface SearchIndex {
  readonly database: Database;
}

/** Changing this discards existing indexes. */
const LAYOUT = 1;

const tables = `
  CREATE TABLE search_state (layout INTEGER NOT NULL, revision INTEGER NOT NULL) STRICT;
  CREATE TABLE search_book (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE VIRTUAL TABLE search_text USING fts5(
    title, author, narrator, series, genre, text,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  );
`;

/** The revision of an empty index. */
export const NOTHING = -1;

export async function openSearchIndex(path: string): Promise<SearchIndex> {
  const database = await openDatabase({ path, kind: 'keyspace' });
  try {
    await database.write(({ connection }) => {
      const has = connection.get(`SELECT name FROM sqlite_schema WHERE name = 'search_state'`) !== undefined;
      const layout = has ? connection.get<{ layout: number }>('SELECT layout FROM search_state')?.layout : undefined;
      if (layout === LAYOUT) return;
      for (const table of ['search_text', 'search_book', 'search_state'])
        connection.exec(`DROP TABLE IF EXISTS ${table}`);
      connection.exec(tables);
      connection.run('INSERT INTO search_state VALUES (?, ?)', LAYOUT, NOTHING);
    });
    return { database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function indexedRevision({ database }: SearchIndex): number {
  return database.get<{ revision: number }>('SELECT revision FROM search_state')?.revision ?? NOTHING;
}
