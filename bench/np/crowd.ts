import { openNp, readLog, verify } from '@holdfast/np';

import { type Context, type Figure, median } from '../lib/harness.ts';
import { newFixture } from './fixture.ts';

const PROCESSES = 50;

/**
 * Workload: fifty processes start at once and each adds one task durably to the same plan. Timed: until the last has
 * ended, compared with a single `np t a` on the same plan.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const fixture = newFixture(context.folder);
  const alone: number[] = [];
  for (let round = 0; round < (context.quick ? 2 : 11); round++) {
    alone.push(await timed(() => fixture.start(['t', 'a', '-t', `alone ${round}`])));
  }
  const crowd = await timed(() =>
    Promise.all(Array.from({ length: PROCESSES }, (_, index) => fixture.start(['t', 'a', '-t', `task ${index}`]))),
  );
  await expectAll(fixture.database, fixture.project, alone.length + PROCESSES);
  const one = median(alone);
  const baseline = `one np t a: ${one.toFixed(0)} ms (fifty ${crowd.toFixed(0)} ms)`;
  return [{ name: 'np.crowd_50', value: crowd / one, unit: '×', baseline, goal: 35, better: 'lower' }];
}

async function expectAll(path: string, directory: string, count: number): Promise<void> {
  const np = await openNp({ path });
  const { events } = await readLog(np, { directory }, { after: 0, limit: 1_000 });
  const { problems } = await verify(np, false);
  await np.close();
  const isComplete = events.length === count && events.every(({ seq }, index) => seq === index + 1);
  if (!isComplete || problems.length > 0) throw new Error('An addition was lost or its number has a gap');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
