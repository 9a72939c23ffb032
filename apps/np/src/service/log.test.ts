import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import {
  addTasks,
  type Event,
  followGlobalLog,
  followLog,
  openNp,
  readGlobalLog,
  readLog,
  startSession,
} from '../index.ts';

const task = (title: string) => [{ title, description: '' }];

describe('the log', () => {
  it('gives the newest, or the oldest after a number', async () => {
    const { np, call, directory } = await openHarness();
    await startSession(np, { directory, cmd: 'np s' });
    for (let index = 1; index <= 9; index += 1) await addTasks(np, { ...call, tasks: task(`t${index}`) });
    const seqs = async (request: { after?: number; limit: number }) =>
      (await readLog(np, call.where, request)).events.map(({ seq }) => seq);
    expect(await seqs({ limit: 3 })).toEqual([7, 8, 9]);
    expect(await seqs({ after: 4, limit: 3 })).toEqual([5, 6, 7]);
    expect(await seqs({ limit: 100 })).toHaveLength(10);
  });

  it('of all sessions comes in the order of time', async () => {
    const { np, directory, tick } = await openHarness();
    const sids: string[] = [];
    for (const name of ['a', 'b']) {
      tick();
      sids.push((await startSession(np, { directory: `${directory}/${name}`, cmd: 'np s' })).session.sid);
    }
    tick();
    await addTasks(np, { where: { sid: sids[0]! }, cmd: 'x', tasks: task('last') });
    const feed = await readGlobalLog(np, 10);
    expect(feed.map(({ sid, event }) => [sid, event.type])).toEqual([
      [sids[0], 'session_started'],
      [sids[1], 'session_started'],
      [sids[0], 'task_added'],
    ]);
    const following = followGlobalLog(np, { limit: 1 });
    const next = async () => (await following.next()).value?.event.payload;
    expect(await next()).toMatchObject({ task: { title: 'last' } });
    const more = next();
    await addTasks(np, { where: { sid: sids[1]! }, cmd: 'x', tasks: task('new') });
    expect(await more).toMatchObject({ task: { title: 'new' } });
    await following.return();
  });

  it('can be followed: everything once, in order, whoever writes it', async () => {
    const { np, database, call, directory } = await openHarness();
    await startSession(np, { directory, cmd: 'np s' });
    const reader = await openNp(database);
    const controller = new AbortController();
    const seen: Event[] = [];
    const following = (async () => {
      const request = { after: -1, limit: 1_000, signal: controller.signal };
      for await (const event of followLog(reader, call.where, request)) {
        seen.push(event);
        if (seen.length === 61) controller.abort();
      }
    })();
    const batches = Array.from({ length: 20 }, (_, index) =>
      addTasks(np, { ...call, tasks: [0, 1, 2].flatMap((part) => task(`${index}.${part}`)) }),
    );
    await Promise.all([...batches, following]);
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 61 }, (_, index) => index));
    await reader.close();
  });

  it('is not confused by the counter, whose key begins like that of the session', async () => {
    const { np, call, directory, tick } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    tick();
    const { sessions } = await import('../store/definitions.ts');
    const commits = np.store.watch(sessions, { sid: session.sid });
    await addTasks(np, { ...call, tasks: task('x') });
    const { value } = await commits.next();
    expect(value?.changes.map(({ after }) => after)).toMatchObject([{ sid: session.sid, state: 'active' }]);
    await commits.return();
  });
});
