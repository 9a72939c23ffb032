import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

import { onEveryEngine, storedKeys } from '../test/every-engine.ts';
import { events, schema, task, tasks, users } from '../test/plan-schema.ts';
import { type Keyspace, log, record } from './index.ts';

onEveryEngine('indexes', (open) => {
  let db: Keyspace;
  beforeEach(async () => {
    db = await open();
  });
  afterEach(() => db.close({ processIsEnding: true }));

  const append = (sid: string, ...texts: string[]) =>
    db.transact((tx) => {
      for (const what of texts) tx.append(events, { sid }, (seq) => ({ seq, what }));
      return Promise.resolve();
    });
  const put = (value: ReturnType<typeof task>) => db.transact((tx) => tx.put(tasks, { sid: 'a', id: value.id }, value));

  it('are literal keys with exactly the declared value', async () => {
    await put(task('1', { tags: ['x', 'y/z'], owner: 'me' }));
    await db.transact((tx) => tx.put(users, { id: 'U1' }, { id: 'U1', name: 'Ada', active: true }));
    expect(await storedKeys(db)).toEqual({
      's/a/task/1': JSON.stringify(task('1', { tags: ['x', 'y/z'], owner: 'me' })),
      's/a/idx/status/pending/1': '',
      's/a/idx/tag/x/1': '1',
      's/a/idx/tag/y%2Fz/1': '1',
      's/a/idx/owner/me/1': '',
      'u:U1': '{"id":"U1","name":"Ada","active":true}',
      'idx:user:name:ada': 'U1',
    });
  });

  it('keep parts together that belong together, where lists by themselves would be combined', async () => {
    const Volume = z.object({ id: z.string(), in: z.array(z.object({ row: z.string(), number: z.number() })) });
    const volumes = record('v:{id}', Volume, {
      indexes: {
        row: {
          key: 'idx:row:{row}:{number:d4}:{id}',
          each: (volume: z.infer<typeof Volume>) => volume.in,
        },
      },
    });
    const rows = [
      { row: 'a', number: 1 },
      { row: 'b', number: 3 },
    ];
    await db.transact((tx) => tx.put(volumes, { id: '1' }, { id: '1', in: rows }));
    expect((await db.list(volumes.by.row, { row: 'b' })).map(({ id }) => id)).toEqual(['1']);
    const keys = Object.keys(await storedKeys(db)).filter((key) => key.startsWith('idx:row'));
    expect(keys).toEqual(['idx:row:a:0001:1', 'idx:row:b:0003:1']);
    await db.transact((tx) => tx.put(volumes, { id: '1' }, { id: '1', in: [] }));
    expect(await db.list(volumes.by.row, {})).toEqual([]);
  });

  it('move with the record and leave nothing behind', async () => {
    await put(task('1', { tags: ['x', 'y'], owner: 'me' }));
    await put(task('1', { status: 'done', tags: ['y', 'z'] }));
    expect(Object.keys(await storedKeys(db)).toSorted()).toEqual(
      ['s/a/idx/status/done/1', 's/a/idx/tag/y/1', 's/a/idx/tag/z/1', 's/a/task/1'].toSorted(),
    );
    await db.transact((tx) => tx.delete(tasks, { sid: 'a', id: '1' }));
    expect(await storedKeys(db)).toEqual({});
  });

  it('lead back to the records, in order, forwards and backwards', async () => {
    for (const id of ['3', '1', '2']) await put(task(id, { tags: id === '2' ? [] : ['odd'] }));
    const ids = async (reverse: boolean) =>
      (await db.list(tasks.by.tag, { sid: 'a', tags: 'odd' }, { reverse })).map(({ id }) => id);
    expect(await ids(false)).toEqual(['1', '3']);
    expect(await ids(true)).toEqual(['3', '1']);
    expect(await db.list(tasks.by.status, { sid: 'b', status: 'pending' })).toEqual([]);
  });

  it('of unique kind find one record and refuse a second, also when both come at once', async () => {
    const create = (id: string, name: string) => db.transact((tx) => tx.put(users, { id }, { id, name, active: true }));
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => create(`U${index}`, 'Ada')));
    const failures = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(failures).toHaveLength(19);
    for (const { reason } of failures) expect(reason).toMatchObject({ code: 'UNIQUE_TAKEN', kind: 'conflict' });
    const winner = await db.find(users.by.name, { name: 'ada' });
    expect(winner?.name).toBe('Ada');
    expect(await db.list(users, {})).toHaveLength(1);
  });

  it('free a unique value with its record, and let a record keep its own', async () => {
    const put1 = (name: string, active = true) =>
      db.transact((tx) => tx.put(users, { id: 'U1' }, { id: 'U1', name, active }));
    await put1('Ada');
    await put1('ADA');
    await put1('Ada', false);
    await db.transact((tx) => tx.put(users, { id: 'U2' }, { id: 'U2', name: 'ada', active: true }));
    expect((await db.find(users.by.name, { name: 'ada' }))?.id).toBe('U2');
    await expect(put1('Ada')).rejects.toMatchObject({ code: 'UNIQUE_TAKEN' });
  });

  it('of a log are written with the entry', async () => {
    await append('a', 'x');
    expect((await storedKeys(db))['idx/events/a/0000000000000001']).toBe('');
  });

  it('of a log lead back to its entries, with the keys of the entries', async () => {
    await append('a', 'first', 'second');
    await append('b', 'third');
    const found = await db.entries(events.by.feed, {}, { reverse: true, limit: 2 });
    expect(found.map(({ key, value }) => [key.sid, key.seq, value.what])).toEqual([
      ['b', 1, 'third'],
      ['a', 2, 'second'],
    ]);
    expect((await db.page(events.by.feed, { sid: 'a' }, { limit: 1 })).items.map(({ what }) => what)).toEqual([
      'first',
    ]);
  });

  it('of a log follow entries that are written under a given number, replaced and deleted', async () => {
    const write = (what: string) => db.transact((tx) => tx.put(events, { sid: 'a', seq: 1 }, { seq: 1, what }));
    await write('x');
    expect((await db.list(events.by.what, { what: 'x' })).map(({ seq }) => seq)).toEqual([1]);
    await write('y');
    expect(await db.list(events.by.what, { what: 'x' })).toEqual([]);
    await db.transact((tx) => tx.delete(events, { sid: 'a', seq: 1 }));
    expect(await storedKeys(db)).toEqual({});
  });

  it('are all as verify expects them', async () => {
    for (let index = 0; index < 30; index++) {
      await put(task(String(index % 7), { status: index % 2 === 0 ? 'done' : 'pending', tags: [`t${index % 3}`] }));
    }
    expect((await db.verify()).problems).toEqual([]);
    expect(schema.tasks.indexes).toHaveLength(3);
  });
});

it('an index that cannot lead back to its record is refused when it is defined', () => {
  const Thing = z.object({ id: z.string(), kind: z.string() });
  expect(() => record('t/{id}', Thing, { indexes: { kind: 'idx/{kind}' } })).toThrow(/lead back/);
  expect(() => record('t/{id}', Thing, { indexes: { kind: { key: 'idx/{kind}', value: '{id}' } } })).toThrow(/unique/);
});

it('an index of a log is refused when it is unique or leaves out the number', () => {
  const Entry = z.object({ kind: z.string() });
  const define = (index: string | { readonly key: string; readonly unique: true }) =>
    log('t/{sid}/{seq}', Entry, { counter: 't/{sid}/last', indexes: { kind: index } });
  expect(() => define('idx/{kind}/{sid}')).toThrow(/lead back/);
  expect(() => define({ key: 'idx/{kind}/{sid}/{seq}', unique: true })).toThrow(/cannot be unique/);
});

it('the compiler refuses an index over a field that does not exist, and keys with a gap', () => {
  const Thing = z.object({ id: z.string(), kind: z.string() });
  // @ts-expect-error -- there is no field `colour`
  const wrong = () => record('t/{id}', Thing, { indexes: { colour: 'idx/{colour}/{id}' } });
  const wrongLog = () =>
    // @ts-expect-error -- there is no field `colour`
    log('t/{seq}', Thing, { counter: 't/last', indexes: { colour: 'idx/{colour}/{seq}' } });
  // @ts-expect-error -- {sid} comes before {id}
  const gap = (db: Keyspace) => db.list(tasks, { id: '1' });
  // @ts-expect-error -- the whole key is needed
  const part = (db: Keyspace) => db.get(tasks, { sid: 'a' });
  // @ts-expect-error -- sequence numbers are numbers
  const kind = (db: Keyspace) => db.get(events, { sid: 'a', seq: '1' });
  expect([wrong, wrongLog, gap, part, kind]).toHaveLength(5);
});
