import { delay } from '@holdfast/base';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { onEveryEngine, storedKeys } from '../test/every-engine.ts';
import { events, plays, task, tasks, users, version } from '../test/plan-schema.ts';
import type { Keyspace } from './index.ts';

onEveryEngine('transactions', (open) => {
  let db: Keyspace;
  beforeEach(async () => {
    db = await open();
  });
  afterEach(() => db.close({ processIsEnding: true }));

  it('apply everything or nothing', async () => {
    const failure = new Error('changed my mind');
    const attempt = db.transact(async (tx) => {
      await tx.put(tasks, { sid: 'a', id: '1' }, task('1'));
      tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: 'added' }));
      tx.add(plays, { id: 'b' }, 1);
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await storedKeys(db)).toEqual({});
    expect(await db.revision()).toBe(0);
  });

  it('see their own writes, in gets and in ranges', async () => {
    await db.transact(async (tx) => {
      for (const id of ['1', '2', '3']) await tx.put(tasks, { sid: 'a', id }, task(id));
    });
    await db.transact(async (tx) => {
      await tx.delete(tasks, { sid: 'a', id: '1' });
      await tx.put(tasks, { sid: 'a', id: '25' }, task('25'));
      await tx.put(tasks, { sid: 'a', id: '3' }, task('3', { status: 'done' }));
      expect(await tx.get(tasks, { sid: 'a', id: '1' })).toBeUndefined();
      expect((await tx.list(tasks, { sid: 'a' })).map(({ id }) => id)).toEqual(['2', '25', '3']);
      expect((await tx.list(tasks, { sid: 'a' }, { limit: 2 })).map(({ id }) => id)).toEqual(['2', '25']);
      expect((await tx.list(tasks, { sid: 'a' }, { reverse: true, limit: 2 })).map(({ id }) => id)).toEqual([
        '3',
        '25',
      ]);
      expect(await tx.list(tasks.by.status, { sid: 'a', status: 'done' })).toHaveLength(1);
    });
  });

  it('read one state, however long they take', async () => {
    await db.transact((tx) => tx.put(version, {}, 'one'));
    const seen = await db.snapshot(async (reads) => {
      const before = await reads.get(version, {});
      await db.transact((tx) => tx.put(version, {}, 'two'));
      return [before, await reads.get(version, {})];
    });
    expect(seen).toEqual(['one', 'one']);
  });

  it('list long lists completely and in order, also when one fetch does not return all entries', async () => {
    const ids = Array.from({ length: 600 }, (_, number) => String(number).padStart(3, '0'));
    await db.transact(async (tx) => {
      for (const id of ids) await tx.put(tasks, { sid: 'a', id }, task(id));
    });
    const idsOf = (found: readonly { readonly id: string }[]): readonly string[] => found.map(({ id }) => id);
    await db.snapshot(async (reads) => {
      expect(idsOf(await reads.list(tasks, { sid: 'a' }))).toEqual(ids);
      expect(idsOf(await reads.list(tasks, { sid: 'a' }, { reverse: true }))).toEqual(ids.toReversed());
      expect(idsOf(await reads.list(tasks, { sid: 'a' }, { limit: 500 }))).toEqual(ids.slice(0, 500));
      expect(idsOf(await reads.list(tasks.by.status, { sid: 'a', status: 'pending' }))).toEqual(ids);
      expect((await reads.entries(tasks, { sid: 'a' })).map(({ key }) => key.id)).toEqual(ids);
    });
  });

  it('lose no update, however many run at once', async () => {
    await db.transact((tx) => tx.put(version, {}, '0'));
    const increment = (_: unknown, index: number) =>
      db.transact(async (tx) => {
        const value = Number(await tx.get(version, {}));
        await delay(index % 4);
        await tx.put(version, {}, String(value + 1));
      });
    await Promise.all(Array.from({ length: 25 }, increment));
    expect(await db.get(version, {})).toBe('25');
  });

  it('are serialisable: two that each read what the other writes cannot both pass (write skew)', async () => {
    await db.transact(async (tx) => {
      await tx.put(tasks, { sid: 'a', id: '1' }, task('1'));
      await tx.put(tasks, { sid: 'a', id: '2' }, task('2'));
    });
    // Each transaction closes its task only while another task is open.
    const close = (id: string) =>
      db.transact(async (tx) => {
        const pendingTasks = await tx.list(tasks.by.status, { sid: 'a', status: 'pending' });
        await delay(5);
        if (pendingTasks.length < 2) return;
        await tx.put(tasks, { sid: 'a', id }, task(id, { status: 'done' }));
      });
    await Promise.all([close('1'), close('2')]);
    expect(await db.list(tasks.by.status, { sid: 'a', status: 'pending' })).toHaveLength(1);
  });

  it('notice what appears in a range they read (phantoms)', async () => {
    const addIfFewerThanThree = (_: unknown, index: number) =>
      db.transact(async (tx) => {
        const existing = await tx.list(tasks, { sid: 'a' });
        await delay(index % 4);
        const id = String(index);
        if (existing.length < 3) await tx.put(tasks, { sid: 'a', id }, task(id));
      });
    await Promise.all(Array.from({ length: 10 }, addIfFewerThanThree));
    expect(await db.list(tasks, { sid: 'a' })).toHaveLength(3);
  });

  it('that only append or count are never run twice', async () => {
    let runs = 0;
    const append = () =>
      db.transact((tx) => {
        runs += 1;
        tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: 'x' }));
        tx.add(plays, { id: 'b' }, 2);
        return Promise.resolve();
      });
    await Promise.all(Array.from({ length: 40 }, append));
    expect(runs).toBe(40);
    const numbers = (await db.list(events, { sid: 'a' })).map(({ seq }) => seq);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await db.get(plays, { id: 'b' })).toBe(80);
  });

  it('can use the number their append will get', async () => {
    const add = (id: string) =>
      db.transact(async (tx) => {
        const seq = await tx.next(events, { sid: 'a' });
        await tx.put(tasks, { sid: 'a', id }, task(id, { title: `created at ${seq}` }));
        tx.append(events, { sid: 'a' }, (actual) => ({ seq: actual, what: `added ${id} at ${seq}` }));
      });
    await Promise.all(['1', '2', '3', '4', '5'].map(add));
    for (const event of await db.list(events, { sid: 'a' })) expect(event.what).toMatch(new RegExp(`at ${event.seq}$`));
  });

  it('validate values before they are written, naming the field', async () => {
    const bad = { ...task('1'), status: 'unknown' as 'done' };
    const attempt = db.transact((tx) => tx.put(tasks, { sid: 'a', id: '1' }, bad));
    await expect(attempt).rejects.toMatchObject({ code: 'VALUE_INVALID', message: expect.stringContaining('status') });
    const cut = db.transact((tx) => tx.put(version, {}, 'cut\0off'));
    await expect(cut).rejects.toMatchObject({ code: 'VALUE_INVALID' });
    const badEvent = db.transact((tx) => {
      tx.append(events, { sid: 'a' }, () => ({ seq: 'x' as unknown as number, what: 'x' }));
      return Promise.resolve();
    });
    await expect(badEvent).rejects.toMatchObject({ code: 'VALUE_INVALID' });
    expect(await storedKeys(db)).toEqual({});
  });

  it('do not hand out a stored value that does not fit its schema', async () => {
    await db.transact((tx) => {
      tx.writeKey('u:1', '{"id":1}');
      tx.writeKey('u:2', 'not json');
      return Promise.resolve();
    });
    await expect(db.get(users, { id: '1' })).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
    await expect(db.get(users, { id: '2' })).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
  });

  it('insert only where nothing is, and update only what exists', async () => {
    await db.transact((tx) => tx.insert(tasks, { sid: 'a', id: '1' }, task('1')));
    const again = db.transact((tx) => tx.insert(tasks, { sid: 'a', id: '1' }, task('1')));
    await expect(again).rejects.toMatchObject({ code: 'RECORD_EXISTS' });
    const done = await db.transact((tx) =>
      tx.update(tasks, { sid: 'a', id: '1' }, (value) => ({ ...value, status: 'done' as const })),
    );
    expect(done?.status).toBe('done');
    const none = await db.transact((tx) => tx.update(tasks, { sid: 'a', id: '9' }, (value) => value));
    expect(none).toBeUndefined();
    expect(await db.transact((tx) => tx.delete(tasks, { sid: 'a', id: '9' }))).toBe(false);
  });

  it('tell the revision they became, and no new one when they changed nothing', async () => {
    const write = () => db.transactWithRevision((tx) => tx.put(version, {}, 'x'));
    expect((await write()).revision).toBe(1);
    expect((await write()).revision).toBe(1);
    expect((await db.transactWithRevision((tx) => tx.get(version, {}))).revision).toBe(1);
  });
});

onEveryEngine('lists and pages', (open) => {
  let db: Keyspace;
  const ids = Array.from({ length: 25 }, (_, index) => String(index).padStart(2, '0'));
  beforeEach(async () => {
    db = await open();
    await db.transact(async (tx) => {
      for (const id of ids) await tx.put(tasks, { sid: 'a', id }, task(id));
      for (const id of ids) tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: id }));
      await tx.put(tasks, { sid: 'ab', id: 'other' }, task('other'));
    });
  });
  afterEach(() => db.close({ processIsEnding: true }));

  it('cover exactly the given leading parts, and skip keys of other templates', async () => {
    expect(await db.list(tasks, { sid: 'a' })).toHaveLength(25);
    expect(await db.list(tasks, {})).toHaveLength(26);
    expect(await db.list(tasks, {}, { limit: 20 })).toHaveLength(20);
    expect((await db.entries(tasks, { sid: 'ab' }))[0]).toEqual({
      key: { sid: 'ab', id: 'other' },
      value: task('other'),
    });
  });

  it('include keys whose open part is beyond ASCII', async () => {
    const names = ['a', '~', 'ü', '日本', '😀'];
    await db.transact(async (tx) => {
      for (const id of names) await tx.put(tasks, { sid: 'u', id }, task(id));
    });
    expect((await db.list(tasks, { sid: 'u' })).map(({ id }) => id).toSorted()).toEqual(names.toSorted());
    expect(await db.list(tasks.by.status, { sid: 'u', status: 'pending' })).toHaveLength(names.length);
  });

  it('can be bounded in the first open part', async () => {
    const numbers = async (options: object) => (await db.list(events, { sid: 'a' }, options)).map(({ seq }) => seq);
    expect(await numbers({ start: 24 })).toEqual([24, 25]);
    expect(await numbers({ start: 3, end: 6 })).toEqual([3, 4, 5]);
    expect(await numbers({ end: 3, reverse: true })).toEqual([2, 1]);
  });

  it('page through everything once, in both directions, by record and by index', async () => {
    for (const reverse of [false, true]) {
      for (const source of ['record', 'index'] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const options = { limit: 7, reverse, cursor };
          const page =
            source === 'record'
              ? await db.page(tasks, { sid: 'a' }, options)
              : await db.page(tasks.by.status, { sid: 'a', status: 'pending' }, options);
          seen.push(...page.items.map(({ id }) => id));
          ({ cursor } = page);
        } while (cursor !== undefined);
        expect(seen).toEqual(reverse ? ids.toReversed() : ids);
      }
    }
  });

  it('refuse the cursor of another list', async () => {
    const { cursor } = await db.page(tasks, { sid: 'a' }, { limit: 1 });
    await expect(db.page(tasks, { sid: 'ab' }, { cursor })).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
    await expect(db.page(tasks, { sid: 'a' }, { cursor: '!!' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('get many at once, in order, with gaps', async () => {
    const found = await db.getMany(tasks, [
      { sid: 'a', id: '03' },
      { sid: 'a', id: 'no' },
      { sid: 'a', id: '01' },
    ]);
    expect(found.map((value) => value?.id)).toEqual(['03', undefined, '01']);
  });

  it('scan more than a page without holding all of it', async () => {
    let count = 0;
    for await (const event of db.scan(events, { sid: 'a' })) count += event.seq;
    expect(count).toBe((25 * 26) / 2);
  });
});
