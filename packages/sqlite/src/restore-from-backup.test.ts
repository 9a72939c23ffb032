import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openTemporary, temporaryFolder } from '../test/temporary.ts';
import { backupDatabase } from './backup.ts';
import { type Database, openDatabase } from './database.ts';
import { DatabaseSync, backup as copyPages } from './driver.ts';
import { replaceFromBackup } from './restore-from-backup.ts';

const NOTHING: readonly string[] = [];

async function openNotes(path: string): Promise<Database> {
  const database = await openDatabase({ path, kind: 'tables' });
  onTestFinished(() => database.close());
  await database.write(({ connection }) =>
    connection.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'),
  );
  return database;
}

const note = (database: Database, text: string) =>
  database.write(({ connection }) => {
    connection.run('INSERT INTO notes (text) VALUES (?)', text);
  });

const notes = (database: Database): string[] =>
  database.all<{ text: string }>('SELECT text FROM notes ORDER BY id').map(({ text }) => text);

async function notesAt(path: string): Promise<string[]> {
  const database = await openDatabase({ path, kind: 'tables', create: false });
  try {
    expect(database.integrityProblems()).toEqual([]);
    return notes(database);
  } finally {
    await database.close();
  }
}

interface Scene {
  readonly path: string;
  readonly backup: string;
  /** The open database. It contains "one", "two" and "three"; the backup lacks "three". */
  readonly database: Database;
}

async function scene(): Promise<Scene> {
  const folder = temporaryFolder();
  const database = await openNotes(join(folder, 'test.db'));
  await note(database, 'one');
  await note(database, 'two');
  const backup = join(folder, 'backups', 'two.db');
  await backupDatabase(database, backup);
  await note(database, 'three');
  return { path: database.path, backup, database };
}

/** Copies a database as a killed writer leaves it: the file and its log, not open anywhere. */
function copyAsIfKilled(from: string, to: string): void {
  copyFileSync(from, to);
  copyFileSync(`${from}-wal`, `${to}-wal`);
}

const beside = (path: string): string[] =>
  readdirSync(dirname(path))
    .filter((name) => name !== basename(path) && name.startsWith(basename(path)))
    .sort();

test("a copy made with SQLite's own .backup is checked and restored; it stays as it was", async () => {
  const folder = temporaryFolder();
  const database = await openNotes(join(folder, 'test.db'));
  await note(database, 'one');
  const copy = join(folder, 'copy.db');
  await copyPages(database.reader.driver, copy);
  await note(database, 'two');
  await database.close();
  const before = readFileSync(copy);
  const { manifest } = await replaceFromBackup(database.path, copy);
  expect(manifest).toMatchObject({ kind: 'tables', bytes: before.length });
  expect(await notesAt(database.path)).toEqual(['one']);
  expect(readFileSync(copy).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db']);
  const alien = join(folder, 'alien.db');
  new DatabaseSync(alien).exec('CREATE TABLE notes (text)');
  await expect(replaceFromBackup(database.path, alien)).rejects.toMatchObject({ code: 'NOT_A_HOLDFAST_DATABASE' });
  writeFileSync(copy, before.subarray(0, before.length - 4_096));
  await expect(replaceFromBackup(database.path, copy)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  expect(await notesAt(database.path)).toEqual(['one']);
});

test('the backup takes the place of the database, and the old file is kept, whole', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  const { kept, manifest } = await replaceFromBackup(path, backup);
  expect(manifest.revision).toBe(2);
  expect(await notesAt(path)).toEqual(['one', 'two']);
  expect(kept).toBeDefined();
  expect(beside(path)).toEqual([basename(kept!)]);
  expect(await notesAt(kept!)).toEqual(['one', 'two', 'three']);
  expect(statSync(path).ino).not.toBe(statSync(kept!).ino);
});

test('revisions go on from the highest that anybody has seen, and the replacement is one of them', async () => {
  const { path, backup, database } = await scene();
  const last = database.revision();
  await database.close();
  await replaceFromBackup(path, backup);
  const after = await openTemporary({ path });
  expect(after.changes(after.revision() - 1)).toMatchObject([
    { revision: last + 1, kind: 'schema', note: 'restored from backup two.db' },
  ]);
  expect((await note(after, 'four')).revision).toBe(last + 2);
});

test('replacing again and again never repeats a revision', async () => {
  const { path, backup, database } = await scene();
  const seen = new Set<number>(database.changes(0).map(({ revision }) => revision));
  await database.close();
  for (let round = 0; round < 3; round++) {
    await replaceFromBackup(path, backup);
    const again = await openDatabase({ path, kind: 'tables' });
    for (const revision of [again.revision(), (await note(again, `round ${round}`)).revision]) {
      expect(seen.has(revision)).toBe(false);
      seen.add(revision);
    }
    await again.close();
  }
});

test('a database that is in use is not replaced, and its user notices nothing', async () => {
  const { path, backup, database } = await scene();
  const inUse = expect.objectContaining({ code: 'STORE_IN_USE', kind: 'unavailable' }) as Error;
  await expect(replaceFromBackup(path, backup)).rejects.toEqual(inUse);
  await note(database, 'four');
  expect(notes(database)).toEqual(['one', 'two', 'three', 'four']);
  expect(beside(path)).toEqual(['test.db-shm', 'test.db-wal']);

  await database.close();
  await replaceFromBackup(path, backup);
  expect(await notesAt(path)).toEqual(['one', 'two']);
});

test('a database that was only looked at and closed again is not in use', async () => {
  const { path, backup, database } = await scene();
  database.snapshot();
  await database.close();
  for (let n = 0; n < 5; n++) await notesAt(path);
  await expect(replaceFromBackup(path, backup)).resolves.toBeDefined();
});

test('the log of a killed writer is not replayed into the new file, but belongs to the old one', async () => {
  const { path, backup, database } = await scene();
  const crashed = join(temporaryFolder(), 'crashed.db');
  copyAsIfKilled(path, crashed);
  await database.close();
  const { kept } = await replaceFromBackup(crashed, backup);
  expect(existsSync(`${crashed}-wal`)).toBe(false);
  expect(await notesAt(crashed)).toEqual(['one', 'two']);
  expect(await notesAt(kept!)).toEqual(['one', 'two', 'three']);
});

test('a log whose file was lost is not replayed into the new file', async () => {
  const { path, backup, database } = await scene();
  const crashed = join(temporaryFolder(), 'crashed.db');
  copyAsIfKilled(path, crashed);
  await database.close();
  rmSync(crashed);
  const { kept } = await replaceFromBackup(crashed, backup);
  expect(kept).toBeUndefined();
  expect(await notesAt(crashed)).toEqual(['one', 'two']);
});

test('the log of a damaged file is not replayed into the new file', async () => {
  const { path, backup, database } = await scene();
  const crashed = join(temporaryFolder(), 'crashed.db');
  copyAsIfKilled(path, crashed);
  await database.close();
  // Makes the file unreadable, and cuts the log to its header, because a whole log would restore the first page.
  const log = readFileSync(`${crashed}-wal`);
  writeFileSync(crashed, Buffer.alloc(16_384, 'x'));
  writeFileSync(`${crashed}-wal`, log.subarray(0, 32));
  await replaceFromBackup(crashed, backup);
  expect(await notesAt(crashed)).toEqual(['one', 'two']);
});

test('a damaged file is replaced and kept, and revisions jump ahead of what it might have held', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  const garbage = Buffer.alloc(10_000, 'garbage');
  writeFileSync(path, garbage);
  const { kept, manifest } = await replaceFromBackup(path, backup);
  expect(readFileSync(kept!).equals(garbage)).toBe(true);
  const after = await openTemporary({ path });
  expect(notes(after)).toEqual(['one', 'two']);
  expect(after.revision()).toBeGreaterThanOrEqual(manifest.revision + 1_000_000);
});

test('a file with an impossible format version in its header is replaced', async () => {
  const { path, backup, database } = await scene();
  database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  await database.close();
  const bytes = readFileSync(path);
  // SQLite's schema format number is at byte 44; the highest is 4.
  bytes.writeUInt32BE(9, 44);
  writeFileSync(path, bytes);
  await expect(openTemporary({ path })).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  await replaceFromBackup(path, backup);
  expect(await notesAt(path)).toEqual(['one', 'two']);
});

test('a lost file, and a lost folder, come back private', async () => {
  const { backup } = await scene();
  // Simulates a backup that was copied from a disk without file modes.
  chmodSync(backup, 0o644);
  const path = join(temporaryFolder(), 'new', 'place', 'test.db');
  const { kept } = await replaceFromBackup(path, backup);
  expect(kept).toBeUndefined();
  const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);
  expect([mode(path), mode(dirname(path))]).toEqual(['600', '700']);
  expect(await notesAt(path)).toEqual(['one', 'two']);
});

test('a backup that does not verify replaces nothing', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  const bytes = readFileSync(backup);
  bytes[5_000]! ^= 1;
  writeFileSync(backup, bytes);
  const before = readFileSync(path);
  await expect(replaceFromBackup(path, backup)).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(beside(path)).toEqual(NOTHING);
});

test('the backup itself stays as it is and can be used again', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  const before = readFileSync(backup);
  await replaceFromBackup(path, backup);
  expect(readFileSync(backup).equals(before)).toBe(true);
  await replaceFromBackup(path, backup);
  expect(await notesAt(path)).toEqual(['one', 'two']);
});

test('what prepares the copy may change it, and when it fails nothing is replaced', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  await expect(replaceFromBackup(path, backup, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await notesAt(path)).toEqual(['one', 'two', 'three']);
  expect(beside(path)).toEqual(NOTHING);

  await replaceFromBackup(path, backup, async (copy) => {
    const opened = await openDatabase({ path: copy, kind: 'tables' });
    await note(opened, 'prepared');
    await opened.close();
  });
  expect(await notesAt(path)).toEqual(['one', 'two', 'prepared']);
});

test('what an interrupted replacement left does not get into the next', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  // Simulates a kill during the write, which leaves a copy of another state, with a journal that would roll the copy
  // back.
  const unfinished = `${path}.restore-unfinished`;
  writeFileSync(unfinished, Buffer.alloc(4_096, 'old copy'));
  hotJournalFor(backup, `${unfinished}-journal`);
  await replaceFromBackup(path, backup);
  expect(await notesAt(path)).toEqual(['one', 'two']);
  expect(beside(path).filter((name) => name.includes('unfinished'))).toEqual(NOTHING);
});

/** Creates the journal of an unfinished transaction that overwrites everything in a file of the same layout. */
function hotJournalFor(backup: string, target: string): void {
  const scratch = `${target}.scratch`;
  copyFileSync(backup, scratch);
  const other = new DatabaseSync(scratch);
  other.exec(`
    UPDATE notes SET text = 'from another time';
    PRAGMA cache_size = 1;
    BEGIN;
    UPDATE notes SET text = 'unfinished';
    CREATE TABLE filler (b BLOB);
    INSERT INTO filler VALUES (zeroblob(500000));
  `);
  copyFileSync(`${scratch}-journal`, target);
  other.exec('ROLLBACK');
  other.close();
  rmSync(scratch);
}

test('somebody who opened the old file before and asks again gets the new one', async () => {
  const { path, backup, database } = await scene();
  await database.close();
  await replaceFromBackup(path, backup);
  const first = await openTemporary({ path });
  await note(first, 'new');
  const second = await openTemporary({ path });
  expect(notes(second)).toEqual(['one', 'two', 'new']);
});

test('a database is not its own backup', async () => {
  const { path, database } = await scene();
  await database.close();
  await expect(replaceFromBackup(path, path)).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
  expect(await notesAt(path)).toEqual(['one', 'two', 'three']);
});
