import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openTemporary } from '../../test/temporary.ts';
import type { Connection, SqlValue } from '../connection.ts';
import type { Database } from '../database.ts';
import { decodeChangeset, type RowChange } from './changeset.ts';

async function changesOf(database: Database, body: (connection: Connection) => void): Promise<readonly RowChange[]> {
  const { revision } = await database.write(({ connection }) => body(connection));
  return database.changes(revision - 1, 1)[0]?.rows ?? [];
}

test('every type of value comes back as it was', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)'));
  const values: SqlValue[] = [
    null,
    0,
    -1,
    1.5,
    -2.25e300,
    Number.POSITIVE_INFINITY,
    Number.MAX_SAFE_INTEGER,
    2n ** 63n - 1n,
    -(2n ** 63n),
    2n ** 53n + 1n,
    '',
    'plain',
    'ünï→😀',
    new Uint8Array(),
    new Uint8Array([0, 1, 254, 255]),
    new Uint8Array(70_000).fill(7),
    'long '.repeat(40_000),
  ];
  const rows = await changesOf(database, (connection) => {
    values.forEach((value, id) => connection.run('INSERT INTO t VALUES (?, ?)', id, value));
  });
  const byId = rows.toSorted((left, right) => Number(left.after[0]) - Number(right.after[0]));
  expect(byId.map(({ after }) => after[1])).toEqual(values);
  expect(byId.map(({ operation }) => operation)).toEqual(values.map(() => 'insert'));
});

test('an update tells the key, the old and the new of what changed, and nothing of the rest', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c); INSERT INTO t VALUES (1, 'x', 2, NULL)`),
  );
  const rows = await changesOf(database, (connection) => connection.exec('UPDATE t SET b = 3, c = 4'));
  expect(rows).toEqual([
    {
      table: 't',
      operation: 'update',
      isKeyColumn: [true, false, false, false],
      before: [1, undefined, 2, null],
      after: [undefined, undefined, 3, 4],
    },
  ]);
});

test('a deletion tells the whole row', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`CREATE TABLE t (id TEXT PRIMARY KEY, a, b) WITHOUT ROWID; INSERT INTO t VALUES ('k', 1.5, x'00')`),
  );
  const rows = await changesOf(database, (connection) => connection.exec('DELETE FROM t'));
  expect(rows).toEqual([
    {
      table: 't',
      operation: 'delete',
      isKeyColumn: [true, false, false],
      before: ['k', 1.5, new Uint8Array([0])],
      after: [undefined, undefined, undefined],
    },
  ]);
});

test('a change of the key is a deletion and an insertion', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`CREATE TABLE t (a, b, v, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO t VALUES (1, 2, 'v')`),
  );
  const rows = await changesOf(database, (connection) => connection.exec('UPDATE t SET a = 9'));
  expect(rows.map(({ operation, before, after }) => [operation, before, after])).toEqual(
    expect.arrayContaining([
      ['delete', [1, 2, 'v'], [undefined, undefined, undefined]],
      ['insert', [undefined, undefined, undefined], [9, 2, 'v']],
    ]) as unknown,
  );
  expect(rows[0]!.isKeyColumn).toEqual([true, true, false]);
});

test('what triggers do is recorded too', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT);
      CREATE TRIGGER t_insert AFTER INSERT ON t BEGIN INSERT INTO audit (what) VALUES ('new ' || new.id); END;
    `),
  );
  const rows = await changesOf(database, (connection) => connection.exec('INSERT INTO t VALUES (5, 1)'));
  expect(new Map(rows.map(({ table, after }) => [table, after]))).toEqual(
    new Map([
      ['t', [5, 1]],
      ['audit', [1, 'new 5']],
    ]),
  );
});

test('what was undone within the commit leaves no trace', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')`),
  );
  const before = database.revision();
  await database.write(({ connection }) =>
    connection.exec(
      `INSERT INTO t VALUES (2, 'b'); DELETE FROM t WHERE id = 2; UPDATE t SET v = 'z'; UPDATE t SET v = 'a'`,
    ),
  );
  expect(database.revision()).toBe(before);
});

test.each([[[0x55]], [[0x54, 1, 1, 0x74, 0, 99]], [[18, 0, 1]], [[0x54, 1, 1, 0x74, 0, 18, 0, 9]]])(
  'bytes that are no changeset (%j) are refused',
  (bytes) => {
    expect(() => decodeChangeset(new Uint8Array(bytes))).toThrow('Not a changeset');
  },
);

test('a changeset that was cut off is refused, wherever it was cut', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)'));
  const { revision } = await database.write(({ connection }) => connection.exec(`INSERT INTO t VALUES (1, 'text')`));
  const { changes } = database.get<{ changes: Uint8Array }>(
    'SELECT changes FROM holdfast_journal WHERE revision = ?',
    revision,
  )!;
  // 'T', the column count, a byte per column, the name "t" and its terminator.
  const HEADER = 6;
  expect(decodeChangeset(changes.subarray(0, HEADER))).toEqual([]);
  for (let length = HEADER + 1; length < changes.length; length++) {
    const cut = changes.subarray(0, length);
    expect(() => decodeChangeset(cut), `cut after ${length} of ${changes.length} bytes`).toThrow(RangeError);
  }
});

/* For any rows and operations, decoding the recorded session gives exactly the difference. */

type Rows = Map<string, readonly SqlValue[]>;
type State = Record<string, Rows>;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly keys: readonly number[];
  readonly create: string;
}

const tables: readonly Table[] = [
  { name: 'plain', columns: ['id', 'a', 'b'], keys: [0], create: '(id INTEGER PRIMARY KEY, a, b TEXT)' },
  {
    name: 'an "odd" näme',
    columns: ['v', 'k 1', 'k2', 'w'],
    keys: [1, 2],
    create: '(v REAL, "k 1" NOT NULL, k2 NOT NULL, w BLOB, PRIMARY KEY (k2, "k 1")) WITHOUT ROWID',
  },
  { name: 'text_key', columns: ['k', 'n'], keys: [0], create: '(k TEXT NOT NULL PRIMARY KEY, n NUMERIC)' },
];

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

// The driver truncates text at NUL and rounds tiny numbers, so the test compares with what SQLite stored.
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => value.isWellFormed());
const value: fc.Arbitrary<SqlValue> = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  text,
  fc.uint8Array({ maxLength: 300 }),
);
const key: fc.Arbitrary<SqlValue> = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom('a', 'b'));

interface Operation {
  readonly table: number;
  readonly kind: 'put' | 'change' | 'delete' | 'move';
  readonly keys: readonly SqlValue[];
  readonly values: readonly SqlValue[];
}

const operation: fc.Arbitrary<Operation> = fc.record({
  table: fc.nat({ max: tables.length - 1 }),
  kind: fc.constantFrom('put' as const, 'change' as const, 'delete' as const, 'move' as const),
  keys: fc.array(key, { minLength: 2, maxLength: 2 }),
  values: fc.array(value, { minLength: 4, maxLength: 4 }),
});

function perform(connection: Connection, { table: index, kind, keys, values }: Operation): void {
  const table = tables[index]!;
  const name = quote(table.name);
  // A rowid has to be a whole number.
  const keyAt = (at: number): SqlValue => (index === 0 ? Number.parseInt(String(keys[at]), 36) : keys[at]!);
  const where = table.keys.map((at) => `${quote(table.columns[at]!)} IS ?`).join(' AND ');
  const keyValues = table.keys.map((_, at) => keyAt(at));
  const free = table.columns.flatMap((column, at) => (table.keys.includes(at) ? [] : [quote(column)]));
  if (kind === 'put') {
    const row = table.columns.map((_, at) => (table.keys.includes(at) ? keyAt(table.keys.indexOf(at)) : values[at]!));
    const marks = row.map(() => '?').join(', ');
    connection.run(`INSERT OR REPLACE INTO ${name} VALUES (${marks})`, ...row);
  } else if (kind === 'delete') {
    connection.run(`DELETE FROM ${name} WHERE ${where}`, ...keyValues);
  } else if (kind === 'change') {
    connection.run(`UPDATE ${name} SET ${free[0]} = ? WHERE ${where}`, values[0]!, ...keyValues);
  } else {
    const column = quote(table.columns[table.keys[0]!]!);
    connection.run(`UPDATE OR IGNORE ${name} SET ${column} = ? WHERE ${where}`, keyAt(1), ...keyValues);
  }
}

/** Returns all rows with exact types: integers as bigint, reals as number. */
function stateOf(database: Database): State {
  const state: State = {};
  for (const { name, columns, keys } of tables) {
    const statement = database.reader.driver.prepare(`SELECT ${columns.map(quote).join(', ')} FROM ${quote(name)}`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const rows = statement.all() as SqlValue[][];
    state[name] = new Map(rows.map((row) => [keys.map((at) => `${typeof row[at]}:${String(row[at])}`).join('|'), row]));
  }
  return state;
}

const isSame = (left: SqlValue, right: SqlValue): boolean =>
  left instanceof Uint8Array && right instanceof Uint8Array ? Buffer.compare(left, right) === 0 : left === right;

/** Returns integers as numbers where that is exact, like the decoder. */
function asDecoded(given: SqlValue | undefined): SqlValue | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'bigint') return Number.isSafeInteger(Number(given)) ? Number(given) : given;
  return given === 0 ? 0 : given;
}

function difference(before: State, after: State): RowChange[] {
  return tables.flatMap(({ name, columns, keys }) => {
    const isKeyColumn = columns.map((_, at) => keys.includes(at));
    const none = columns.map(() => undefined);
    const identities = new Set([...before[name]!.keys(), ...after[name]!.keys()]);
    return [...identities].flatMap((identity): RowChange[] => {
      const old = before[name]!.get(identity);
      const now = after[name]!.get(identity);
      if (old === undefined) {
        return [{ table: name, operation: 'insert', isKeyColumn, before: none, after: now!.map(asDecoded) }];
      }
      if (now === undefined) {
        return [{ table: name, operation: 'delete', isKeyColumn, before: old.map(asDecoded), after: none }];
      }
      const changed = columns.map((_, at) => !isSame(old[at]!, now[at]!));
      if (!changed.includes(true)) return [];
      return [
        {
          table: name,
          operation: 'update',
          isKeyColumn,
          before: old.map((given, at) =>
            changed[at] === true || isKeyColumn[at] === true ? asDecoded(given) : undefined,
          ),
          after: now.map((given, at) => (changed[at] === true ? asDecoded(given) : undefined)),
        },
      ];
    });
  });
}

const sorted = (changes: readonly RowChange[]): string[] =>
  changes
    .map(({ table, operation: kind, isKeyColumn, before, after }) =>
      JSON.stringify([table, kind, isKeyColumn, before.map(asDecoded), after.map(asDecoded)], (_, given: unknown) =>
        describe(given),
      ),
    )
    .sort();

function describe(given: unknown): unknown {
  if (given === undefined) return 'undefined';
  if (typeof given === 'bigint') return `${given}n`;
  if (given instanceof Uint8Array) return `0x${Buffer.from(given).toString('hex')}`;
  if (typeof given === 'number' && !Number.isFinite(given)) return String(given);
  return given;
}

test('decoding a session gives exactly the difference between before and after, for any rows and operations', async () => {
  const database = await openTemporary({ synchronous: 'OFF' });
  await database.write(({ connection }) => {
    for (const { name, create } of tables) connection.exec(`CREATE TABLE ${quote(name)} ${create}`);
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (operations) => {
      const before = stateOf(database);
      const base = database.revision();
      await database.write(({ connection }) => {
        for (const one of operations) perform(connection, one);
      });
      const rows = database.changes(base).flatMap((entry) => entry.rows);
      expect(sorted(rows)).toEqual(sorted(difference(before, stateOf(database))));
    }),
    { numRuns: 300 },
  );
});

test('no source file lets SQLite apply changes, so its bugs in doing so do not matter', () => {
  const root = resolve(import.meta.dirname, '../../../..');
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name, 'src')),
  );
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/u.test(path))
      .map((path) => join(folder, path)),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => readFileSync(path, 'utf8').includes('applyChangeset'))).toEqual([]);
});
