import { expect, it, vi } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, openNp, startSession } from '../index.ts';
import { PlanFeed } from './plan-feed.ts';

it('follows what was chosen last, also while something else is being read', async () => {
  const { np, path, directory } = await openHarness();
  const start = (name: string) => startSession(np, { directory: `${directory}/${name}`, cmd: 'np s' });
  const [one, other] = [(await start('one')).session.sid, (await start('other')).session.sid];
  let shown: string | undefined;
  const feed = new PlanFeed(
    {
      open: () => openNp({ path }),
      identity: () => path,
      onPlan: (plan) => (shown = plan?.session.sid),
      onNotice: () => undefined,
    },
    { sid: one },
  );
  const running = feed.run();
  const shows = (sid: string) => vi.waitFor(() => expect(shown).toBe(sid), { timeout: 15_000, interval: 1 });
  // Switches to another session at each step of reading the first one.
  for (let steps = 0; steps < 40; steps += 1) {
    feed.follow({ sid: one });
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    feed.follow({ sid: other });
    await shows(other);
    feed.follow({ sid: one });
    await shows(one);
  }
  feed.stop();
  await running;
});

it('shows the rest of a plan with a damaged value, and says what is missing', async () => {
  const { np, path, call, directory } = await openHarness();
  const { session } = await startSession(np, { directory, cmd: 'np s' });
  const [one] = await addTasks(np, { ...call, tasks: ['One', 'Two'].map((title) => ({ title, description: '' })) });
  const key = `s/${session.sid}/task/${one!.task.id}`;
  await np.store.transact(async (tx) => tx.writeKey(key, '{"broken'));
  let titles: readonly string[] = [];
  let shown: string | undefined;
  const feed = new PlanFeed(
    {
      open: (onUnreadable) => openNp({ path, onUnreadable }),
      identity: () => path,
      onPlan: (plan) => (titles = plan?.tasks.map(({ title }) => title) ?? []),
      onNotice: (notice) => (shown = notice),
    },
    call.where,
  );
  const running = feed.run();
  await vi.waitFor(() => expect(shown).toContain(key), { timeout: 15_000, interval: 5 });
  expect(titles).toEqual(['Two']);
  feed.stop();
  await running;
});
