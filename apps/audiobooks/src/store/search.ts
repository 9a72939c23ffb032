import { isHoldfastError } from '@holdfast/base';
import type { KeyspaceReader } from '@holdfast/keyspace';
import { type Connection, type Database, openDatabase } from '@holdfast/sqlite';
import type { Book } from '../model/book.ts';
import { books } from './definitions.ts';
import { sealedNames } from './encryption.ts';
import type { Store } from './open.ts';

/**
 * The full-text index, in its own file next to the database. It is derived from books and journal and can be deleted at
 * any time, so its writes are not journalled.
 */
export interface SearchIndex {
  readonly database: Database;
}

/** Version of the index layout. Incrementing it discards existing indexes. */
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
const NOTHING = -1;

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

function indexedRevision({ database }: SearchIndex): number {
  return database.get<{ revision: number }>('SELECT revision FROM search_state')?.revision ?? NOTHING;
}

const COMMITS = 500;
const BOOKS = 500;

/**
 * Updates the index to the latest commit. Runs before every search, so no background process is needed. Reads all books
 * if the journal no longer contains the commits since the last update. Leaves out damaged books.
 */
export async function catchUp(search: SearchIndex, store: Store, reader: KeyspaceReader): Promise<void> {
  for (;;) {
    const since = indexedRevision(search);
    if (since === (await store.revision())) return;
    const commits = since === NOTHING ? undefined : await commitsAfter(store, since);
    if (commits === undefined || commits.some(({ reset }) => reset)) {
      await rebuild(search, store, reader);
      continue;
    }
    const last = commits.at(-1);
    if (last === undefined) return;
    const ids = new Set(commits.flatMap(({ changes }) => changes.flatMap(({ key }) => bookId(key))));
    const found = await Promise.all([...ids].map(async (id) => [id, await reader.get(books, { id })] as const));
    await search.database.write(({ connection }) => {
      // Another process has already updated the index.
      if (revisionIn(connection) !== since) return;
      for (const [id, book] of found) indexBook(connection, id, withoutSealed(store, book));
      connection.run('UPDATE search_state SET revision = ?', last.revision);
    });
  }
}

async function commitsAfter(store: Store, since: number) {
  try {
    return await store.engine.changes(since, COMMITS);
  } catch (error) {
    if (isHoldfastError(error, 'JOURNAL_TRIMMED')) return undefined;
    throw error;
  }
}

function bookId(key: string): readonly string[] {
  const id = key.startsWith('b:') ? books.template.decode(key)?.['id'] : undefined;
  return typeof id === 'string' ? [id] : [];
}

async function rebuild({ database }: SearchIndex, store: Store, reader: KeyspaceReader): Promise<void> {
  await database.write(({ connection }) => {
    connection.run('DELETE FROM search_text');
    connection.run('DELETE FROM search_book');
    connection.run('UPDATE search_state SET revision = ?', NOTHING);
  });
  const revision = await store.revision();
  let cursor: string | undefined;
  do {
    const page = await reader.page(books, {}, { limit: BOOKS, cursor });
    await database.write(({ connection }) => {
      for (const book of page.items) indexBook(connection, book.id, withoutSealed(store, book));
    });
    ({ cursor } = page);
  } while (cursor !== undefined);
  // Commits made in the meantime are read from the journal again at the next update, which is harmless.
  await database.write(({ connection }) => void connection.run('UPDATE search_state SET revision = ?', revision));
}

/** Removes encrypted fields, which must not be in the index in plain text. */
function withoutSealed(store: Store, book: Book | undefined): Book | undefined {
  return book !== undefined && sealedNames(store.engine).has('description') ? { ...book, description: null } : book;
}

function revisionIn(connection: Connection): number {
  return connection.get<{ revision: number }>('SELECT revision FROM search_state')?.revision ?? NOTHING;
}

function indexBook(connection: Connection, id: string, book: Book | undefined): void {
  const old = connection.get<{ row: number }>('SELECT row FROM search_book WHERE id = ?', id);
  if (old !== undefined) connection.run('DELETE FROM search_text WHERE rowid = ?', old.row);
  if (book === undefined || book.deleted_at !== null) {
    if (old !== undefined) connection.run('DELETE FROM search_book WHERE row = ?', old.row);
    return;
  }
  const row = old?.row ?? connection.run('INSERT INTO search_book (id) VALUES (?)', id).lastInsertRowid;
  connection.run(
    'INSERT INTO search_text (rowid, title, author, narrator, series, genre, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
    row,
    searchable([book.title, book.subtitle]),
    searchable(book.authors.map(({ name }) => name)),
    searchable(book.narrators),
    searchable(book.series.map(({ name, sequence }) => `${name} ${sequence ?? ''}`)),
    searchable([...book.genres, ...book.tags]),
    searchable([book.description, book.publisher, book.isbn10, book.isbn13, book.asin, book.language]),
  );
}

/** Joins texts and removes characters that the full-text index cannot hold. */
function searchable(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .join(' · ')
    .replaceAll('\0', ' ');
}

/** Prefixes that search a single field, as in `author:name`. */
const FIELDS: ReadonlySet<string> = new Set(['title', 'author', 'narrator', 'series', 'genre', 'text']);

const WORDS_MAX = 20;

/**
 * Converts typed text to a full-text query. Every word must occur as the start of a word, and `author:name` searches
 * one field. Typed text is never interpreted as FTS syntax.
 */
export function toFullText(typed: string): string | undefined {
  const terms = [...typed.matchAll(/(?:(\p{L}+):)?(?:"([^"]*)"|([^\s"]+))/gu)].slice(0, WORDS_MAX).flatMap((match) => {
    const [whole, prefix, phrase, word] = match;
    const field = prefix?.toLowerCase();
    const isField = field !== undefined && FIELDS.has(field);
    const wanted = isField ? (phrase ?? word ?? '') : whole.replaceAll('"', '');
    const words = wanted.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    const quoted = phrase === undefined ? words.map((part) => `"${part}"*`).join(' AND ') : `"${words.join(' ')}"`;
    return [isField ? `${field} : (${quoted})` : `(${quoted})`];
  });
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** Returns the ids of matching books, best first. Matches in the title have the most weight. */
export function matchingIds(
  { database }: SearchIndex,
  fullText: string,
  limit: number,
  offset: number,
): readonly string[] {
  const rows = database.all<{ id: string }>(
    `SELECT search_book.id AS id FROM search_text JOIN search_book ON search_book.row = search_text.rowid
     WHERE search_text MATCH ? ORDER BY bm25(search_text, 10, 6, 4, 5, 2, 1), search_text.rowid LIMIT ? OFFSET ?`,
    fullText,
    limit,
    offset,
  );
  return rows.map(({ id }) => id);
}
