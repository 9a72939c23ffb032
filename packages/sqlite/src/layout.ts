import type { Connection } from './connection.ts';
import { DatabaseSync } from './driver.ts';
import { toStoreError } from './errors.ts';

/**
 * The tables of every Holdfast database besides those of the application.
 *
 * - `holdfast_journal`: one row per commit. `revision` has no gaps and never repeats; it is the order of all commits.
 * - `holdfast_journal_size`: bytes of the journal, one row per 256 commits, so that it can be limited without reading it.
 * - `holdfast_migrations`: what was applied, when, and how long it took.
 * - `keyspace`: only in a database of keys. Values are TEXT (JSON and plain text) or BLOB (raw bytes), so that the
 *   `sqlite3` program shows them as they are. WITHOUT ROWID keeps neighbours in key order side by side on disk.
 */

/** "HFST" in the file header: lets `file` and `doctor` recognise our databases. */
const APPLICATION_ID = 0x48465354;

const common = `
  CREATE TABLE IF NOT EXISTS holdfast_journal (
    revision INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    changes ANY NOT NULL,
    note TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS holdfast_journal_size (last_revision INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS holdfast_migrations (
    scope TEXT NOT NULL,
    version INTEGER NOT NULL,
    description TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    PRIMARY KEY (scope, version)
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
`;

const keyspaceTable = `
  CREATE TABLE IF NOT EXISTS keyspace (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
`;

export type DatabaseKind = 'keyspace' | 'tables';

const requiredTables: Readonly<Record<DatabaseKind, readonly string[]>> = {
  keyspace: ['holdfast_journal', 'holdfast_migrations', 'keyspace'],
  tables: ['holdfast_journal', 'holdfast_migrations'],
};

export function hasLayout(connection: Connection, kind: DatabaseKind): boolean {
  const rows = connection.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = 'keyspace' OR name LIKE 'holdfast_%')`,
  );
  const names = new Set(rows.map(({ name }) => name));
  // Not required to recognise a database: files from before the limit by bytes lack it and get it when they are opened.
  return names.has('holdfast_journal_size') && requiredTables[kind].every((table) => names.has(table));
}

/** Run inside a transaction that holds the write lock. */
export function createLayout(connection: Connection, kind: DatabaseKind): void {
  connection.exec(common);
  if (kind === 'keyspace') connection.exec(keyspaceTable);
}

/**
 * The kind of a Holdfast database, or undefined for any other file. Reads without touching it: not even
 * the journal mode of a foreign file is changed.
 */
export function detectKind(path: string): DatabaseKind | undefined {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[];
      const names = new Set(rows.map(({ name }) => name));
      const has = (kind: DatabaseKind): boolean => requiredTables[kind].every((table) => names.has(table));
      if (has('keyspace')) return 'keyspace';
      return has('tables') ? 'tables' : undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}
