import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openTemporary, temporaryFolder } from '../test/temporary.ts';
import { openDatabase } from './database.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('a new database and its helpers are for their owner only, and so is a folder made for it', async () => {
  const folder = join(temporaryFolder(), 'a', 'b');
  const database = await openTemporary({ path: join(folder, 'test.db') });
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)'));
  expect(modeOf(folder)).toBe('700');
  expect(modeOf(join(folder, '..'))).toBe('700');
  const files = readdirSync(folder).sort();
  expect(files).toEqual(['test.db', 'test.db-shm', 'test.db-wal']);
  expect(files.map((name) => modeOf(join(folder, name)))).toEqual(['600', '600', '600']);
});

test('an umask that would allow more changes nothing', async () => {
  const umask = process.umask(0);
  try {
    const folder = join(temporaryFolder(), 'data');
    await openTemporary({ path: join(folder, 'test.db') });
    expect([modeOf(folder), modeOf(join(folder, 'test.db'))]).toEqual(['700', '600']);
  } finally {
    process.umask(umask);
  }
});

test('a file that others could read is tightened when it is opened, and so is its log', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const first = await openTemporary({ path });
  await first.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)'));
  for (const suffix of ['', '-wal', '-shm']) chmodSync(path + suffix, 0o644);
  await openTemporary({ path });
  expect(['', '-wal', '-shm'].map((suffix) => modeOf(path + suffix))).toEqual(['600', '600', '600']);
});

test('a linked database leaves the mode of its target alone', async () => {
  const target = join(temporaryFolder(), 'target.db');
  await (await openTemporary({ path: target })).close();
  chmodSync(target, 0o640);
  const path = join(temporaryFolder(), 'link.db');
  symlinkSync(target, path);
  await openTemporary({ path });
  expect(modeOf(target)).toBe('640');
});

test('a folder that every user can write to is refused with the command that closes it, unless it is sticky', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'test.db');
  chmodSync(folder, 0o777);
  await expect(openDatabase({ path, kind: 'tables' })).rejects.toMatchObject({
    code: 'STORE_PERMISSION',
    hint: `Restrict access with: chmod 700 ${folder}`,
  });
  chmodSync(folder, 0o1777);
  await openTemporary({ path });
  expect(modeOf(path)).toBe('600');
});

test('a missing file is an error where it must not be created, and nothing is created', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'sub', 'test.db');
  await expect(openDatabase({ path, kind: 'tables', create: false })).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
    kind: 'not_found',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a place where no folder can be made is a permission error', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'not a folder');
  await expect(openDatabase({ path: join(file, 'test.db'), kind: 'tables' })).rejects.toMatchObject({
    code: 'STORE_PERMISSION',
    kind: 'failed',
  });
  expect(readFileSync(file, 'utf8')).toBe('not a folder');
});

test('a folder in the place of the file is refused and keeps its mode', async () => {
  const folder = join(temporaryFolder(), 'folder');
  mkdirSync(folder, { mode: 0o755 });
  for (const create of [true, false]) {
    await expect(openDatabase({ path: folder, kind: 'tables', create })).rejects.toMatchObject({
      code: 'STORE_PERMISSION',
    });
  }
  expect(modeOf(folder)).toBe('755');
});

test('a symbolic link to a database opens that database, with its log beside the real file', async () => {
  const folder = temporaryFolder();
  const real = join(folder, 'real.db');
  const link = join(folder, 'link.db');
  const direct = await openTemporary({ path: real });
  symlinkSync(real, link);
  const linked = await openTemporary({ path: link });
  await linked.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)'));
  expect(direct.all('SELECT * FROM t')).toEqual([]);
  expect(existsSync(`${link}-wal`)).toBe(false);
});

test.each([
  ['NFS', 0x6969],
  ['SMB', 0x517b],
  ['CIFS', 0xff534d42],
  ['SMB2', 0xfe534d42],
  ['9P', 0x01021997],
  ['Ceph', 0x00c36400],
  ['Lustre', 0x0bd00bd0],
])('a database on %s is refused by name, before SQLite touches it', async (name, magic) => {
  const path = join(temporaryFolder(), 'test.db');
  const asked: string[] = [];
  const fileSystemType = (folder: string): number => {
    asked.push(folder);
    return magic;
  };
  await expect(openDatabase({ path, kind: 'tables', fileSystemType })).rejects.toMatchObject({
    code: 'NETWORK_FILE_SYSTEM',
    message: expect.stringContaining(name) as string,
  });
  expect(asked).toEqual([join(path, '..')]);
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test('a local file system is accepted', async () => {
  const EXT4 = 0xef53;
  const database = await openTemporary({ fileSystemType: () => EXT4 });
  expect(database.revision()).toBe(0);
});
