import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';

import { onEveryEngine } from '../test/every-engine.ts';
import { version } from '../test/plan-schema.ts';
import { type Keyspace, LeasedWork, leases } from './index.ts';

const NEVER_MS = 1_000_000_000;

onEveryEngine('leased work', (open) => {
  let db: Keyspace;
  beforeEach(async () => {
    db = await open();
  });
  afterEach(() => db.close());

  /** Creates a worker that stands for one process. Its timer never fires; the test calls `attempt` instead. */
  function worker(
    work: (lease: { readonly keyspace: Keyspace }) => Promise<unknown>,
    durationMs = NEVER_MS,
  ): LeasedWork {
    const made = new LeasedWork({
      keyspace: db,
      name: 'sweep',
      everyMs: NEVER_MS,
      durationMs,
      work,
      onError: () => undefined,
    });
    onTestFinished(() => made.stop());
    return made;
  }

  it('is done by one process while that process lives, and by another one afterwards', async () => {
    const done: string[] = [];
    const [one, two] = ['one', 'two'].map((name) => worker(async () => done.push(name)));
    for (let period = 0; period < 3; period++) {
      await one!.attempt();
      await two!.attempt();
    }
    expect(done).toEqual(['one', 'one', 'one']);
    await two!.attempt();
    expect(done.at(-1)).toBe('two');
    expect(await db.get(leases, { name: 'sweep' })).toEqual({ owner: null, fence: 4, beat: 0 });
  });

  it('is never done by two processes that start at the same moment', async () => {
    let [working, most] = [0, 0];
    const all = Array.from({ length: 8 }, () =>
      worker(async () => {
        most = Math.max(most, ++working);
        await new Promise((resolve) => setTimeout(resolve, 5));
        working -= 1;
      }),
    );
    const results = await Promise.all(all.map((each) => each.attempt()));
    expect([results.filter(Boolean).length, most]).toEqual([1, 1]);
  });

  it('passes on when its process hangs, which then can no longer write', async () => {
    let [wake, begun] = [(): void => undefined, (): void => undefined];
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const hangs = new Promise<void>((resolve) => (wake = resolve));
    const slow = worker(async ({ keyspace }) => {
      begun();
      await hangs;
      await keyspace.transact((tx) => tx.put(version, {}, 'slow'));
    });
    const ended = slow.attempt();
    await hasBegun;
    const other = worker(({ keyspace }) => keyspace.transact((tx) => tx.put(version, {}, 'other')), 0);
    expect([await other.attempt(), await other.attempt()]).toEqual([false, true]);
    wake();
    await expect(ended).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await db.get(version, {})).toBe('other');
    expect(await db.get(leases, { name: 'sweep' })).toMatchObject({ owner: null, fence: 2 });
  });

  it('stays with a process that works for long, because its heartbeat goes on', async () => {
    let finish = (): void => undefined;
    const long = worker(() => new Promise<void>((resolve) => (finish = resolve)), 60);
    const ended = long.attempt();
    const beat = async () => (await db.get(leases, { name: 'sweep' }))?.beat ?? -1;
    const other = worker(() => Promise.resolve(), 0);
    for (let look = 0, last = -1; look < 3; look++) {
      await expect.poll(beat, { interval: 5 }).toBeGreaterThan(last);
      last = await beat();
      expect(await other.attempt()).toBe(false);
    }
    finish();
    expect(await ended).toBe(true);
  });
});
