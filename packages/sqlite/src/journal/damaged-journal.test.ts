import { readFileSync, writeFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openTemporary } from '../../test/temporary.ts';
import type { Connection } from '../connection.ts';
import { openExisting } from '../database.ts';
import { encodeKeyChanges } from './key-changes.ts';
import { restoreToRevision } from '../restore-to-revision.ts';
import { findJournalProblems, repairFromJournal } from './verify-journal.ts';

test('a journal whose rows a failing disk put out of order is an error, not an endless loop', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  for (const key of ['a', 'b', 'c']) {
    await database.write((tx) => {
      tx.connection.run('INSERT INTO keyspace VALUES (?, ?)', key, '1');
      tx.journal(encodeKeyChanges([{ key, before: undefined, after: '1' }]));
    });
  }
  const root = database.get<{ page: number }>(
    "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'holdfast_journal'",
  )!.page;
  const { page_size: size } = database.get<{ page_size: number }>('PRAGMA page_size')!;
  database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  await database.close();
  const bytes = readFileSync(database.path);
  const page = bytes.subarray((root - 1) * size, root * size);
  // A leaf page has 8 bytes of header, then the positions of its cells. A cell starts with its length and its row
  // number.
  const cell = page.readUInt16BE(8 + 2 * (page.readUInt16BE(3) - 1));
  expect(page[cell + 1]).toBe(3);
  page[cell + 1] = 0;
  writeFileSync(database.path, bytes);
  const damaged = await openExisting(database.path);
  expect(() => findJournalProblems(damaged)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }));
  await damaged.close();
});

test('a number that JavaScript cannot hold is reported as damage', async () => {
  const database = await openTemporary({ kind: 'tables' });
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)'));
  await database.write(({ connection }) => connection.run('INSERT INTO t VALUES (1, ?)', 2n ** 60n));
  expect(() => database.all('SELECT n FROM t')).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }));
});

test('a journal entry with an impossible time is readable, and commits continue', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  const writeOne = () => database.write((tx) => tx.journal(encodeKeyChanges([])));
  await writeOne();
  database.reader.run('UPDATE holdfast_journal SET at = ?', 2n ** 60n);
  expect(database.changes(0)).toMatchObject([{ revision: 1, at: 0, isDamaged: false }]);
  for (let count = 0; count < 260; count += 1) await writeOne();
  expect(database.revision()).toBe(261);
});

test('entries of older versions have no checksum and are readable', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  await database.write((tx) => tx.journal(encodeKeyChanges([{ key: 'a', before: undefined, after: '1' }])));
  database.reader.exec('ALTER TABLE holdfast_journal DROP COLUMN checksum');
  await database.close();
  const again = await openExisting(database.path);
  expect(again.changes(0)).toMatchObject([{ keys: [{ key: 'a' }] }]);
  await again.close();
});

/** Two rows, of which the second was changed once. */
async function openWithRows() {
  const migrations = {
    scope: 'test',
    steps: [
      {
        version: 1,
        description: 'first',
        up: (connection: Connection) =>
          connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size REAL)'),
      },
    ],
  };
  const database = await openTemporary({ kind: 'tables', migrations });
  await database.write(({ connection }) => {
    connection.exec("INSERT INTO t VALUES (1, 'one', 1.5), (2, 'two', 2)");
  });
  await database.write(({ connection }) => connection.exec("UPDATE t SET name = 'deux' WHERE id = 2"));
  const rows = () => database.all('SELECT * FROM t ORDER BY id');
  return { database, rows, sound: rows() };
}

test('rows that changed without the journal are found and restored, as a commit that can be undone', async () => {
  const { database, rows, sound } = await openWithRows();
  expect(findJournalProblems(database)).toEqual([]);
  database.reader.exec("UPDATE t SET size = 9; UPDATE t SET name = 'x' WHERE id = 2; DELETE FROM t WHERE id = 1");
  const damaged = rows();
  expect(findJournalProblems(database).map(({ key }) => key)).toEqual(['t 1', 't 2']);
  expect(await repairFromJournal(database)).toMatchObject([
    { key: 't 1', repaired: true },
    { key: 't 2', repaired: true },
  ]);
  expect(rows()).toEqual(sound);
  expect(findJournalProblems(database)).toEqual([]);
  await restoreToRevision(database, database.revision() - 1);
  expect(rows()).toEqual(damaged);
});

test('a restore to a revision also corrects rows that changed without the journal', async () => {
  const { database, rows, sound } = await openWithRows();
  const revision = database.revision();
  await database.write(({ connection }) => connection.exec("INSERT INTO t VALUES (3, 'three', 3)"));
  database.reader.exec('UPDATE t SET size = 9 WHERE id = 1');
  await restoreToRevision(database, revision);
  expect(rows()).toEqual(sound);
});

test('a row is not restored from entries before a damaged one', async () => {
  const { database, rows } = await openWithRows();
  database.reader.exec('UPDATE holdfast_journal SET changes = zeroblob(3) WHERE revision = 3');
  database.reader.exec('UPDATE t SET size = 9 WHERE id = 1');
  const damaged = rows();
  expect(await repairFromJournal(database)).toMatchObject([{ kind: 'journal_damaged', repaired: true }]);
  expect(rows()).toEqual(damaged);
  expect(findJournalProblems(database)).toEqual([]);
});
