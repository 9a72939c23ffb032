import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeyspace, sqliteEngine } from '@holdfast/keyspace';
import { expect, it, onTestFinished } from 'vitest';
import { bucketConformance } from '../../test/bucket-conformance.ts';
import { definitionsOf, openEmbedded } from './embedded.ts';

bucketConformance();

it('tells a watcher of a key that is gone because the database was set back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'utask-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'utask.db');
  const buckets = await openEmbedded({ path, now: Date.now });
  const bucket = buckets.tasks;
  const stop = new AbortController();
  await bucket.replace('a', '1', 0);
  const changes = (await bucket.watch(stop.signal))[Symbol.asyncIterator]();
  const { values, meta } = definitionsOf(bucket.name);
  const db = await openKeyspace({ engine: await sqliteEngine({ path }), schema: { values, meta } });
  await db.transact(async (tx) => {
    await tx.delete(values, { key: 'a' });
    await tx.delete(meta, { key: 'a' });
  });
  await bucket.replace('b', '2', 0);
  expect((await changes.next()).value).toMatchObject({ key: 'a', value: undefined });
  expect((await changes.next()).value).toMatchObject({ key: 'b', value: '2' });
  stop.abort();
  await Promise.all([db.close(), buckets.close()]);
});

it('stores nothing while the clock is before 1970', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'utask-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const buckets = await openEmbedded({ path: join(folder, 'utask.db'), now: () => -1 });
  await expect(buckets.tasks.replace('a', '1', 0)).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  expect(await buckets.tasks.scan()).toEqual([]);
  await buckets.close();
});

it('reads around damaged values, and a damaged revision does not block the next change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'utask-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'utask.db');
  const unreadable: string[] = [];
  const buckets = await openEmbedded({ path, now: Date.now, onUnreadable: (key) => void unreadable.push(key) });
  const bucket = buckets.tasks;
  for (const key of ['a', 'b']) await bucket.replace(key, '1', 0);
  const { values, meta } = definitionsOf(bucket.name);
  const db = await openKeyspace({ engine: await sqliteEngine({ path }), schema: { values, meta } });
  const damaged = values.template.encode({ key: 'a' });
  await db.transact(async (tx) => tx.writeKey(damaged, new Uint8Array([1])));
  await db.transact((tx) => tx.put(meta, { key: 'b' }, '{'));
  expect(await bucket.scan()).toEqual([['b', '1']]);
  expect(unreadable).toEqual([damaged]);
  const { revision } = (await bucket.get('b'))!;
  expect(await bucket.replace('b', '2', revision)).toBeGreaterThan(0);
  expect(await bucket.get('b')).toMatchObject({ value: '2' });
  await Promise.all([db.close(), buckets.close()]);
});
