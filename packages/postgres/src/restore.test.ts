import type { CommitRequest } from '@holdfast/keyspace';
import { expect, it, onTestFinished } from 'vitest';

import { sharedServer } from '../test/server.ts';
import { type PostgresEngine, postgresEngine } from './engine.ts';
import { restoreKeys } from './restore.ts';

let spaces = 0;

async function open(space = `${process.pid}-restore${++spaces}`): Promise<PostgresEngine> {
  const engine = await postgresEngine({ address: (await sharedServer()).address(), space });
  onTestFinished(() => engine.close());
  return engine;
}

const put = (values: Readonly<Record<string, string | undefined>>): CommitRequest => ({
  base: undefined,
  reads: new Map(),
  ranges: [],
  writes: new Map(Object.entries(values)),
  appends: [],
  additions: [],
});

it('restores an earlier revision with a new commit, which can itself be undone', async () => {
  const engine = await open();
  await engine.commit(put({ a: '1', b: '1' }));
  await engine.commit(put({ a: '2', b: undefined, c: '2' }));
  await engine.commit(put({ a: '3' }));
  expect(await restoreKeys(engine, 1)).toEqual({ changed: 3, revision: 4 });
  expect(await engine.getMany(['a', 'b', 'c'])).toEqual(['1', '1', undefined]);
  expect((await engine.changes(3, 1))[0]?.note).toBe('restored to revision 1');
  await restoreKeys(engine, 3);
  expect(await engine.getMany(['a', 'b', 'c'])).toEqual(['3', undefined, '2']);
});

it('refuses a revision that the journal does not have', async () => {
  const engine = await open();
  await engine.commit(put({ a: '1' }));
  await expect(restoreKeys(engine, 2)).rejects.toMatchObject({ code: 'RESTORE_POINT_UNKNOWN' });
  await expect(restoreKeys(engine, -1)).rejects.toMatchObject({ code: 'RESTORE_POINT_UNKNOWN' });
});

it('finds the revision of a time', async () => {
  const engine = await open();
  await engine.commit(put({ a: '1' }));
  await engine.commit(put({ a: '2' }));
  const [first] = await engine.changes(0, 1);
  expect(await engine.revisionAt(first!.at - 1)).toBeUndefined();
  expect(await engine.revisionAt(Date.now() + 60_000)).toBe(2);
  expect(await engine.oldestRevision()).toBe(1);
  expect(await engine.bytes()).toBeGreaterThan(0);
});
