import { latestRun } from '../store/metrics.ts';
import { countUnfinished } from '../store/tasks.ts';
import { rank, ranksAreStale } from './rank.ts';
import type { Ringmaster } from './ringmaster.ts';

/** Ranking more tasks than this takes noticeable time and is left to maintenance. */
const TASKS_MAX = 1_000;

/**
 * Ranks small graphs on demand, so that commands choose well even when no maintenance runs. Workers change the graph with
 * every finished task and accept ranks that are a few seconds old (`olderThanMs`).
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
