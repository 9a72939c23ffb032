import { join } from 'node:path';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { addMany, newFixture, runNothing } from './fixture.ts';

/**
 * Workload: plans of 100 and 10,000 tasks; `np t` prints all; `np t a` durably adds one and prints what changed. Timed:
 * whole processes of the built command, alternating with the baseline `node -e 0`.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, count, listGoal, addGoal] of [
    ['100', 100, 1.2, 1.3],
    ['10k', context.quick ? 1_000 : 10_000, 2, 3],
  ] as const) {
    context.progress(`a plan of ${count} tasks`);
    const fixture = newFixture(join(context.folder, name));
    addMany(fixture, count);
    const rounds = context.quick ? 2 : 25;
    const timing = { operations: 1, rounds, warmUpRounds: 2, baseline: runNothing };
    const list = await compare({ ...timing, ours: () => fixture.run(['t']) });
    figures.push(ratioFigure(`np.list_${name}`, list, 'node -e 0', listGoal));
    const add = await compare({ ...timing, ours: (n) => fixture.run(['t', 'a', '-t', `New task ${n}`, '-d', 'x']) });
    figures.push(ratioFigure(`np.add_${name}`, add, 'node -e 0', addGoal));
  }
  return figures;
}
