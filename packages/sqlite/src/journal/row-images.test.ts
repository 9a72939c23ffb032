import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openTemporary } from '../../test/temporary.ts';
import type { Row } from '../connection.ts';
import type { Database } from '../database.ts';
import type { WriteTransaction } from '../group-commit.ts';
import { restoreToRevision } from '../restore-to-revision.ts';
import type { RowImage } from './row-images.ts';

const schema = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, part REAL, raw BLOB)';

const value = fc.record({
  name: fc.option(fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !text.includes('\0'))),
  size: fc.option(fc.maxSafeInteger()),
  part: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((part) => !Number.isInteger(part))),
  // Often unchanged: a session omits unchanged values.
  raw: fc.option(fc.oneof(fc.constantFrom(Uint8Array.of(), Uint8Array.of(1, 2, 3)), fc.uint8Array({ maxLength: 200 }))),
});

const rowOf = ({ connection }: WriteTransaction, id: number): Row | undefined =>
  connection.get('SELECT * FROM t WHERE id = ?', id);

/** Inserts, changes or deletes row 1 and describes it. */
function put(transaction: WriteTransaction, next: Omit<Row, 'id'> | undefined): void {
  const before = rowOf(transaction, 1);
  const { connection } = transaction;
  if (next === undefined) connection.run('DELETE FROM t WHERE id = 1');
  else {
    const { name = null, size = null, part = null, raw = null } = next;
    connection.run(
      `INSERT INTO t VALUES (1, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET name = excluded.name, size = excluded.size, part = excluded.part, raw = excluded.raw`,
      name,
      size,
      part,
      raw,
    );
  }
  transaction.rows([{ table: 't', key: 'id', before, after: rowOf(transaction, 1) }]);
}

async function withTable(): Promise<Database> {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec(schema));
  return database;
}

test('what a body says about its rows is journaled as a session would have recorded it', async () => {
  const [described, recorded] = [await withTable(), await withTable()];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(value, { nil: undefined }), { minLength: 1, maxLength: 5 }), async (states) => {
      const since = [described.revision(), recorded.revision()];
      for (const next of states) {
        if (next === undefined && rowOf({ connection: described.reader } as WriteTransaction, 1) === undefined)
          continue;
        await described.writeDescribed((transaction) => put(transaction, next));
        await recorded.write((transaction) => put(transaction, next));
      }
      const rows = (database: Database, from: number | undefined): unknown =>
        database.changes(from ?? 0).flatMap((entry) => entry.rows);
      expect(rows(described, since[0])).toEqual(rows(recorded, since[1]));
    }),
    { numRuns: 40 },
  );
});

test('a body that says less than it did is run again and recorded', async () => {
  const database = await withTable();
  await database.write(({ connection }) =>
    connection.exec(`CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT);
      CREATE TRIGGER t_insert AFTER INSERT ON t BEGIN INSERT INTO audit (what) VALUES ('new ' || new.id); END`),
  );
  let runs = 0;
  const { revision } = await database.writeDescribed((transaction) => {
    runs += 1;
    put(transaction, { name: 'a' });
  });
  expect(runs).toBe(2);
  const tables = database.changes(revision - 1).flatMap(({ rows }) => rows.map(({ table }) => table));
  expect(tables.sort()).toEqual(['audit', 't']);
  expect(database.get('SELECT count(*) AS n FROM t')).toEqual({ n: 1 });
});

test('a body that says more than it did, or something and did nothing, is run again too', async () => {
  const database = await withTable();
  const invented: RowImage = { table: 't', key: 'id', after: { id: 9, name: null, size: null, part: null, raw: null } };
  const before = database.revision();
  await database.writeDescribed((transaction) => transaction.rows([invented]));
  expect(database.revision()).toBe(before);
});

function doubleSizes({ connection }: WriteTransaction): void {
  connection.changeDescribed(
    () => ({
      table: 't',
      key: 'id',
      changed: ['size'],
      rows: connection.allArrays('SELECT id, size, 2 * size FROM t'),
    }),
    () => void connection.run('UPDATE t SET size = 2 * size'),
  );
}

const allRows = (database: Database): unknown => database.all('SELECT * FROM t ORDER BY id');

test('a statement that says what it does to many rows is journaled as a session would have recorded it', async () => {
  const [described, recorded] = [await withTable(), await withTable()];
  for (const database of [described, recorded]) {
    await database.write(({ connection }) => {
      for (let id = 1; id <= 30; id++)
        connection.run('INSERT INTO t (id, name, size) VALUES (?, ?, ?)', id, `é${id}`, id);
    });
  }
  const { revision } = await described.write(doubleSizes);
  await recorded.write(({ connection }) => void connection.run('UPDATE t SET size = 2 * size'));
  const rowsOf = (database: Database): unknown => database.changes(revision - 1).flatMap((entry) => entry.rows);
  expect(rowsOf(described)).toHaveLength(30);
  expect(new Set(rowsOf(described) as unknown[])).toEqual(new Set(rowsOf(recorded) as unknown[]));
});

test('a row that is changed before, by and after a described statement in one commit is restored exactly', async () => {
  const database = await withTable();
  await database.write(({ connection }) =>
    connection.exec("INSERT INTO t (id, name, size) VALUES (1, 'a', 1), (2, 'b', 2)"),
  );
  const first = { revision: database.revision(), rows: allRows(database) };
  await database.write((transaction) => {
    const { connection } = transaction;
    connection.exec("INSERT INTO t (id, name, size) VALUES (3, 'c', 3); UPDATE t SET size = 10 WHERE id = 1");
    doubleSizes(transaction);
    connection.exec(
      'DELETE FROM t WHERE id = 2; UPDATE t SET size = 7 WHERE id = 3; UPDATE t SET size = 5 WHERE id = 1',
    );
    doubleSizes(transaction);
  });
  const second = { revision: database.revision(), rows: allRows(database) };
  expect(second.rows).toMatchObject([
    { id: 1, size: 10 },
    { id: 3, size: 14 },
  ]);
  for (const { revision, rows } of [first, second, first]) {
    await restoreToRevision(database, revision);
    expect(allRows(database)).toEqual(rows);
  }
});

test('a statement that does more than it says is undone and recorded', async () => {
  const database = await withTable();
  await database.write(({ connection }) =>
    connection.exec(`INSERT INTO t (id, size) VALUES (1, 1); CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT);
      CREATE TRIGGER t_update AFTER UPDATE ON t BEGIN INSERT INTO audit (what) VALUES ('changed ' || new.id); END`),
  );
  const { revision } = await database.write(doubleSizes);
  expect(allRows(database)).toMatchObject([{ id: 1, size: 2 }]);
  const [entry] = database.changes(revision - 1);
  expect(entry?.rows.map(({ table, operation }) => `${operation} ${table}`).toSorted()).toEqual([
    'insert audit',
    'update t',
  ]);
});
