import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, startSession, listKeys, verify } from '../index.ts';

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
