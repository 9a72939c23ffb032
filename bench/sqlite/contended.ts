import { Connection, encodeKeyChanges, openDatabase } from '@holdfast/sqlite';

/**
 * Workload of the benchmark fair-lock, with the same statements on both sides: increment a shared counter, insert a
 * record for this process, and insert a journal row.
 */

const COUNTER = 'counter';

const addOne = `UPDATE keyspace SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = '${COUNTER}'`;
const insert = 'INSERT INTO keyspace (key, value) VALUES (?, ?)';
const journal = 'INSERT INTO holdfast_journal (at, kind, changes, note) VALUES (?, ?, ?, ?)';

export interface Writer {
  /** Resolves when the write is committed. */
  write(n: number): Promise<unknown> | undefined;
  close(): Promise<void>;
}

export type LockKind = 'fair' | 'sqlite';

export async function openWriter(kind: LockKind, path: string, name: string): Promise<Writer> {
  await makeDatabase(path);
  return kind === 'fair' ? fairWriter(path, name) : sqliteWriter(path, name);
}

/** Creates the database and its counter, unless they exist. */
async function makeDatabase(path: string): Promise<void> {
  const database = await openDatabase({ path, kind: 'keyspace' });
  await database.write(({ connection }) => {
    connection.run('INSERT OR IGNORE INTO keyspace (key, value) VALUES (?, ?)', COUNTER, '0');
  });
  await database.close();
}

async function fairWriter(path: string, name: string): Promise<Writer> {
  const database = await openDatabase({ path, kind: 'keyspace' });
  return {
    write: (n) =>
      database.write((transaction) => {
        const { connection } = transaction;
        const [key, value] = recordOf(name, n);
        connection.prepare(addOne).run();
        connection.prepare(insert).run(key, value);
        transaction.journal(encodeKeyChanges([{ key, before: undefined, after: value }]));
      }),
    close: () => database.close(),
  };
}

/** SQLite's own lock: BEGIN IMMEDIATE and its busy handler. */
async function sqliteWriter(path: string, name: string): Promise<Writer> {
  const connection = new Connection(path, { synchronous: 'FULL', busyTimeoutMs: 60_000, cacheKib: 10_000 });
  return {
    write(n) {
      const [key, value] = recordOf(name, n);
      connection.prepare('BEGIN IMMEDIATE').run();
      connection.prepare(addOne).run();
      connection.prepare(insert).run(key, value);
      connection
        .prepare(journal)
        .run(Date.now(), 'keys', encodeKeyChanges([{ key, before: undefined, after: value }]), null);
      connection.prepare('COMMIT').run();
      return undefined;
    },
    close: async () => connection.close(),
  };
}

function recordOf(name: string, n: number): [string, string] {
  return [`w/${name}/${n.toString().padStart(9, '0')}`, JSON.stringify({ name, n, text: 'x'.repeat(100) })];
}

/** Reads the counter and each process's records after a run. */
export function readOutcome(path: string, names: readonly string[]): { counter: number; records: number[] } {
  const connection = new Connection(path);
  const counter = connection.get<{ value: string }>('SELECT value FROM keyspace WHERE key = ?', COUNTER);
  const records = names.map((name) => {
    const row = connection.get<{ n: number }>(
      'SELECT count(*) AS n FROM keyspace WHERE key >= ? AND key < ?',
      `w/${name}/`,
      `w/${name}0`,
    );
    return row?.n ?? 0;
  });
  connection.close();
  return { counter: Number(counter?.value), records };
}
