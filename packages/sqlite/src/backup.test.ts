import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import { backupDatabase, type BackupManifest, verifyBackup } from './backup.ts';
import type { Database } from './database.ts';
import { DatabaseSync } from './driver.ts';

/** Every commit changes two tables together, so a mixture of two states is noticed. */
async function openAccounts(): Promise<Database> {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec(`
      CREATE TABLE entries (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, padding BLOB);
      CREATE TABLE total (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, entries INTEGER NOT NULL);
      INSERT INTO total VALUES (1, 0, 0);
    `),
  );
  return database;
}

const book = (database: Database, amount: number) =>
  database.write(({ connection }) => {
    connection.run('INSERT INTO entries (amount, padding) VALUES (?, randomblob(3000))', amount);
    connection.run('UPDATE total SET amount = amount + ?, entries = entries + 1', amount);
  });

function look(path: string): { inStep: boolean; entries: number; revision: number } {
  const copy = new DatabaseSync(path, { readOnly: true });
  const row = copy
    .prepare(
      `SELECT total.amount, total.entries,
         (SELECT coalesce(sum(amount), 0) FROM entries) AS sum,
         (SELECT count(*) FROM entries) AS count,
         (SELECT max(revision) FROM holdfast_journal) AS revision
       FROM total`,
    )
    .get() as { amount: number; entries: number; sum: number; count: number; revision: number };
  copy.close();
  const inStep = row.amount === row.sum && row.entries === row.count;
  return { inStep, entries: row.entries, revision: row.revision };
}

const targetBeside = (database: Database, name = 'backup.db'): string => join(dirname(database.path), 'backups', name);

async function smallBackup(): Promise<{ database: Database; target: string; manifest: BackupManifest }> {
  const database = await openAccounts();
  for (let n = 1; n <= 5; n++) await book(database, n);
  const target = targetBeside(database);
  return { database, target, manifest: await backupDatabase(database, target) };
}

const invalid = expect.objectContaining({ code: 'BACKUP_INVALID', kind: 'failed' }) as Error;

test('a backup is one private file that needs nothing beside it, and a manifest that describes it', async () => {
  const { database, target, manifest } = await smallBackup();
  const folder = dirname(target);
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'backup.db.json']);
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  for (const name of readdirSync(folder)) {
    expect((statSync(join(folder, name)).mode & 0o777).toString(8), name).toBe('600');
  }
  const bytes = readFileSync(target);
  expect(manifest).toEqual({
    format: 1,
    database: 'test.db',
    kind: 'tables',
    revision: database.revision(),
    oldest_revision: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u) as string,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(JSON.parse(readFileSync(`${target}.json`, 'utf8'))).toEqual(manifest);
  const DELETE_MODE = 1;
  expect([bytes[18], bytes[19]]).toEqual([DELETE_MODE, DELETE_MODE]);
  expect(look(target)).toEqual({ inStep: true, entries: 5, revision: database.revision() });
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'backup.db.json']);
});

test('a sound backup verifies and its manifest is returned', async () => {
  const { target, manifest } = await smallBackup();
  expect(await verifyBackup(target)).toEqual(manifest);
});

test('a backup under load is the state at exactly one commit', async () => {
  const database = await openAccounts();
  for (let n = 0; n < 300; n++) await book(database, n);
  const over = new AbortController();
  let during = 0;
  const writers = [1, 2, 3].map(async () => {
    const own = await openTemporary({ path: database.path, synchronous: 'OFF' });
    while (!over.signal.aborted) {
      await book(own, 7);
      during += 1;
    }
  });
  const manifests: BackupManifest[] = [];
  for (let n = 0; n < 4; n++) manifests.push(await backupDatabase(database, targetBeside(database, `b${n}.db`)));
  over.abort();
  await Promise.all(writers);
  expect(during).toBeGreaterThan(0);
  for (const [n, manifest] of manifests.entries()) {
    // The commit that created the tables added no entry.
    const entries = manifest.revision - 1;
    expect(look(targetBeside(database, `b${n}.db`))).toEqual({ inStep: true, entries, revision: manifest.revision });
  }
  expect(new Set(manifests.map(({ revision }) => revision)).size).toBeGreaterThan(1);
});

test('the progress goes down to nothing', async () => {
  const database = await openAccounts();
  await Promise.all(Array.from({ length: 2_500 }, (_, n) => book(database, n)));
  const remaining: number[] = [];
  await backupDatabase(database, targetBeside(database), {
    onProgress: ({ remainingPages, totalPages }) => {
      expect(totalPages).toBeGreaterThanOrEqual(remainingPages);
      remaining.push(remainingPages);
    },
  });
  expect(remaining.length).toBeGreaterThan(0);
  expect(remaining).toEqual(remaining.toSorted((left, right) => right - left));
});

test('a backup never overwrites: neither a backup, nor another file, nor a manifest', async () => {
  const { database, target } = await smallBackup();
  const before = readFileSync(target);
  await book(database, 100);
  const exists = expect.objectContaining({ code: 'BACKUP_EXISTS', kind: 'conflict' }) as Error;
  await expect(backupDatabase(database, target)).rejects.toEqual(exists);
  expect(readFileSync(target).equals(before)).toBe(true);

  const manifestOnly = targetBeside(database, 'other.db');
  writeFileSync(`${manifestOnly}.json`, '{}');
  await expect(backupDatabase(database, manifestOnly)).rejects.toEqual(exists);
  expect(existsSync(manifestOnly)).toBe(false);

  const folder = targetBeside(database, 'folder');
  mkdirSync(folder);
  await expect(backupDatabase(database, folder)).rejects.toEqual(exists);
});

test('a database is not its own backup', async () => {
  const database = await openAccounts();
  await expect(backupDatabase(database, database.path)).rejects.toMatchObject({ code: 'BACKUP_EXISTS' });
});

test('a flipped bit is noticed, wherever it is', async () => {
  const { target, manifest } = await smallBackup();
  const sound = readFileSync(target);
  for (let n = 0; n < 24; n++) {
    const at = Math.floor((n / 24) * manifest.bytes) + (n % 7);
    const damaged = Buffer.from(sound);
    damaged[at]! ^= 1 << (n % 8);
    writeFileSync(target, damaged);
    await expect(verifyBackup(target), `byte ${at}`).rejects.toEqual(invalid);
  }
  writeFileSync(target, sound);
  await verifyBackup(target);
});

test('a truncated or lengthened backup is noticed', async () => {
  const { target, manifest } = await smallBackup();
  const sound = readFileSync(target);
  for (const bytes of [0, 1, 4_096, manifest.bytes - 1]) {
    truncateSync(target, bytes);
    await expect(verifyBackup(target), `${bytes} bytes`).rejects.toEqual(invalid);
    writeFileSync(target, sound);
  }
  writeFileSync(target, Buffer.concat([sound, Buffer.alloc(1)]));
  await expect(verifyBackup(target)).rejects.toEqual(invalid);
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['half of one', '{"format": 1, "revi'],
  ['null', 'null'],
  ['one of an unknown format', '{"format": 2}'],
  ['one without its facts', '{"format": 1}'],
])('a backup whose manifest is %s is refused', async (_name, text) => {
  const { target } = await smallBackup();
  if (text === undefined) rmSync(`${target}.json`);
  else writeFileSync(`${target}.json`, text);
  await expect(verifyBackup(target)).rejects.toEqual(invalid);
});

test('the manifest of another backup is noticed', async () => {
  const { database, target } = await smallBackup();
  await book(database, 1);
  const other = targetBeside(database, 'later.db');
  await backupDatabase(database, other);
  writeFileSync(`${target}.json`, readFileSync(`${other}.json`));
  await expect(verifyBackup(target)).rejects.toEqual(invalid);
});

test('a manifest that fits a file which is no database is not enough', async () => {
  const { target, manifest } = await smallBackup();
  const garbage = Buffer.alloc(manifest.bytes, 'garbage');
  const sha256 = createHash('sha256').update(garbage).digest('hex');
  writeFileSync(target, garbage);
  writeFileSync(`${target}.json`, JSON.stringify({ ...manifest, sha256 }));
  await expect(verifyBackup(target)).rejects.toEqual(invalid);
});

test('a backup that is not there is not found', async () => {
  const database = await openAccounts();
  await expect(verifyBackup(targetBeside(database))).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
});

test('a target that cannot be written is a clear error and leaves nothing', async () => {
  const database = await openAccounts();
  const file = join(dirname(database.path), 'file');
  writeFileSync(file, 'not a folder');
  await expect(backupDatabase(database, join(file, 'backup.db'))).rejects.toMatchObject({ code: 'STORE_PERMISSION' });
  expect(readFileSync(file, 'utf8')).toBe('not a folder');
});

test('of several backups to one name at once, one is made and the others are told that it exists', async () => {
  const database = await openAccounts();
  for (let n = 0; n < 50; n++) await book(database, n);
  const target = targetBeside(database);
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => backupDatabase(database, target)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(refused).toHaveLength(5);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'BACKUP_EXISTS' });
  expect(readdirSync(dirname(target)).sort()).toEqual(['backup.db', 'backup.db.json']);
  await verifyBackup(target);
});

test('writing goes on while a backup is made, and a backup does not hold the write lock', async () => {
  const database = await openAccounts();
  await Promise.all(Array.from({ length: 2_000 }, (_, n) => book(database, n)));
  const backup = backupDatabase(database, targetBeside(database));
  await Promise.all([1, 2, 3].map((n) => book(database, n)));
  const { revision } = await backup;
  expect(revision).toBeLessThanOrEqual(database.revision());
  await verifyBackup(targetBeside(database));
});

test('a backup of a keyspace says so', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  const target = targetBeside(database);
  expect(await backupDatabase(database, target)).toMatchObject({ kind: 'keyspace', revision: 0, oldest_revision: 0 });
  expect(await verifyBackup(target)).toMatchObject({ kind: 'keyspace' });
});
