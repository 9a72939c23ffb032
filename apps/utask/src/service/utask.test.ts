import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onBothBackends } from '../../test/both-backends.ts';
import { encodeTask } from '../model/task.ts';
import { utaskOn } from '../service/open-utask.ts';
import { retire } from '../store/tag-index.ts';
import { Utask } from './utask.ts';

const oddTags = ['two words', '🦑', 'a.b', '*', '>', '日本語', 'c++', 'ünïcode', '100%', 'a/b', '_kv', '.'];

onBothBackends('the store', (backend) => {
  let utask: Utask;
  beforeEach(async () => {
    utask = utaskOn(await backend.open(), { shardSize: 5 });
  });
  afterEach(() => utask.close({ processIsEnding: true }));
  const listed = async (tag: string): Promise<readonly string[]> =>
    (await utask.lists.shards(tag)).flatMap(({ ids }) => ids);

  it('adds a task with its tags in the form of the design document', async () => {
    const task = await utask.add(' Buy milk ', ['Errand', 'shopping']);
    expect(task).toMatchObject({ text: 'Buy milk', done: false, tags: ['errand', 'shopping'] });
    expect(task.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await utask.buckets.tasks.get(task.id))?.value).toBe(encodeTask(task));
    expect((await utask.buckets.tags.get('errand'))?.value).toBe(task.id);
    await expect(utask.add('  ')).rejects.toMatchObject({ code: 'BAD_TEXT' });
  });

  it('gives the same text added twice two tasks', async () => {
    const [first, second] = await Promise.all([utask.add('x'), utask.add('x')]);
    expect(first.id).not.toBe(second.id);
    expect(await utask.query()).toHaveLength(2);
  });

  it('updates what is given and nothing else, and moves the tags', async () => {
    const { id } = await utask.add('one', ['a', 'b']);
    await utask.update(id, { done: true });
    await utask.update(id.slice(0, 12), { text: 'two', tags: ['B', 'c'] });
    expect(await utask.get(id)).toMatchObject({ text: 'two', done: true, tags: ['b', 'c'] });
    expect([await listed('a'), await listed('b'), await listed('c')]).toEqual([[], [id], [id]]);
    expect((await utask.buckets.tags.get('a'))?.value, 'no empty list is left behind').toBeUndefined();
  });

  it('loses no update when many change one task', async () => {
    const { id } = await utask.add('shared');
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => utask.modify(id, ({ tags }) => ({ tags: [...tags, `tag${index}`] }))),
    );
    expect((await utask.get(id)).tags).toHaveLength(10);
    expect(await utask.check()).toMatchObject({ tasks: 1, tags: 10, missing: [], stale: [] });
  });

  it('writes nothing when nothing changes', async () => {
    const { id } = await utask.add('one', ['a']);
    const before = await utask.buckets.tasks.get(id);
    await utask.update(id, { done: false, tags: ['a'] });
    expect(await utask.buckets.tasks.get(id)).toEqual(before);
  });

  it('deletes a task and takes it off its lists', async () => {
    const { id } = await utask.add('one', ['a', 'b']);
    expect(await utask.delete(id.slice(0, 8))).toMatchObject({ id, text: 'one' });
    await expect(utask.get(id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(utask.delete(id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(utask.update(id, { done: true })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect([await listed('a'), await listed('b')]).toEqual([[], []]);
    expect(await utask.query({ any: ['a'] })).toEqual([]);
  });

  it('answers any, all, both and neither, oldest first, up to a limit', async () => {
    const texts = async (query: Parameters<Utask['query']>[0]): Promise<readonly string[]> =>
      (await utask.query(query)).map(({ text }) => text);
    expect(await texts({}), 'an empty bucket is no error').toEqual([]);
    for (const [text, tags] of [
      ['1', ['urgent', 'work']],
      ['2', ['urgent', 'ops']],
      ['3', ['work']],
      ['4', []],
    ] as const) {
      await utask.insert({ ...utask.draft(text, tags), created: `2026-01-01T00:00:0${text}.000Z` });
    }
    expect(await texts({ all: ['urgent', 'work'] }), 'ops,urgent is not ALL of urgent,work').toEqual(['1']);
    expect(await texts({ any: ['OPS', 'work'] })).toEqual(['1', '2', '3']);
    expect(await texts({ any: ['ops', 'work'], all: ['urgent'] })).toEqual(['1', '2']);
    expect(await texts({})).toEqual(['1', '2', '3', '4']);
    expect(await texts({ limit: 2 })).toEqual(['1', '2']);
    expect(await texts({ any: ['work'], limit: 1 })).toEqual(['1']);
    expect(await texts({ any: ['nobody'] })).toEqual([]);
  });

  it('finds tags with any characters in them', async () => {
    const { id } = await utask.add('odd', oddTags);
    for (const tag of oddTags) {
      const found = await utask.query({ all: [tag] });
      expect(
        found.map((task) => [task.id, task.tags]),
        tag,
      ).toEqual([[id, oddTags]]);
    }
    expect([...(await utask.lists.all()).keys()].toSorted()).toEqual(oddTags.toSorted());
    await utask.update(id, { tags: [] });
    expect(await utask.check()).toMatchObject({ tags: 0, missing: [], stale: [] });
  });

  it('resolves beginnings as git does', async () => {
    const made = (beginning: string) => ({ ...utask.draft('x', []), id: beginning.padEnd(128, '0') });
    for (const beginning of ['abcd1', 'abcd2', 'ef012']) await utask.insert(made(beginning));
    expect(await utask.resolve('ef01')).toEqual({ id: made('ef012').id, candidates: [] });
    expect(await utask.resolve('abcd')).toEqual({ id: undefined, candidates: [made('abcd1').id, made('abcd2').id] });
    expect(await utask.resolve('9999')).toEqual({ id: undefined, candidates: [] });
    await expect(utask.get('abcd')).rejects.toMatchObject({
      code: 'ID_AMBIGUOUS',
      kind: 'conflict',
      details: { candidates: [made('abcd1').id, made('abcd2').id] },
    });
    await expect(utask.get('9999')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND', kind: 'not_found' });
    await utask.delete('abcd2');
    expect((await utask.resolve('abcd')).id, 'a deleted task is no candidate').toBe(made('abcd1').id);
    expect((await utask.resolve('abcd', { withDeleted: true })).candidates).toHaveLength(2);
  });

  it('reads a list of many parts as one', async () => {
    const tasks = await Promise.all(Array.from({ length: 23 }, (_, index) => utask.add(`${index}`, ['many'])));
    expect((await utask.lists.shards('many')).length).toBeGreaterThan(4);
    expect(await utask.query({ any: ['many'] })).toHaveLength(23);
    await Promise.all(tasks.slice(0, 20).map(({ id }) => utask.delete(id)));
    expect(await utask.query({ any: ['many'] })).toHaveLength(3);
    await Promise.all(Array.from({ length: 5 }, (_, index) => utask.add(`more ${index}`, ['many'])));
    expect(await utask.check()).toMatchObject({ tasks: 8, tags: 1, missing: [], stale: [] });
  });

  describe('when the lists are wrong', () => {
    const wrong = async (tag: string, ids: readonly string[]): Promise<void> => {
      const before = await utask.buckets.tags.get(tag);
      await utask.buckets.tags.replace(tag, ids.join('\n'), before?.revision ?? 0);
    };

    it('answers by what the tasks say', async () => {
      const { id } = await utask.add('one', ['a']);
      await wrong('b', [id, 'f'.repeat(128), 'nonsense']);
      expect(await utask.query({ any: ['b'] })).toEqual([]);
    });

    it('heals what is stale and no longer young', async () => {
      const { id } = await utask.add('one', ['a']);
      await wrong('b', [id, 'f'.repeat(128)]);
      const later = utaskOn(utask.buckets);
      Object.assign(later, { options: { ...later.options, clock: () => Date.now() + 60_000 } });
      expect(await later.query({ any: ['b'] })).toEqual([]);
      expect((await utask.check()).stale).toEqual([]);
      expect((await utask.buckets.tags.get('b'))?.value).toBeUndefined();
    });

    it('reports what is missing and stale, and rebuilds it', async () => {
      const { id } = await utask.add('one', ['a', 'b']);
      await wrong('a', ['f'.repeat(128)]);
      expect(await utask.check()).toEqual({
        tasks: 1,
        tags: 2,
        missing: [{ tag: 'a', id }],
        stale: [{ tag: 'a', id: 'f'.repeat(128) }],
      });
      expect(await utask.rebuildIndex()).toEqual({ tasks: 1, tags: 2, added: 1, removed: 1 });
      expect(await utask.check()).toEqual({ tasks: 1, tags: 2, missing: [], stale: [] });
      expect(await utask.rebuildIndex()).toMatchObject({ added: 0, removed: 0 });
    });

    it('rebuilds while others write, and undoes nothing of theirs', async () => {
      await Promise.all(Array.from({ length: 10 }, (_, index) => utask.add(`${index}`, ['a'])));
      const [, ...tasks] = await Promise.all([
        utask.rebuildIndex(),
        ...Array.from({ length: 20 }, (_, index) => utask.add(`n${index}`, ['a', 'b'])),
      ]);
      await Promise.all([
        utask.rebuildIndex(),
        ...tasks.slice(0, 10).map(({ id }) => utask.update(id, { tags: ['c'] })),
      ]);
      expect(await utask.query({ any: ['a'] })).toHaveLength(20);
      expect(await utask.check()).toMatchObject({ tasks: 30, missing: [], stale: [] });
    });
  });

  it('never takes an id off the list of a tag that the task is just being given', async () => {
    const { id } = await utask.add('fought over');
    const tagging = Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        utask.modify(id, ({ tags }) => ({
          tags: index % 2 === 0 ? [...tags, 'hot'] : tags.filter((tag) => tag !== 'hot'),
        })),
      ),
    );
    const healing = (async () => {
      for (let round = 0; round < 30; round++) await retire(utask, id, ['hot']);
    })();
    await Promise.all([tagging, healing]);
    expect(await utask.check()).toMatchObject({ missing: [], stale: [] });
  });

  it('adds a task also when somebody took the id for a left-over', async () => {
    const append = utask.lists.append.bind(utask.lists);
    let isFirst = true;
    utask.lists.append = async (tag, id) => {
      await append(tag, id);
      if (isFirst) await retire(utask, id, [tag]);
      isFirst = false;
    };
    const task = await utask.add('one', ['a']);
    expect(await utask.query({ any: ['a'] })).toEqual([task]);
    expect(await utask.check()).toMatchObject({ tasks: 1, missing: [], stale: [] });
  });

  it('shows changes live', async () => {
    const stop = new AbortController();
    const events = await utask.watch(stop.signal);
    const task = await utask.add('one', ['a']);
    await utask.delete(task.id);
    const seen: unknown[] = [];
    for await (const event of events) {
      seen.push(event.task?.text);
      if (seen.length === 2) stop.abort();
    }
    expect(seen).toEqual(['one', undefined]);
  });

  it('changes nothing while the clock is before 1970, says so, and still reads', async () => {
    const task = await utask.add('one', ['a']);
    const wrong = new Utask(utask.buckets, { ...utask.options, clock: () => -1 });
    await expect(wrong.add('two', ['a'])).rejects.toMatchObject({ code: 'CLOCK_WRONG', kind: 'failed' });
    await expect(wrong.update(task.id, { done: true })).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
    expect(await wrong.query({ any: ['a'] })).toEqual([task]);
  });

  it('leaves a value out that is no task, says which, and can remove it', async () => {
    const bad = 'e'.repeat(128);
    const told: string[] = [];
    const reader = utaskOn(utask.buckets, { onUnreadable: (key) => void told.push(key) });
    const task = await utask.add('one', ['a']);
    await utask.lists.append('a', bad);
    await utask.buckets.tasks.replace(bad, 'garbage', 0);
    expect(await reader.query()).toEqual([task]);
    expect(await reader.query({ any: ['a'] })).toEqual([task]);
    expect(told).toEqual([bad, bad]);
    expect(await utask.check()).toEqual({
      tasks: 1,
      tags: 1,
      missing: [],
      stale: [{ tag: 'a', id: bad }],
      unreadable: [bad],
    });
    await expect(utask.get(bad)).rejects.toMatchObject({ code: 'BAD_RECORD' });
    await expect(utask.discard(task.id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await utask.rebuildIndex();
    await utask.discard(bad);
    expect(await utask.check()).toEqual({ tasks: 1, tags: 1, missing: [], stale: [] });
  });
});
