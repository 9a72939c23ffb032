import { readFileSync, writeFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openTemporary } from '../test/temporary.ts';
import { readKey, readRange, writeKey } from './keyspace-table.ts';

const everything = { gte: '', lt: '~', limit: 10, reverse: false };

test('a number in the place of a value is read as bytes', async () => {
  const { reader } = await openTemporary({ kind: 'keyspace' });
  for (const [key, value] of [['a', 2n ** 60n] as const, ['b', 1.5] as const]) {
    reader.run('INSERT INTO keyspace VALUES (?, ?)', key, value);
  }
  expect(readKey(reader, 'a')).toBeInstanceOf(Uint8Array);
  expect(readRange(reader, everything)).toEqual([
    ['a', Buffer.from('bigint 1152921504606846976')],
    ['b', Buffer.from('number 1.5')],
  ]);
});

test('a key that a failing disk turned into a number is reported as damage', async () => {
  const database = await openTemporary({ kind: 'keyspace' });
  for (const key of ['a', 'b', 'c', 'd', 'e']) writeKey(database.reader, key, '1');
  database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  await database.close();
  const bytes = readFileSync(database.path);
  // The header of this record has 3 bytes: its own length, and the types of key and value. Type 15 is text of one byte,
  // type 1 is an integer.
  const at = bytes.indexOf(Buffer.from([3, 15, 15, 0x62, 0x31]));
  expect(at).toBeGreaterThan(0);
  bytes[at + 1] = 1;
  writeFileSync(database.path, bytes);
  const { reader } = await openTemporary({ path: database.path, kind: 'keyspace' });
  expect(() => readRange(reader, everything)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }));
});
