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

it('ends while other processes commit without a pause, with exactly the state of the revision', async () => {
  const engine = await open();
  const others = await Promise.all([open(`${process.pid}-restore${spaces}`), open(`${process.pid}-restore${spaces}`)]);
  let rounds = 0;
  // Whenever the restore has read the newest revision, another process commits.
  const disturbed = {
    ...engine,
    async revision(): Promise<number> {
      if (++rounds > 20) throw new Error('The restore does not end');
      const revision = await engine.revision();
      await others[0].commit(put({ b: `after ${revision}` }));
      return revision;
    },
  };
  await engine.commit(put({ a: 'old', b: 'old' }));
  await engine.commit(put({ a: 'new' }));
  const over = new AbortController();
  const writing = others.map(async (other, writer) => {
    for (let n = 0; !over.signal.aborted; n++) await other.commit(put({ [`w${writer}-${n}`]: 'x', b: String(n) }));
  });
  const restoring = restoreKeys(disturbed, 1).finally(() => over.abort());
  await Promise.all(writing);
  const { revision } = await restoring;
  // Uses the journal to undo the commits that followed the restore.
  const state = new Map(await engine.range({ gte: '', lt: '~', limit: 99_999, reverse: false }));
  for (const { changes } of [...(await engine.changes(revision, 99_999))].reverse()) {
    for (const { key, before } of changes) {
      if (before === undefined) state.delete(key);
      else state.set(key, before);
    }
  }
  expect(Object.fromEntries(state)).toEqual({ a: 'old', b: 'old' });
});

it('restores many keys in several journal entries, all at once', async () => {
  const engine = await open();
  await engine.commit(put({ last: 'old' }));
  const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`k${n}`, 'x']));
  await engine.commit(put({ ...many, last: 'new' }));
  expect(await restoreKeys(engine, 1)).toEqual({ changed: 15_001, revision: 4 });
  expect(await engine.range({ gte: '', lt: '~', limit: 9, reverse: false })).toEqual([['last', 'old']]);
  expect((await engine.changes(2, 9)).map(({ changes }) => changes.length)).toEqual([10_000, 5_001]);
  expect(await restoreKeys(engine, 4)).toEqual({ changed: 0, revision: 4 });
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
