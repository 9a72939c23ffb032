import { latestRun } from '../store/metrics.ts';
import { countUnfinished } from '../store/tasks.ts';
import { rank, ranksAreStale } from './rank.ts';
import type { Ringmaster } from './ringmaster.ts';

/** Up to here ranking takes less time than anybody notices; beyond, the keeper does it. */
const TASKS_MAX = 1_000;

/**
 * For commands that choose: without a keeper, small graphs are ranked when they are asked for. Workers that finish task
 * after task change the graph all the time, and do with ranks of a few seconds ago.
 */
export async function refreshRanks(
  rm: Ringmaster,
  { olderThanMs = 0 }: { readonly olderThanMs?: number } = {},
): Promise<void> {
  if (!ranksAreStale(rm)) return;
  const last = latestRun(rm.store.reader)?.computed_at;
  if (last !== undefined && rm.clock() - Date.parse(last) < olderThanMs) return;
  if (countUnfinished(rm.store.reader, TASKS_MAX + 1) <= TASKS_MAX) await rank(rm);
}
