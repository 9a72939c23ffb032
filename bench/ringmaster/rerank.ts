import { join } from 'node:path';

import { addDependency } from '../../apps/ringmaster/src/service/graph.ts';
import { claim } from '../../apps/ringmaster/src/service/queue.ts';
import { rank } from '../../apps/ringmaster/src/service/rank.ts';
import type { Ringmaster } from '../../apps/ringmaster/src/service/ringmaster.ts';
import { type Context, type Figure, quantile } from '../lib/harness.ts';
import { prepare, randomLinks } from './setup.ts';

const ROUNDS = 8;

/**
 * Workload: 10,000 ranked tasks with 50,000 dependencies. One dependency is added and everything is ranked again while
 * the same process claims every few milliseconds. Baseline: undisturbed claims, alternating. Timed: each claim.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const tasks = quick ? 300 : 10_000;
  const rm = await prepare(join(folder, 'rerank'), tasks, randomLinks(tasks, tasks * 5), 1);
  try {
    await rank(rm);
    const idle: number[] = [];
    const busy: number[] = [];
    for (let round = 0; round < (quick ? 2 : ROUNDS); round++) {
      await addDependency(rm, { task: `bd-${round + 1}`, depends_on: 'bd-0', type: 'waits-for' });
      const claims: number[] = [];
      const started = performance.now();
      const state = { isRanking: true };
      const ranked = rank(rm).finally(() => {
        state.isRanking = false;
      });
      while (state.isRanking) claims.push(await claimTime(rm));
      await ranked;
      progress(`  ranked in ${Math.round(performance.now() - started)} ms beside ${claims.length} claims`);
      busy.push(...claims);
      for (let n = 0; n < claims.length; n++) idle.push(await claimTime(rm));
    }
    const [idle99, busy99] = [quantile(idle, 0.99), quantile(busy, 0.99)];
    const baseline = `idle p99 ${idle99.toFixed(2)} ms (while ranking ${busy99.toFixed(2)} ms)`;
    return [
      { name: 'ringmaster.rerank.claim_p99', value: busy99 / idle99, unit: '×', baseline, goal: 2, better: 'lower' },
    ];
  } finally {
    await rm.store.close();
  }
}

/** Claims and releases, so there is always a task to claim. */
async function claimTime(rm: Ringmaster): Promise<number> {
  const started = performance.now();
  const claimed = await claim(rm, { worker: 'w0' });
  const took = performance.now() - started;
  if (claimed === undefined) throw new Error('nothing to claim');
  await rm.store.write('give back', (tx) => {
    tx.run(`UPDATE attempts SET ended_at = started_at, outcome = 'released' WHERE id = ?`, claimed.attempt.id);
    tx.run(`UPDATE tasks SET status = 'ready' WHERE id = ?`, claimed.task.id);
  });
  await new Promise((resolve) => setTimeout(resolve, 2));
  return took;
}
