import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import { findLongReaders } from './long-readers.ts';

test.runIf(process.platform === 'linux')('names the process whose read transaction pins a long log', async () => {
  let now = 1_000;
  const database = await openTemporary({ now: () => now });
  const fill = (bytes: number) =>
    database.write(({ connection }) => connection.run('INSERT INTO filler (bytes) VALUES (zeroblob(?))', bytes));
  await database.write(({ connection }) => connection.exec('CREATE TABLE filler (id INTEGER PRIMARY KEY, bytes BLOB)'));
  await fill(10);
  const snapshot = database.snapshot();
  for (now of [2_000, 3_000, 4_000]) await fill(10_000_000);
  const found = findLongReaders(database.path);
  expect(found).toMatchObject({ oldestBefore: 2_000, processes: [{ pid: process.pid }] });
  expect(found!.processes[0]!.command).toContain('node');
  expect(found!.pinnedBytes).toBeGreaterThan(30_000_000);
  snapshot.release();
  expect(findLongReaders(database.path)).toBeUndefined();
});

test('a short log has no long readers', async () => {
  const database = await openTemporary();
  const snapshot = database.snapshot();
  expect(findLongReaders(database.path)).toBeUndefined();
  snapshot.release();
});
