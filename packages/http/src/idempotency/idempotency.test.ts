import { DAY } from '@holdfast/base';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { eventually } from '../../test/raw-client.ts';
import { appOf, asAdmin, asWriter, planApp, planErrors, Plans, postJson, sampleServer } from '../../test/sample-app.ts';
import { created, defineRoute } from '../routes/route.ts';
import { type IdempotencyStore, MemoryIdempotencyStore, type ReplyId, type StoredReply } from './idempotency.ts';

const KEY = { 'idempotency-key': '7f9c0c9e' } as const;

function plansServer(now: () => number = () => 0) {
  const plans = new Plans();
  return { plans, ...sampleServer({ apps: [planApp(plans)], now }) };
}

const create = (title: string, headers: Readonly<Record<string, string>> = { ...asWriter, ...KEY }) =>
  postJson({ title }, headers);

describe('the same Idempotency-Key', () => {
  it('with the same request repeats the answer and does nothing', async () => {
    const { server, plans } = plansServer();
    const first = await server.request('/api/np/plans', create('One'));
    const again = await server.request('/api/np/plans', create('One'));
    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(await first.json());
    expect(again.headers.get('location')).toBe('/api/np/plans/p1');
    expect(again.headers.get('etag')).toBe('"r1"');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(plans.creations).toBe(1);
  });

  it('with another body, or another address, is a conflict', async () => {
    const { server, plans } = plansServer();
    await server.request('/api/np/plans', create('One'));
    for (const [target, title] of [
      ['/api/np/plans', 'Two'],
      ['/api/np/plans?x=1', 'One'],
    ] as const) {
      const response = await server.request(target, create(title));
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    expect(plans.creations).toBe(1);
  });

  it('of another user is another key', async () => {
    const { server, plans } = plansServer();
    await server.request('/api/np/plans', create('One'));
    const response = await server.request('/api/np/plans', create('One', { ...asAdmin, ...KEY }));
    expect(response.headers.get('idempotency-replayed')).toBeNull();
    expect(plans.creations).toBe(2);
  });

  it('is forgotten after a day', async () => {
    let now = 0;
    const { server, plans } = plansServer(() => now);
    await server.request('/api/np/plans', create('One'));
    now = DAY - 1;
    await server.request('/api/np/plans', create('One'));
    expect(plans.creations).toBe(1);
    now = DAY;
    await server.request('/api/np/plans', create('One'));
    expect(plans.creations).toBe(2);
  });

  it('is not remembered for a request that was never valid', async () => {
    const { server, plans } = plansServer();
    expect((await server.request('/api/np/plans', create(''))).status).toBe(422);
    expect((await server.request('/api/np/plans', create('One'))).status).toBe(201);
    expect(plans.creations).toBe(1);
  });

  it.each(['', ' ', 'with space', 'x'.repeat(256), 'ä'.repeat(3)])('"%s" is not one', async (key) => {
    const response = await plansServer().server.request(
      '/api/np/plans',
      create('One', { ...asWriter, 'idempotency-key': key }),
    );
    expect(response.status).toBe(400);
  });

  it('is ignored where the route does not take one', async () => {
    const { server } = plansServer();
    await server.request('/api/np/plans', create('One'));
    const put = { ...create('Two', { ...asWriter, ...KEY, 'if-match': '*' }), method: 'PUT' };
    expect((await server.request('/api/np/plans/p1', put)).status).toBe(200);
  });
});

describe('while the first request still runs', () => {
  function slowServer(options: { readonly failures?: number } = {}) {
    let failures = options.failures ?? 0;
    let runs = 0;
    const release = { now: (): void => undefined };
    const gate = new Promise<void>((resolve) => {
      release.now = resolve;
    });
    const route = defineRoute({
      method: 'POST',
      path: '/slow',
      permission: 'np:write',
      summary: 'Slow',
      request: { body: z.object({ n: z.number() }) },
      responses: { 201: z.object({ run: z.number() }) },
      idempotent: true,
      handler: async () => {
        runs += 1;
        const run = runs;
        await gate;
        if (failures > 0) {
          failures -= 1;
          throw planErrors.PLAN_LOCKED('Locked');
        }
        return created({ run }, '/x');
      },
    });
    return { ...sampleServer({ apps: [appOf(route)] }), release, runs: () => runs };
  }
  const send = (n: number) => postJson({ n }, { ...asWriter, ...KEY });

  it('duplicates wait for it and get its answer', async () => {
    const { server, release, runs } = slowServer();
    const all = [1, 1, 1, 1].map((n) => server.request('/slow', send(n)));
    await eventually(() => runs() === 1, 'the first runs');
    release.now();
    const bodies = await Promise.all(all.map(async (each) => (await each).json()));
    expect(bodies).toEqual([{ run: 1 }, { run: 1 }, { run: 1 }, { run: 1 }]);
    expect(runs()).toBe(1);
  });

  it('another request with its key is refused at once', async () => {
    const { server, release, runs } = slowServer();
    const first = server.request('/slow', send(1));
    await eventually(() => runs() === 1, 'the first runs');
    expect((await server.request('/slow', send(2))).status).toBe(409);
    release.now();
    expect((await first).status).toBe(201);
  });

  it('and fails, a duplicate tries by itself: nothing had happened', async () => {
    const { server, release, runs } = slowServer({ failures: 1 });
    const all = [1, 1, 1].map((n) => server.request('/slow', send(n)));
    await eventually(() => runs() === 1, 'the first runs');
    release.now();
    const statuses = await Promise.all(all.map(async (each) => (await each).status));
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 201, 503]);
    expect(runs()).toBe(2);
  });
});

it('a store that cannot remember does not make the work look failed', async () => {
  const store = {
    get: () => undefined,
    put: vi.fn<IdempotencyStore['put']>(async () => {
      throw new Error('disk full');
    }),
  };
  const { server, lines } = sampleServer({ idempotency: store });
  expect((await server.request('/api/np/plans', create('One'))).status).toBe(201);
  expect(store.put).toHaveBeenCalledOnce();
  expect(lines.join('')).toContain('answer not stored');
});

it('the memory store forgets the oldest when it is full', () => {
  const store = new MemoryIdempotencyStore(() => 0, 2);
  const reply: StoredReply = { fingerprint: 'f', status: 201, headers: {}, body: null };
  const [a, b, c] = ['a', 'b', 'c'].map((keyHash) => ({ userId: 'u', keyHash })) as [ReplyId, ReplyId, ReplyId];
  for (const id of [a, b, c]) store.put(id, reply, 1);
  expect([store.get(a), store.get(b), store.get(c)]).toEqual([undefined, reply, reply]);
  expect(store.get({ ...c, userId: 'v' })).toBeUndefined();
  expect(store.size).toBe(2);
});
