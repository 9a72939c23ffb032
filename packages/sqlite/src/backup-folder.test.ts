import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { DAY, HOUR } from '@holdfast/base';
import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import { verifyBackup } from './backup.ts';
import { backupToFolder, expiredBackups, listBackups } from './backup-folder.ts';
import type { Database } from './database.ts';

const MORNING = Date.parse('2026-01-26T10:00:30Z');

async function openWithFolder(): Promise<{ database: Database; folder: string }> {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)'));
  await database.write(({ connection }) => connection.run('INSERT INTO notes (text) VALUES (?)', 'one'));
  return { database, folder: join(dirname(database.path), 'backups') };
}

const namesOf = (paths: readonly { readonly path: string }[]): string[] => paths.map(({ path }) => basename(path));

test('Backups are named after database and minute, and never replace one another', async () => {
  const { database, folder } = await openWithFolder();
  const now = (): number => MORNING;
  for (let count = 0; count < 4; count++) await backupToFolder(database, folder, { now });
  const expected = [
    'test_20260126_1000.db',
    'test_20260126_1000_r1.db',
    'test_20260126_1000_r1_2.db',
    'test_20260126_1000_r1_3.db',
  ];
  expect(namesOf(listBackups(folder))).toEqual(expected);
  expect(readdirSync(folder).sort()).toEqual(expected.flatMap((name) => [name, `${name}.json`]).sort());
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  for (const { path } of listBackups(folder)) await verifyBackup(path);
});

test('A new backup deletes those that have expired, with their manifests', async () => {
  const { database, folder } = await openWithFolder();
  const at = (days: number) => ({ now: () => MORNING + days * DAY, retentionDays: 7 });
  const first = await backupToFolder(database, folder, at(0));
  const second = await backupToFolder(database, folder, at(6));
  expect(second.deleted).toEqual([]);
  const third = await backupToFolder(database, folder, at(9));
  expect(third.deleted).toEqual([first.path]);
  expect(listBackups(folder).map(({ path }) => path)).toEqual([second.path, third.path]);
  expect(readdirSync(folder)).toHaveLength(4);
});

test('What an interrupted backup left is not listed, keeps its name, and is removed after a day', async () => {
  const { database, folder } = await openWithFolder();
  const now = (): number => MORNING;
  const { path } = await backupToFolder(database, folder, { now });
  rmSync(path);
  writeFileSync(join(folder, 'test_20260126_0900.db.0123.unfinished'), 'half');
  writeFileSync(join(folder, 'cut.db'), 'a file of somebody');
  writeFileSync(join(folder, 'cut.db.json'), '');
  expect(listBackups(folder)).toEqual([]);
  const next = await backupToFolder(database, folder, { now });
  expect(next.path).not.toBe(path);
  const left = ['test_20260126_1000.db.json', 'test_20260126_0900.db.0123.unfinished'];
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(left));
  const yesterday = new Date(Date.now() - DAY - HOUR);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), yesterday, yesterday);
  await backupToFolder(database, folder, { now });
  for (const name of left) expect(existsSync(join(folder, name)), name).toBe(false);
  expect(existsSync(next.path)).toBe(true);
  expect(existsSync(join(folder, 'cut.db'))).toBe(true);
});

test('Retention keeps all of the last day, one of each day before, and always the newest', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const madeAt = (at: number) => ({ created_at: new Date(at).toISOString() });
  const hourly = Array.from({ length: 24 * 10 }, (_, hours) => madeAt(now - hours * HOUR));
  const kept = hourly.filter((backup) => !expiredBackups(hourly, now, 7).includes(backup));
  expect(kept.filter(({ created_at }) => Date.parse(created_at) > now - DAY)).toHaveLength(24);
  expect(kept).toHaveLength(24 + 7);
  expect(expiredBackups([madeAt(0)], now, 7)).toEqual([]);
});
