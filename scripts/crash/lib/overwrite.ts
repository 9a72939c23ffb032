import { Connection, type Database, type SqlValue } from '@holdfast/sqlite';

import type { Random } from '../../../packages/sqlite/test/random.ts';

/** Values by name, as SQL literals. A name is a key of a keyspace, or a table, a primary key and a column. */
export type Stored = ReadonlyMap<string, string>;

export interface JournalFacts {
  /** For each name, the last revision whose journal entry holds its value. */
  readonly lastRevision: ReadonlyMap<string, number>;
  readonly tables: ReadonlySet<string>;
}

interface Table {
  readonly name: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
}

export function storedIn(database: Database): Stored {
  const found = new Map<string, string>();
  if (database.kind === 'keyspace') {
    const rows = database.all<{ key: string; stored: string }>('SELECT key, quote(value) AS stored FROM keyspace');
    for (const { key, stored } of rows) found.set(key, stored);
    return found;
  }
  for (const { name, keys, columns } of tablesOf(database.reader)) {
    const values = [...keys, ...columns].map((column) => `quote("${column}")`);
    for (const row of database.reader.allExact(`SELECT ${values.join(', ')} FROM "${name}"`)) {
      const key = row.slice(0, keys.length).join(' ');
      for (const [index, column] of columns.entries()) {
        found.set(`${name} ${key} ${column}`, String(row[keys.length + index]));
      }
    }
  }
  return found;
}

/** Tables that the journal can hold: those with a primary key. */
function tablesOf(connection: Connection): readonly Table[] {
  const names = connection.all<{ name: string }>(
    `SELECT name FROM pragma_table_list
     WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'holdfast_%'`,
  );
  return names.flatMap(({ name }) => {
    const all = connection.all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', name);
    const keys = all.filter(({ pk }) => pk > 0).map((column) => column.name);
    const columns = all.filter(({ pk }) => pk === 0).map((column) => column.name);
    return keys.length === 0 ? [] : [{ name, keys, columns }];
  });
}

/** Reads the journal of an undamaged database. */
export function journalOf(database: Database): JournalFacts {
  const lastRevision = new Map<string, number>();
  const columnsOf = new Map(tablesOf(database.reader).map((table) => [table.name, table]));
  const tables = new Set<string>();
  for (const { revision, kind, keys, rows } of database.changes(0, 100_000)) {
    // A migration changes rows without recording them.
    if (kind === 'schema' && database.kind === 'tables') lastRevision.clear();
    for (const { key } of keys) lastRevision.set(key, revision);
    for (const { table, before, after, isKeyColumn } of rows) {
      const known = columnsOf.get(table);
      if (known === undefined) continue;
      tables.add(table);
      const names = database.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table);
      const key = isKeyColumn
        .flatMap((isKey, index) => (isKey ? [literal(database, before[index] ?? after[index])] : []))
        .join(' ');
      for (const [index, { name }] of names.entries()) {
        if (after[index] !== undefined) lastRevision.set(`${table} ${key} ${name}`, revision);
      }
    }
  }
  return { lastRevision, tables };
}

function literal(database: Database, value: SqlValue | undefined): string {
  return database.get<{ text: string }>('SELECT quote(?) AS text', value ?? null)!.text;
}

const HUGE = 2n ** 60n;
const garbage = ['', '{', 'null', '{"id":1}', new Uint8Array([1, 2, 3]), '7', '{"seq":"x"}', 7, 1.5, HUGE] as const;

export function damageKeys(path: string, random: Random): void {
  withConnection(path, (connection) => {
    const keys = connection.all<{ key: string }>('SELECT key FROM keyspace').map(({ key }) => key);
    for (const key of random.shuffled(keys).slice(0, 1 + random.below(8))) {
      const way = random.below(6);
      if (way === 0) connection.run('DELETE FROM keyspace WHERE key = ?', key);
      else if (way === 1)
        changeCharacter(connection, random, { table: 'keyspace', column: 'value', where: 'key = ?', values: [key] });
      else connection.run('UPDATE keyspace SET value = ? WHERE key = ?', random.of(garbage), key);
    }
  });
}

export function damageRows(path: string, random: Random, { tables }: JournalFacts): void {
  withConnection(path, (connection) => {
    for (let count = 1 + random.below(4); count > 0; count -= 1) {
      const table = random.of(tablesOf(connection).filter(({ name }) => tables.has(name)));
      const rows = connection.allExact(
        `SELECT ${table.keys.map((name) => `"${name}"`).join(', ')} FROM "${table.name}"`,
      );
      if (rows.length === 0 || table.columns.length === 0) continue;
      const values = random.of(rows);
      const where = table.keys.map((name) => `"${name}" IS ?`).join(' AND ');
      const column = random.of(table.columns);
      const way = random.below(6);
      try {
        if (way === 0) connection.run(`DELETE FROM "${table.name}" WHERE ${where}`, ...values);
        else if (way === 1) changeCharacter(connection, random, { table: table.name, column, where, values });
        else {
          connection.run(`UPDATE "${table.name}" SET "${column}" = ? WHERE ${where}`, random.of(garbage), ...values);
        }
      } catch {
        // The statement fails for a strict column, which accepts only values of its type.
      }
    }
  });
}

/**
 * Damages up to three journal entries; returns the newest damaged revision, or 0. Never deletes the oldest or the
 * newest entry.
 */
export function damageJournal(path: string, random: Random): number {
  let newest = 0;
  withConnection(path, (connection) => {
    const revisions = connection
      .all<{ revision: number }>('SELECT revision FROM holdfast_journal ORDER BY revision')
      .map(({ revision }) => revision);
    for (let count = random.below(4); count > 0; count -= 1) {
      const revision = random.of(revisions);
      const set = (column: string, value: SqlValue): void =>
        void connection.run(`UPDATE holdfast_journal SET ${column} = ? WHERE revision = ?`, value, revision);
      const kinds: readonly (() => void)[] = [
        () => set('changes', random.of(garbage)),
        () => {
          const cell = { table: 'holdfast_journal', column: 'changes', where: 'revision = ?', values: [revision] };
          changeCharacter(connection, random, cell);
        },
        () => set('kind', random.of(['schema', 'keys', 'changeset', 'damaged?'])),
        () => {
          const isInside = revision > revisions[0]! && revision < revisions.at(-1)!;
          if (isInside) connection.run('DELETE FROM holdfast_journal WHERE revision = ?', revision);
        },
      ];
      // The time is for display; an entry with a wrong time is still good.
      if (random.below(5) === 0) set('at', HUGE);
      else {
        random.of(kinds)();
        newest = Math.max(newest, revision);
      }
    }
  });
  return newest;
}

interface Cell {
  readonly table: string;
  readonly column: string;
  readonly where: string;
  readonly values: readonly SqlValue[];
}

/** Replaces one character or byte with another. */
function changeCharacter(connection: Connection, random: Random, { table, column, where, values }: Cell): void {
  const [row] = connection.allExact(`SELECT "${column}" FROM "${table}" WHERE ${where}`, ...values);
  const stored = row?.[0];
  const set = (changed: SqlValue): void =>
    void connection.run(`UPDATE "${table}" SET "${column}" = ? WHERE ${where}`, changed, ...values);
  if (stored instanceof Uint8Array && stored.length > 0) {
    const bytes = Buffer.from(stored);
    bytes[random.below(bytes.length)]! ^= 1 + random.below(255);
    set(bytes);
  } else if (typeof stored === 'string' && stored !== '') {
    const at = random.below(stored.length);
    set(`${stored.slice(0, at)}${stored[at] === '#' ? '+' : '#'}${stored.slice(at + 1)}`);
  }
}

/** Foreign keys are not enforced, and nothing is recorded in the journal. */
function withConnection(path: string, use: (connection: Connection) => void): void {
  const connection = new Connection(path, {
    synchronous: 'OFF',
    busyTimeoutMs: 5_000,
    cacheKib: 10_000,
    guarded: false,
  });
  try {
    use(connection);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}
