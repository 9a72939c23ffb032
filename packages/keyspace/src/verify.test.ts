import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

import { onEveryEngine, storedKeys } from '../test/every-engine.ts';
import { events, task, tasks, users } from '../test/plan-schema.ts';
import { Keyspace, log, record } from './index.ts';

onEveryEngine('verify', (open) => {
  let db: Keyspace;
  let sound: Record<string, unknown>;
  beforeEach(async () => {
    db = await open();
    await db.transact(async (tx) => {
      for (const id of ['1', '2', '3']) await tx.put(tasks, { sid: 'a', id }, task(id, { tags: ['x', 'y'] }));
      await tx.put(users, { id: 'U' }, { id: 'U', name: 'Ada', active: true });
      for (const what of ['a', 'b', 'c']) tx.append(events, { sid: 'a' }, (seq) => ({ seq, what }));
    });
    sound = await storedKeys(db);
  });
  afterEach(() => db.close({ processIsEnding: true }));

  const damage = (keys: Readonly<Record<string, string | Uint8Array | undefined>>) =>
    db.transact((tx) => {
      for (const [key, value] of Object.entries(keys)) tx.writeKey(key, value);
      return Promise.resolve();
    });
  const found = async () => (await db.verify()).problems.map(({ kind, key }) => `${kind} ${key}`).toSorted();

  it('finds nothing wrong with a sound keyspace', async () => {
    const report = await db.verify();
    expect(report).toEqual({ keys: 24, records: 7, indexes: 16, setAside: [], problems: [] });
  });

  it('finds index entries that are missing, stale or wrong, and repairs them', async () => {
    await damage({
      's/a/idx/status/pending/1': undefined,
      's/a/idx/status/done/2': '',
      's/a/idx/tag/x/3': 'wrong',
      's/a/idx/tag/x/nobody': '1',
      'idx:user:name:eve': 'U',
      'idx/events/a/0000000000000002': undefined,
      'idx/what/x/a/0000000000000002': '',
    });
    expect(await found()).toEqual(
      [
        'missing_index idx/events/a/0000000000000002',
        'missing_index s/a/idx/status/pending/1',
        'stale_index idx/what/x/a/0000000000000002',
        'stale_index idx:user:name:eve',
        'stale_index s/a/idx/status/done/2',
        'stale_index s/a/idx/tag/x/nobody',
        'wrong_index s/a/idx/tag/x/3',
      ].toSorted(),
    );
    const report = await db.repair();
    expect(report.problems.every(({ repaired }) => repaired)).toBe(true);
    expect(await storedKeys(db)).toEqual(sound);
    expect(await found()).toEqual([]);
  });

  it('repairs the value of an index entry that comes after its record', async () => {
    const books = record('b:{id}', z.object({ id: z.string(), shelf: z.string() }), {
      indexes: { shelf: { key: 'c:{shelf}', value: '{id}', unique: true } },
    });
    const library = new Keyspace(db.engine, { books });
    await library.transact((tx) => tx.put(books, { id: '1' }, { id: '1', shelf: 'left' }));
    await damage({ 'c:left': 'nobody' });
    await library.repair();
    expect(await library.engine.get('c:left')).toBe('1');
  });

  it('finds gaps in logs and counters that are behind; the counter is repaired, the gap only reported', async () => {
    await db.transact((tx) => tx.delete(events, { sid: 'a', seq: 2 }));
    await damage({ 's/a/meta/evt_seq': new Uint8Array([0, 0, 0, 0, 0, 0, 0, 1]) });
    expect(await found()).toEqual(['log_gap s/a/evt/0000000000000003', 'wrong_counter s/a/meta/evt_seq']);
    await db.repair();
    expect(await found()).toEqual(['log_gap s/a/evt/0000000000000003']);
    await db.transact((tx) => Promise.resolve(tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: 'd' }))));
    expect((await db.list(events, { sid: 'a' })).map(({ seq }) => seq)).toEqual([1, 3, 4]);
  });

  it('lets a log that may be trimmed begin anywhere, but not skip a number', async () => {
    const trimmed = log('t/{sid}/{seq}', z.object({ seq: z.number() }), { counter: 't/{sid}/last', trimmable: true });
    const own = new Keyspace(db.engine, { ...db.schema, trimmed });
    await damage({ 't/x/0000000000000005': '{"seq":5}', 't/x/0000000000000006': '{"seq":6}', 't/x/last': '6' });
    expect((await own.verify()).problems).toEqual([]);
    await damage({ 't/x/0000000000000008': '{"seq":8}', 't/x/last': '8' });
    expect((await own.verify()).problems.map(({ kind }) => kind)).toEqual(['log_gap']);
  });

  it('sets values aside that cannot be read, and leaves keys alone that belong to nothing', async () => {
    await damage({ 'u:U': 'not json', 'stats:plays:b': 'many', 'who/knows': 'x' });
    expect(await found()).toEqual(
      ['unknown_key who/knows', 'unreadable_value stats:plays:b', 'unreadable_value u:U'].toSorted(),
    );
    const revision = await db.revision();
    const { problems } = await db.repair();
    expect(problems.filter(({ repaired }) => !repaired).map(({ key }) => key)).toEqual(['who/knows']);
    expect(await storedKeys(db)).toMatchObject({
      [`holdfast:set-aside/${revision}/u:U`]: 'not json',
      [`holdfast:set-aside/${revision}/stats:plays:b`]: 'many',
      'who/knows': 'x',
    });
    expect(await db.get(users, { id: 'U' })).toBeUndefined();
    expect(await found()).toEqual(['unknown_key who/knows']);
    expect((await db.verify()).setAside.toSorted()).toEqual(['stats:plays:b', 'u:U']);
  });

  it('accepts the gap that a log entry leaves when it is set aside', async () => {
    await damage({ 's/a/evt/0000000000000002': 'damaged' });
    await db.repair();
    expect(await found()).toEqual([]);
    expect((await db.list(events, { sid: 'a' })).map(({ seq }) => seq)).toEqual([1, 3]);
  });

  it('recomputes the counter of a log that holds no number', async () => {
    await damage({ 's/a/meta/evt_seq': 'three' });
    const append = () => db.transact(async (tx) => tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: 'd' })));
    await expect(append()).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
    await db.repair();
    await append();
    expect((await db.list(events, { sid: 'a' })).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  it('lets reads outside of transactions go on around unreadable values', async () => {
    await damage({ 's/a/task/2': 'damaged', 'u:U': '{}' });
    const unreadable: string[] = [];
    const reader = new Keyspace(db.engine, db.schema, (key) => void unreadable.push(key));
    expect((await reader.list(tasks, { sid: 'a' })).map(({ id }) => id)).toEqual(['1', '3']);
    expect(await reader.snapshot((reads) => reads.get(users, { id: 'U' }))).toBeUndefined();
    expect((await reader.page(tasks.by.status, { sid: 'a' }, { limit: 2 })).items.map(({ id }) => id)).toEqual([
      '1',
      '3',
    ]);
    expect(new Set(unreadable)).toEqual(new Set(['s/a/task/2', 'u:U']));
    await expect(reader.transact((tx) => tx.list(tasks, { sid: 'a' }))).rejects.toMatchObject({
      code: 'VALUE_UNREADABLE',
    });
  });

  it('repairs while others write', async () => {
    await damage({ 's/a/idx/status/pending/1': undefined, 's/a/idx/status/done/2': '' });
    const writing = Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        db.transact((tx) =>
          tx.put(tasks, { sid: 'a', id: String(index % 5) }, task(String(index % 5), { tags: [`t${index}`] })),
        ),
      ),
    );
    await Promise.all([writing, db.repair()]);
    await db.repair();
    expect(await found()).toEqual([]);
  });
});
