import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { NumberedFeed } from '../../test/numbered-feed.ts';
import { eventually } from '../../test/raw-client.ts';
import { Broadcaster, type Subscription } from './broadcaster.ts';

async function take(subscription: Subscription, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const step = await subscription.next();
    if (step.done === true) break;
    ids.push(Number(step.value.id));
  }
  return ids;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a broadcaster', () => {
  it('reads its source once for all who listen from now on', async () => {
    const feed = new NumberedFeed();
    feed.add();
    const broadcaster = new Broadcaster(feed);
    const listeners = await Promise.all(range(1, 50).map(() => broadcaster.subscribe('1')));
    const taken = Promise.all(listeners.map((each) => take(each, 3)));
    await eventually(() => feed.readers === 1, 'the source is read');
    for (let count = 0; count < 3; count++) feed.add();
    for (const ids of await taken) expect(ids).toEqual([2, 3, 4]);
    expect(feed.opened).toBe(1);
    await broadcaster.close();
  });

  it('gives one who was away what it missed, from its own reading, and then shares again', async () => {
    const feed = new NumberedFeed();
    for (let count = 0; count < 500; count++) feed.add();
    const broadcaster = new Broadcaster(feed, { capacity: 16 });
    const late = await broadcaster.subscribe('0');
    expect(await take(late, 500)).toEqual(range(1, 500));
    await eventually(() => feed.readers === 1, 'its own reading has ended');
    const next = take(late, 1);
    feed.add();
    expect(await next).toEqual([501]);
    expect(feed.opened).toBe(2);
    await broadcaster.close();
  });

  it('lets one who is too slow read by itself, and keeps no more than it wants to', async () => {
    const feed = new NumberedFeed();
    const broadcaster = new Broadcaster(feed, { capacity: 8 });
    const slow = await broadcaster.subscribe('0');
    const fast = await broadcaster.subscribe('0');
    const fastTaken = take(fast, 100);
    await eventually(() => feed.readers === 1, 'the source is read');
    for (let count = 0; count < 100; count++) {
      feed.add();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await fastTaken).toEqual(range(1, 100));
    expect(await take(slow, 100)).toEqual(range(1, 100));
    await broadcaster.close();
  });

  it('never skips or repeats anything, whoever comes and goes in whatever order', async () => {
    const runs = fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(
          fc.oneof(
            fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 9 }) }),
            fc.record({ kind: fc.constant('join' as const), back: fc.nat(20) }),
            fc.record({ kind: fc.constant('read' as const), who: fc.nat(5), count: fc.integer({ min: 1, max: 9 }) }),
            fc.record({ kind: fc.constant('leave' as const), who: fc.nat(5) }),
            fc.record({ kind: fc.constant('pause' as const) }),
          ),
          { minLength: 5, maxLength: 40 },
        ),
        async (capacity, steps) => {
          const feed = new NumberedFeed();
          const broadcaster = new Broadcaster(feed, { capacity });
          const listeners: { subscription: Subscription; last: number }[] = [];
          for (const step of steps) {
            if (step.kind === 'add') for (let count = 0; count < step.count; count++) feed.add();
            if (step.kind === 'pause') await new Promise((resolve) => setImmediate(resolve));
            if (step.kind === 'join') {
              const last = Math.max(0, feed.last - step.back);
              listeners.push({ subscription: await broadcaster.subscribe(String(last)), last });
            }
            const listener = 'who' in step ? listeners[step.who] : undefined;
            if (listener === undefined) continue;
            if (step.kind === 'leave') listener.subscription.close();
            if (step.kind !== 'read') continue;
            const count = Math.min(step.count, feed.last - listener.last);
            const ids = await take(listener.subscription, count);
            if (ids.length > 0) expect(ids).toEqual(range(listener.last + 1, listener.last + count));
            listener.last += ids.length;
          }
          await broadcaster.close();
          await eventually(() => feed.readers === 0, 'nobody reads any more');
        },
      ),
      { numRuns: 200 },
    );
    await expect(runs).resolves.toBeUndefined();
  });

  it('ends all listeners when the source fails, and reads anew for who comes back', async () => {
    const errors: unknown[] = [];
    const feed = new NumberedFeed();
    const broadcaster = new Broadcaster(feed, { onError: (error) => errors.push(error) });
    const listener = await broadcaster.subscribe('0');
    feed.add();
    expect(await take(listener, 1)).toEqual([1]);
    feed.fail(new Error('the journal is locked'));
    expect(await listener.next()).toEqual({ done: true, value: undefined });
    expect(errors).toHaveLength(1);
    feed.failure = undefined;
    feed.add();
    expect(await take(await broadcaster.subscribe('1'), 1)).toEqual([2]);
    await broadcaster.close();
  });

  it('ends a listener that waits, at once', async () => {
    const feed = new NumberedFeed();
    const broadcaster = new Broadcaster(feed);
    const waiting = await broadcaster.subscribe('0');
    const step = waiting.next();
    await waiting.return();
    expect((await step).done).toBe(true);
    const controller = new AbortController();
    const iterator = broadcaster.open('0', controller.signal)[Symbol.asyncIterator]();
    const other = iterator.next();
    setTimeout(() => controller.abort(), 10);
    expect((await other).done).toBe(true);
    await broadcaster.close();
    expect((await (await broadcaster.subscribe('0')).next()).done).toBe(true);
  });
});
