import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import {
  addTasks,
  archiveSession,
  type Call,
  listKeys,
  listSessions,
  openNp,
  schema,
  showPlan,
  startSession,
  updateTasks,
  verify,
  type Where,
} from '../index.ts';
import { answerChange } from './plan.ts';

describe('verify', () => {
  it('finds what was damaged behind its back, and repairs what can be derived', async () => {
    const { np, call, directory, keys } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const { sid } = session;
    const [added] = await addTasks(np, { ...call, tasks: [{ title: 'One', description: '' }] });
    const id = added!.task.id;
    const before = await keys();
    const stats = JSON.stringify({ ...JSON.parse(before[`s/${sid}/stats`]!), completed: 7 });
    await np.store.transact(async (tx) => {
      tx.writeKey(`s/${sid}/idx/status/pending/${id}`, undefined);
      tx.writeKey(`s/${sid}/idx/status/failed/${id}`, '');
      tx.writeKey(`dir/${session.dir_hash}/active`, undefined);
      tx.writeKey(`s/${sid}/stats`, stats);
    });
    const found = await verify(np, false);
    expect(new Set(found.problems.map(({ kind, key }) => `${kind} ${key}`))).toEqual(
      new Set([
        `missing_index dir/${session.dir_hash}/active`,
        `missing_index s/${sid}/idx/status/pending/${id}`,
        `stale_index s/${sid}/idx/status/failed/${id}`,
        `wrong_counter s/${sid}/stats`,
      ]),
    );
    expect((await verify(np, true)).problems.every(({ repaired }) => repaired)).toBe(true);
    expect((await verify(np, false)).problems).toEqual([]);
    expect(await keys()).toEqual(before);
  });

  it('reports a log that does not fit, which nothing can repair', async () => {
    const { np, call, directory } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const { sid } = session;
    const titles = ['One', 'Two'].map((title) => ({ title, description: '' }));
    const added = await addTasks(np, { ...call, tasks: titles });
    await np.store.transact(async (tx) => {
      tx.writeKey(`s/${sid}/evt/0000000000000001`, undefined);
      tx.writeKey(`s/${sid}/meta/evt_seq`, new Uint8Array([0, 0, 0, 0, 0, 0, 0, 9]));
      tx.writeKey('something/else', 'x');
    });
    const { problems } = await verify(np, false);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'unknown_key', key: 'something/else' }),
        expect.objectContaining({ kind: 'log_gap', key: `s/${sid}/evt/0000000000000002` }),
        expect.objectContaining({ kind: 'wrong_counter', key: `s/${sid}/meta/evt_seq` }),
        expect.objectContaining({ kind: 'log_gap', key: `s/${sid}/task/${added[0]!.task.id}` }),
      ]),
    );
  });
});

it('keys are listed with values as stored: an id that looks like a number stays text', async () => {
  const { np } = await openHarness();
  await np.store.transact(async (tx) => tx.writeKey('something/else', '4368e4'));
  expect(await listKeys(np, 'something/')).toEqual([{ key: 'something/else', value: '4368e4', encoding: 'text' }]);
});

describe('damage', () => {
  const damaged = async (...keys: readonly string[]) => {
    const harness = await openHarness();
    const { np, call, directory } = harness;
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const added = await addTasks(np, { ...call, tasks: ['One', 'Two'].map((title) => ({ title, description: '' })) });
    const { sid } = session;
    const [one, two] = added.map(({ task }) => task.id);
    const before = await harness.keys();
    await np.store.transact(async (tx) => {
      for (const key of keys) tx.writeKey(`s/${sid}/${key.replace('ONE', one!)}`, '{"broken');
    });
    return { ...harness, sid, one: one!, two: two!, before };
  };

  it('in one session does not end the check of the others', async () => {
    const { np, sid, one } = await damaged('task/ONE', 'stats', 'evt/0000000000000001');
    const { session } = await startSession(np, { directory: '/elsewhere', cmd: 'np s' });
    await np.store.transact(async (tx) => tx.writeKey(`s/${session.sid}/meta/evt_seq`, 'x'));
    const { problems } = await verify(np, false);
    expect(problems.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        `s/${sid}/task/${one}`,
        `s/${sid}/stats`,
        `s/${sid}/evt/0000000000000001`,
        `s/${session.sid}/meta/evt_seq`,
      ]),
    );
  });

  it('is repaired: counts are recomputed, and what cannot be restored is set aside', async () => {
    const { np, call, sid, two } = await damaged('task/ONE', 'stats', 'evt/0000000000000001');
    await verify(np, true);
    expect((await verify(np, false)).problems).toEqual([]);
    const { tasks, counts } = await showPlan(np, call.where);
    expect(tasks.map(({ id }) => id)).toEqual([two]);
    expect(counts).toMatchObject({ pending: 1 });
    const kept = await listKeys(np, 'holdfast:set-aside/');
    expect(kept.map(({ key, value }) => [key.split('/').slice(2, 4).join('/'), value])).toEqual(
      Array.from({ length: 3 }, () => [`s/${sid}`, '{"broken']),
    );
  });

  it('of the counts does not prevent changes', async () => {
    const { np, call, sid, one } = await damaged('stats');
    await updateTasks(np, { ...call, updates: [{ id: one, status: 'completed' }] });
    expect(await np.store.get(schema.stats, { sid })).toMatchObject({ completed: 1, pending: 1 });
  });

  it('of a task leaves the rest of the plan readable, with a warning', async () => {
    const { database, call, sid, one, two } = await damaged('task/ONE', 'goal');
    const unreadable: string[] = [];
    const reader = await openNp({ ...database, onUnreadable: (key) => void unreadable.push(key) });
    const plan = await showPlan(reader, call.where);
    expect(plan).toMatchObject({ goal: null, tasks: [{ id: two }] });
    expect(unreadable.toSorted()).toEqual([`s/${sid}/goal`, `s/${sid}/task/${one}`]);
    await reader.close();
  });

  it('of the counts does not change what the list of sessions shows', async () => {
    const { database, sid } = await damaged('stats');
    const reader = await openNp({ ...database, onUnreadable: () => undefined });
    const { items } = await listSessions(reader, { state: 'all', limit: 10 });
    expect(items).toMatchObject([{ session: { sid }, counts: { pending: 2 } }]);
    await reader.close();
  });

  it('of a session is an error wherever the session is needed, and never leads to another plan', async () => {
    const { database, call, directory, sid } = await damaged('meta');
    const np = await openNp({ ...database, onUnreadable: () => undefined });
    const { session: parent } = await startSession(np, { directory: dirname(directory), cmd: 'np s' });
    const add = (where: Where) => {
      const change = (given: Call) => addTasks(np, { ...given, tasks: [{ title: 'Three', description: '' }] });
      return answerChange({ np, where, directory }, { plan: false }, { name: '', via: 'np t a', face: 'cli' }, change);
    };
    for (const where of [call.where, { sid }, { sid: sid.slice(-6) }]) {
      await expect(showPlan(np, where)).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
      await expect(add(where)).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
    }
    await expect(startSession(np, { directory, cmd: 'np s' })).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
    expect((await showPlan(np, { sid: parent.sid })).tasks).toEqual([]);
    await archiveSession(np, { ...call, where: { sid: parent.sid.slice(-6) } });
    await np.close();
  });
});
