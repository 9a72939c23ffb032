import { TestServer } from '../../packages/postgres/test/server.ts';
import { Child } from '../lib/child.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';

const PROCESSES = 4;

/**
 * Workload: four processes with 16 callers each add tasks for a while, each process in a space of its own. Baseline:
 * the same in one space. Both sides take turns.
 */
export async function benchmark({ quick }: Context): Promise<readonly Figure[]> {
  const server = await TestServer.start(['fsync=on']);
  const names = Array.from({ length: PROCESSES }, (_, index) => String(index));
  const start = (spaceOf: (name: string) => string) =>
    Promise.all(names.map((name) => Child.start('postgres-writer', [server.address(), spaceOf(name), name])));
  const apart = await start((name) => `own-${name}`);
  const together = await start(() => 'shared');
  const milliseconds = quick ? 300 : 3_000;
  const run = async (children: readonly Child[]): Promise<number> => {
    const added = await Promise.all(children.map((child) => child.ask<number>(String(milliseconds))));
    return (added.reduce((sum, one) => sum + one, 0) * 1_000) / milliseconds;
  };
  const rates: { readonly apart: number; readonly together: number }[] = [];
  try {
    for (let round = quick ? 0 : -1; round < (quick ? 1 : 5); round++) {
      const first = await run(round % 2 === 0 ? apart : together);
      const second = await run(round % 2 === 0 ? together : apart);
      if (round >= 0)
        rates.push(round % 2 === 0 ? { apart: first, together: second } : { apart: second, together: first });
    }
  } finally {
    await Promise.all([...apart, ...together].map((child) => child.stop()));
    await server.stop();
  }
  const shown = (side: 'apart' | 'together'): string => Math.round(median(rates.map((rate) => rate[side]))).toString();
  return [
    {
      name: 'postgres.spaces',
      value: median(rates.map(({ apart: own, together: shared }) => own / shared)),
      unit: '×',
      baseline: `one space: ${shown('together')}/s (ours ${shown('apart')}/s)`,
      goal: 2.5,
      better: 'higher',
    },
  ];
}
