import { expect, test } from 'vitest';

import { Random } from '../test/random.ts';
import { openTemporary } from '../test/temporary.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { encodeKeyChanges, type KeyChange } from './journal/key-changes.ts';
import type { MigrationPlan } from './migrations.ts';
import { restoreToRevision } from './restore-to-revision.ts';

const COMMITS = 50;

const stored = (value: string | Uint8Array | undefined): string =>
  value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : JSON.stringify(value);

function keysOf(database: Database): string[] {
  return database
    .all<{ key: string; value: string | Uint8Array }>('SELECT key, value FROM keyspace ORDER BY key')
    .map(({ key, value }) => `${key} = ${stored(value)}`);
}

function writeKeys(database: Database, wanted: ReadonlyMap<string, string | Uint8Array | undefined>) {
  return database.write((transaction) => {
    const { connection } = transaction;
    const changes: KeyChange[] = [];
    for (const [key, after] of wanted) {
      const before = connection.get<{ value: string | Uint8Array }>('SELECT value FROM keyspace WHERE key = ?', key);
      if (after === undefined) connection.run('DELETE FROM keyspace WHERE key = ?', key);
      else connection.run('INSERT OR REPLACE INTO keyspace VALUES (?, ?)', key, after);
      changes.push({ key, before: before?.value, after });
    }
    transaction.journal(encodeKeyChanges(changes));
  });
}

test('50 commits of a keyspace: each is restored exactly, in any order', async () => {
  const seed = 20_261_115;
  const random = new Random(seed);
  const database = await openTemporary({ kind: 'keyspace' });
  const remembered = new Map<number, string[]>([[0, []]]);
  for (let commit = 0; commit < COMMITS; commit++) {
    const wanted = new Map<string, string | Uint8Array | undefined>();
    for (let n = 0; n <= random.below(8); n++) {
      const value = random.of([undefined, `"${random.below(1_000)}"`, new Uint8Array([random.below(256), 0]), 'text']);
      wanted.set(`k/${random.below(20)}`, value);
    }
    const { revision } = await writeKeys(database, wanted);
    remembered.set(revision, keysOf(database));
  }
  expect(remembered.size).toBe(COMMITS + 1);
  for (const revision of random.shuffled([...remembered.keys()])) {
    await restoreToRevision(database, revision);
    expect(keysOf(database), `seed ${seed}, revision ${revision}`).toEqual(remembered.get(revision));
  }
});

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** All rows of all tables with types, so 5, 5.0 and '5' differ. */
function rowsOf(database: Database): Record<string, unknown[]> {
  const names = database.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table'
     AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'holdfast%' ORDER BY name`,
  );
  const state: Record<string, unknown[]> = {};
  for (const { name } of names) {
    const columns = database
      .all<{ name: string }>(`PRAGMA table_info(${quote(name)})`)
      .map((column) => quote(column.name));
    if (columns.length === 0) continue;
    const shown = columns.map((column) => `quote(${column}) || ':' || typeof(${column})`).join(` || ', ' || `);
    state[name] = database
      .all<{ row: string }>(`SELECT ${shown} AS row FROM ${quote(name)} ORDER BY row`)
      .map(({ row }) => row);
  }
  return state;
}

const triggersOf = (database: Database): unknown[] =>
  database.all(`SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`);

const library = `
  CREATE TABLE people (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, position INTEGER UNIQUE, boss INTEGER REFERENCES people (id)
  );
  CREATE TABLE tasks (
    id TEXT NOT NULL PRIMARY KEY, owner INTEGER REFERENCES people (id) ON DELETE CASCADE ON UPDATE CASCADE,
    title TEXT NOT NULL, weight REAL, extra, twice INTEGER GENERATED ALWAYS AS (length(title) * 2) STORED
  ) WITHOUT ROWID;
  CREATE TABLE tags (
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE ON UPDATE CASCADE, tag TEXT NOT NULL, color TEXT,
    PRIMARY KEY (tag, task)
  );
  CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL);
  CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
  CREATE VIRTUAL TABLE search USING fts5 (title, content = '', contentless_delete = 1);
  CREATE TABLE search_ids (task TEXT PRIMARY KEY, id INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
  INSERT INTO counts VALUES ('tasks', 0);
  CREATE TRIGGER task_added AFTER INSERT ON tasks BEGIN
    INSERT INTO audit (what) VALUES ('added ' || new.id);
    UPDATE counts SET n = n + 1 WHERE name = 'tasks';
    INSERT INTO search_ids SELECT new.id, coalesce(max(id), 0) + 1 FROM search_ids;
    INSERT INTO search (rowid, title) SELECT id, new.title FROM search_ids WHERE task = new.id;
  END;
  CREATE TRIGGER task_changed AFTER UPDATE OF title ON tasks BEGIN
    INSERT INTO audit (what) VALUES ('changed ' || new.id || ' to ' || new.title);
  END;
  CREATE TRIGGER "task ""gone""" AFTER DELETE ON tasks BEGIN
    INSERT INTO audit (what) VALUES ('removed ' || old.id);
    UPDATE counts SET n = n - 1 WHERE name = 'tasks';
    DELETE FROM search WHERE rowid = (SELECT id FROM search_ids WHERE task = old.id);
    DELETE FROM search_ids WHERE task = old.id;
  END;
`;

/** One random step; steps that violate constraints are skipped. */
function randomStep(connection: Connection, random: Random): void {
  const person = random.below(8);
  const task = `t${random.below(12)}`;
  const extra = random.of([
    '5',
    '5.0',
    `'5'`,
    `x'05'`,
    'NULL',
    '9007199254740993',
    '8589934592',
    '1e-20',
    '-1.5',
    `'a' || char(0) || 'b'`,
  ]);
  const steps = [
    `INSERT INTO people (id, name, position) VALUES (${person}, 'p${person}', ${random.below(50)})`,
    `UPDATE people SET boss = ${random.below(8)} WHERE id = ${person}`,
    `UPDATE people SET name = 'n${random.below(20)}' WHERE id = ${person}`,
    `UPDATE people SET id = ${100 + random.below(20)} WHERE id = ${person}`,
    `UPDATE people SET boss = NULL; DELETE FROM people WHERE id = ${person}`,
    `INSERT INTO tasks (id, owner, title, weight, extra) VALUES ('${task}', (SELECT id FROM people LIMIT 1), 'title ${random.below(9)}', ${random.next()}, ${extra})`,
    `UPDATE tasks SET extra = ${extra}, title = 'again ${random.below(9)}' WHERE id = '${task}'`,
    `UPDATE tasks SET owner = (SELECT max(id) FROM people) WHERE id = '${task}'`,
    `UPDATE OR IGNORE tasks SET id = 't${random.below(12)}' WHERE id = '${task}'`,
    `DELETE FROM tasks WHERE id = '${task}'`,
    `INSERT OR REPLACE INTO tags SELECT id, 'tag${random.below(3)}', 'c${random.below(9)}' FROM tasks ORDER BY id LIMIT 3`,
    `DELETE FROM tags WHERE tag = 'tag${random.below(3)}'`,
    // Rotates the positions, so that each new position is taken by another row until the end.
    `UPDATE people SET position = position + 1000;
     UPDATE people SET position = (SELECT count(*) FROM people AS p WHERE p.position < people.position) + 2000;
     UPDATE people SET position = (position - 2000 + 1) % (SELECT count(*) FROM people)`,
  ];
  try {
    connection.exec(`SAVEPOINT step; ${random.of(steps)}`);
    connection.exec('RELEASE step');
  } catch {
    connection.exec('ROLLBACK TO step; RELEASE step');
  }
}

test('50 commits of tables with triggers, foreign keys and full-text search: each is restored exactly, in any order', async () => {
  const seed = 4_711;
  const random = new Random(seed);
  const plan: MigrationPlan = {
    scope: 'library',
    steps: [{ version: 1, description: 'create', up: (connection) => connection.exec(library) }],
  };
  const database = await openTemporary({ migrations: plan });
  const triggers = triggersOf(database);
  const remembered = new Map([[database.revision(), rowsOf(database)]]);
  while (remembered.size <= COMMITS) {
    const { revision } = await database.write(({ connection }) => {
      for (let n = 0; n <= random.below(10); n++) randomStep(connection, random);
    });
    remembered.set(revision, rowsOf(database));
  }
  const used = Object.entries(rowsOf(database)).filter(([, rows]) => rows.length > 0);
  expect(used.map(([name]) => name)).toEqual(
    expect.arrayContaining(['audit', 'counts', 'people', 'search_data', 'search_ids', 'tasks']) as string[],
  );
  for (const revision of random.shuffled([...remembered.keys()])) {
    await restoreToRevision(database, revision);
    expect(rowsOf(database), `seed ${seed}, revision ${revision}`).toEqual(remembered.get(revision));
    expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
  }
  expect(database.integrityProblems()).toEqual([]);
  expect(triggersOf(database)).toEqual(triggers);
  // Triggers work, and the full-text index can be searched and written.
  await database.write(({ connection }) =>
    connection.exec(`DELETE FROM tasks; INSERT INTO tasks (id, title) VALUES ('last', 'needle')`),
  );
  expect(
    database.all(`SELECT s.task FROM search JOIN search_ids AS s ON s.id = search.rowid WHERE title MATCH 'needle'`),
  ).toEqual([{ task: 'last' }]);
});

async function openTables(schema: string): Promise<Database> {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec(schema));
  return database;
}

interface ThereAndBack {
  readonly states: readonly unknown[];
  readonly restored: readonly unknown[];
}

/** Makes these commits, then restores the revision before them and the one after them; returns the states. */
async function thereAndBack(database: Database, ...commits: readonly string[]): Promise<ThereAndBack> {
  const before = { revision: database.revision(), rows: rowsOf(database) };
  for (const sql of commits) await database.write(({ connection }) => connection.exec(sql));
  const after = { revision: database.revision(), rows: rowsOf(database) };
  expect(after.rows).not.toEqual(before.rows);
  const restored: unknown[] = [];
  for (const { revision } of [before, after]) {
    await restoreToRevision(database, revision);
    restored.push(rowsOf(database));
  }
  return { states: [before.rows, after.rows], restored };
}

test('a unique value that went from one row to another within a commit goes back', async () => {
  const database = await openTables(`
    CREATE TABLE seats (id INTEGER PRIMARY KEY, seat INTEGER UNIQUE, note);
    INSERT INTO seats VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
  `);
  const result = await thereAndBack(database, `DELETE FROM seats WHERE id = 3; INSERT INTO seats VALUES (4, 3, 'd')`);
  expect(result.restored).toEqual(result.states);
});

test('unique values that two rows exchanged within a commit are exchanged back', async () => {
  const database = await openTables(`
    CREATE TABLE seats (id INTEGER PRIMARY KEY, seat INTEGER NOT NULL UNIQUE, note);
    INSERT INTO seats VALUES (1, 1, 'a'), (2, 2, 'b' || char(0) || 'c'), (3, 3, 8589934592), (4, 4, 5.0);
  `);
  const result = await thereAndBack(
    database,
    'UPDATE seats SET seat = -1 WHERE id = 1; UPDATE seats SET seat = 1 WHERE id = 2; UPDATE seats SET seat = 2 WHERE id = 1',
    'UPDATE seats SET seat = -seat; UPDATE seats SET seat = (-seat % 4) + 1',
  );
  expect(result.restored).toEqual(result.states);
});

test('a child that was given to a new parent is not lost when the new parent goes', async () => {
  const database = await openTables(`
    CREATE TABLE parents (id INTEGER PRIMARY KEY, name);
    CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE, toy);
    INSERT INTO parents VALUES (1, 'old');
    INSERT INTO children VALUES (1, 1, 'ball'), (2, 1, 'doll');
  `);
  const result = await thereAndBack(
    database,
    `INSERT INTO parents VALUES (2, 'new'); UPDATE children SET parent = 2; DELETE FROM parents WHERE id = 1`,
    `DELETE FROM parents`,
  );
  expect(result.restored).toEqual(result.states);
});

test('that holds in whichever order the commit touched the tables', async () => {
  const database = await openTables(`
    CREATE TABLE parents (id INTEGER PRIMARY KEY, name);
    CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE, toy);
    INSERT INTO parents VALUES (1, 'old');
    INSERT INTO children VALUES (1, 1, 'ball'), (2, 1, 'doll');
  `);
  const result = await thereAndBack(
    database,
    `UPDATE children SET toy = 'none'; INSERT INTO parents VALUES (2, 'new'); UPDATE children SET parent = 2`,
  );
  expect(result.restored).toEqual(result.states);
});

test('rows that refer to each other go and come back together', async () => {
  const database = await openTables(`
    CREATE TABLE nodes (id INTEGER PRIMARY KEY, next INTEGER REFERENCES nodes (id) DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO nodes VALUES (1, NULL);
  `);
  const result = await thereAndBack(database, `INSERT INTO nodes VALUES (2, 3), (3, 2)`);
  expect(result.restored).toEqual(result.states);
  const next = await thereAndBack(database, `DELETE FROM nodes WHERE id > 1`);
  expect(next.restored).toEqual(next.states);
});

test('a trigger that would refuse the way back does not stand in it', async () => {
  const database = await openTables(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, v);
    CREATE TRIGGER only_up BEFORE UPDATE ON t WHEN new.v < old.v BEGIN SELECT raise(ABORT, 'only up'); END;
    CREATE TRIGGER never_gone BEFORE DELETE ON t BEGIN SELECT raise(ABORT, 'never'); END;
    INSERT INTO t VALUES (1, 1);
  `);
  const result = await thereAndBack(database, 'UPDATE t SET v = 5', 'INSERT INTO t VALUES (2, 2)');
  expect(result.restored).toEqual(result.states);
  await expect(database.write(({ connection }) => connection.exec('DELETE FROM t'))).rejects.toThrow('never');
});

test('values come back with their type, also where the column has none', async () => {
  const database = await openTables(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, v);
    INSERT INTO t (v) VALUES (5), (5.0), ('5'), (x'35'), (NULL), (8589934592), (9007199254740993), (-9223372036854775808),
      (1e-20), (4.9e-324), (1e300), (9e999), (''), (x''), ('a' || char(0) || 'b');
  `);
  const result = await thereAndBack(database, 'UPDATE t SET v = 0', 'DELETE FROM t');
  expect(result.restored).toEqual(result.states);
});

test('odd names of tables and columns are no obstacle', async () => {
  const database = await openTables(`
    CREATE TABLE "select ""from""" ("a b" TEXT PRIMARY KEY, "c""d", "order") WITHOUT ROWID;
    INSERT INTO "select ""from""" VALUES ('x', 1, 2);
  `);
  const result = await thereAndBack(
    database,
    `UPDATE "select ""from""" SET "c""d" = 9, "order" = 8`,
    `DELETE FROM "select ""from"""`,
  );
  expect(result.restored).toEqual(result.states);
});

test('a restore is one commit, is noted, tells what it changed, and can itself be undone', async () => {
  const database = await openTables('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  const first = await database.write(({ connection }) => connection.exec(`INSERT INTO t VALUES (1, 'a'), (2, 'b')`));
  await database.write(({ connection }) => connection.exec(`UPDATE t SET v = 'x' WHERE id = 1`));
  const last = await database.write(({ connection }) => connection.exec(`DELETE FROM t WHERE id = 2`));
  const before = rowsOf(database);
  const { revision, value } = await restoreToRevision(database, first.revision);
  expect([revision, value]).toEqual([last.revision + 1, 2]);
  const [entry] = database.changes(last.revision);
  expect(entry).toMatchObject({ revision, kind: 'changeset', note: `restored to revision ${first.revision}` });
  expect(entry!.rows.map(({ operation, before: old, after }) => [operation, old, after])).toEqual(
    expect.arrayContaining([
      ['update', [1, 'x'], [undefined, 'a']],
      ['insert', [undefined, undefined], [2, 'b']],
    ]) as unknown,
  );
  await restoreToRevision(database, last.revision);
  expect(rowsOf(database)).toEqual(before);
});

test('the restore of a keyspace is one commit, is noted, and tells what it changed', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  await writeKeys(
    database,
    new Map([
      ['a', '1'],
      ['b', '2'],
    ]),
  );
  await writeKeys(
    database,
    new Map([
      ['a', undefined],
      ['c', '3'],
    ]),
  );
  const { revision, value } = await restoreToRevision(database, 1);
  expect([revision, value]).toEqual([3, 2]);
  expect(database.changes(2)).toMatchObject([{ revision: 3, kind: 'keys', note: 'restored to revision 1' }]);
  expect(database.changes(2)[0]!.keys.toSorted((x, y) => (x.key < y.key ? -1 : 1))).toEqual([
    { key: 'a', before: undefined, after: '1' },
    { key: 'c', before: '3', after: undefined },
  ]);
});

test('restoring to now changes nothing and takes no revision', async () => {
  for (const kind of ['keyspace', 'tables'] as const) {
    const database = await openTemporary({ kind });
    const { revision, value } = await restoreToRevision(database, database.revision());
    expect([revision, value, database.revision()]).toEqual([0, 0, 0]);
  }
});

test('a listener is told of a restore, and a snapshot from before stays as it is', async () => {
  const database = await openTables('CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 1)');
  const target = database.revision();
  await database.write(({ connection }) => connection.exec('UPDATE t SET v = 2'));
  const snapshot = database.snapshot();
  let heard = 0;
  const stop = database.onChange(() => (heard += 1));
  await restoreToRevision(database, target);
  expect(heard).toBeGreaterThan(0);
  expect(snapshot.connection.get('SELECT v FROM t')).toEqual({ v: 2 });
  snapshot.release();
  const later = database.snapshot();
  expect(later.connection.get('SELECT v FROM t')).toEqual({ v: 1 });
  later.release();
  stop();
});

test('others may go on writing while a restore waits for its turn', async () => {
  const database = await openTables('CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 0)');
  const target = database.revision();
  const add = () => database.write(({ connection }) => connection.exec('UPDATE t SET v = v + 1'));
  await add();
  const results = await Promise.all([add(), restoreToRevision(database, target), add(), add()]);
  const restored = results[1].revision;
  const after = database.revision() - restored;
  expect(database.get('SELECT v FROM t')).toEqual({ v: after });
});

test.each(['keyspace', 'tables'] as const)(
  'a revision of a %s that never was is not known, and nothing changes',
  async (kind) => {
    const database = await openTemporary({ kind });
    if (kind === 'keyspace') await writeKeys(database, new Map([['a', '1']]));
    else
      await database.write(({ connection }) =>
        connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)'),
      );
    const before = database.revision();
    for (const revision of [-1, 1.5, Number.NaN, before + 1, Number.POSITIVE_INFINITY]) {
      await expect(restoreToRevision(database, revision), String(revision)).rejects.toMatchObject({
        code: 'RESTORE_POINT_UNKNOWN',
        kind: 'not_found',
      });
    }
    expect(database.revision()).toBe(before);
  },
);

test('what the journal no longer holds cannot be restored; the oldest state it leads to can', async () => {
  const database = await openTemporary({
    kind: 'keyspace',
    synchronous: 'OFF',
    retention: { ageMs: Number.MAX_SAFE_INTEGER, revisions: 20, bytes: Number.MAX_SAFE_INTEGER },
  });
  const states: string[][] = [[]];
  for (let n = 0; n < 300; n++) {
    await writeKeys(database, new Map([[`k${n % 7}`, String(n)]]));
    states.push(keysOf(database));
  }
  const oldest = database.oldestRevision() - 1;
  expect(oldest).toBeGreaterThan(0);
  await expect(restoreToRevision(database, oldest - 1)).rejects.toMatchObject({ code: 'RESTORE_POINT_UNKNOWN' });
  await restoreToRevision(database, oldest);
  expect(keysOf(database)).toEqual(states[oldest]);
});

test('a restore does not cross a change of the schema, and nothing changes', async () => {
  const plan: MigrationPlan = {
    scope: 'x',
    steps: [
      {
        version: 1,
        description: 'one',
        up: (connection) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)'),
      },
      { version: 2, description: 'two', up: (connection) => connection.exec('ALTER TABLE t ADD COLUMN v') },
    ],
  };
  const early = await openTemporary({ migrations: { ...plan, steps: plan.steps.slice(0, 1) } });
  const { revision } = await early.write(({ connection }) => connection.exec('INSERT INTO t VALUES (1)'));
  const database = await openTemporary({ path: early.path, migrations: plan });
  await database.write(({ connection }) => connection.exec('INSERT INTO t VALUES (2, 3)'));
  const before = { rows: rowsOf(database), revision: database.revision() };
  await expect(restoreToRevision(database, revision)).rejects.toMatchObject({
    code: 'RESTORE_CROSSES_SCHEMA',
    kind: 'conflict',
    message: expect.stringContaining('migration 2 of x: two') as string,
  });
  expect({ rows: rowsOf(database), revision: database.revision() }).toEqual(before);
  await restoreToRevision(database, revision + 1);
  expect(database.all('SELECT * FROM t')).toEqual([{ id: 1, v: null }]);
});

test('more commits than are read at once are all undone', async () => {
  const database = await openTemporary({ synchronous: 'OFF' });
  await database.write(({ connection }) =>
    connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 0)'),
  );
  const target = database.revision();
  for (let n = 1; n <= 1_200; n++) {
    await database.write(({ connection }) => {
      connection.run('UPDATE t SET v = ?', n);
    });
  }
  expect((await restoreToRevision(database, target)).value).toBe(1_200);
  expect(database.get('SELECT v FROM t')).toEqual({ v: 0 });
});
