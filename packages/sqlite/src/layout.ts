import type { Connection } from './connection.ts';
import { DatabaseSync } from './driver.ts';
import { toStoreError } from './errors.ts';

/**
 * Tables that every Holdfast database has in addition to the application's tables.
 *
 * - `holdfast_journal`: one row per commit. `revision` orders all commits, without gaps or repetition. `checksum`
 *   protects `kind` and `changes`; it is NULL in entries from older versions.
 * - `holdfast_journal_size`: size of the journal in bytes, one row per 256 commits, so that the journal can be limited
 *   without being read.
 * - `holdfast_migrations`: applied migrations, with time and duration.
 * - `keyspace`: only in a keyspace database. Values are TEXT (JSON and plain text) or BLOB (raw bytes), readable with
 * the `sqlite3` program. WITHOUT ROWID keeps adjacent keys together on disk.
 */

/** "HFST" in the file header, by which `file` and `doctor` recognise our databases. */
const APPLICATION_ID = 0x48465354;

const common = `
  CREATE TABLE IF NOT EXISTS holdfast_journal (
    revision INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    changes ANY NOT NULL,
    note TEXT,
    checksum INTEGER
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
  const rows = connection.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND (name = 'keyspace' OR name LIKE 'holdfast_%')`,
  );
  const names = new Set(rows.map(({ name }) => name));
  // Files from older versions lack this table and this column, so neither is in `requiredTables`. Opening such a file
  // adds both.
  const isCurrent = names.has('holdfast_journal_size') && rows.some(hasChecksum);
  return isCurrent && requiredTables[kind].every((table) => names.has(table));
}

/** Call inside a transaction with the write lock. */
export function createLayout(connection: Connection, kind: DatabaseKind): void {
  connection.exec(common);
  if (kind === 'keyspace') connection.exec(keyspaceTable);
  const journal = connection.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE name = 'holdfast_journal'`,
  );
  if (!journal.some(hasChecksum)) connection.exec('ALTER TABLE holdfast_journal ADD COLUMN checksum INTEGER');
}

function hasChecksum({ name, sql }: { readonly name: string; readonly sql: string }): boolean {
  return name === 'holdfast_journal' && sql.includes('checksum');
}

/** Returns the kind of a Holdfast database; undefined for other files. Changes nothing, not even the journal mode. */
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
