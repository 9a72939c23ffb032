import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshProfile } from '../../../test/both-backends.ts';
import { NatsServer } from '../../../test/nats.ts';
import { Proxy } from '../../../test/proxy.ts';
import { ChangeFeed } from '../../http/change-feed.ts';
import { utaskOn } from '../../service/open-utask.ts';
import type { Utask } from '../../service/utask.ts';
import { openNats } from './open.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await NatsServer.start();
});
afterAll(() => server.stop());

describe('a network that fails in the middle of operations', () => {
  let proxy: Proxy;
  let profile = '';
  let direct: Utask;
  beforeEach(async () => {
    profile = freshProfile();
    proxy = await Proxy.to(server.port);
    direct = utaskOn(await openNats({ url: server.url, profile }));
  });
  afterEach(async () => {
    await direct.close();
    await proxy.close();
  });
  const through = async (patienceMs: number): Promise<Utask> =>
    utaskOn(await openNats({ url: proxy.url, profile, patienceMs }));
  const laterHeal = (milliseconds: number): void => void setTimeout(() => proxy.heal(), milliseconds);

  it('a change whose answer was lost is found out about, and made once', async () => {
    const store = await through(20_000);
    proxy.loseAnswers();
    laterHeal(500);
    const task = await store.add('once', ['a', 'b']);
    expect(await direct.query()).toEqual([task]);
    expect(await direct.check()).toMatchObject({ tasks: 1, missing: [], stale: [] });
    proxy.loseAnswers();
    laterHeal(500);
    await store.modify(task.id, ({ text }) => ({ text: `${text} more` }));
    expect((await direct.get(task.id)).text, 'not twice').toBe('once more');
    proxy.loseAnswers();
    laterHeal(500);
    await store.delete(task.id);
    expect(await direct.check()).toMatchObject({ tasks: 0, missing: [], stale: [] });
    await store.close();
  });

  it('cuts at any moment lose and double nothing', async () => {
    const store = await through(20_000);
    const state = { isOver: false };
    const cutting = (async () => {
      for (let cut = 0; !state.isOver; cut++) {
        await new Promise((resolve) => setTimeout(resolve, 200 + ((cut * 217) % 600)));
        proxy.heal();
      }
    })();
    const added = [];
    for (let n = 0; n < 40; n++) {
      added.push(await store.add(`task ${n}`, ['a']));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    state.isOver = true;
    await cutting;
    expect((await direct.query({ any: ['a'] })).map(({ id }) => id)).toEqual(added.map(({ id }) => id));
    expect(await direct.check()).toMatchObject({ tasks: 40, missing: [], stale: [] });
    await store.close();
  });

  it('authentication timeouts of a busy server do not end the connection for good', async () => {
    const store = await through(20_000);
    proxy.timeOutAuthentication(3);
    const task = await store.add('later');
    expect(await direct.query()).toEqual([task]);
    await store.close();
  });

  it('an operation gives up in the end, says whether anything may have happened, and can be repeated', async () => {
    const store = await through(500);
    const draft = store.draft('once', []);
    proxy.loseAnswers();
    await expect(store.insert(draft)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', kind: 'unavailable' });
    await expect(store.query()).rejects.toMatchObject({ code: 'NATS_UNREACHABLE', kind: 'unavailable' });
    proxy.heal();
    const again = await through(20_000);
    await again.insert(draft);
    expect(await direct.query()).toEqual([draft]);
    expect(await direct.check()).toMatchObject({ tasks: 1, missing: [], stale: [] });
    await Promise.all([store.close(), again.close()]);
  });

  it('a list that stops in the middle fails in the end, and listening later works', async () => {
    await Promise.all(Array.from({ length: 60 }, () => direct.add('a'.repeat(10_000))));
    const store = await through(500);
    const feed = new ChangeFeed(async () => store);
    proxy.loseAnswersAfter(100_000);
    await expect(store.query()).rejects.toMatchObject({ code: 'NATS_UNREACHABLE' });
    await expect(feed.head()).rejects.toMatchObject({ code: 'NATS_UNREACHABLE' });
    proxy.heal();
    await expect.poll(() => feed.head()).toBeTruthy();
    await expect.poll(() => store.query()).toHaveLength(60);
    await store.close();
  });

  it('a server that restarts is waited for, and watchers go on', async () => {
    const stop = new AbortController();
    const events = (await direct.watch(stop.signal))[Symbol.asyncIterator]();
    await direct.add('before');
    expect((await events.next()).value).toMatchObject({ task: { text: 'before' } });
    const first = direct.add('during', ['a']);
    await server.halt('SIGKILL');
    setTimeout(() => void server.resume(), 500);
    await first;
    expect((await events.next()).value).toMatchObject({ task: { text: 'during' } });
    stop.abort();
    expect(await direct.check()).toMatchObject({ tasks: 2, missing: [], stale: [] });
  });
});
