import { delay, HOUR, SECOND, toTimestamp } from '@holdfast/base';

import { computeMetrics } from '../adapters/metrics-worker.ts';
import { combine, type Scores } from '../model/graph/combine.ts';
import type { GraphMetrics } from '../model/graph/metrics.ts';
import { waitedDays } from '../model/time.ts';
import { graphVersion } from '../store/meta.ts';
import * as ranking from '../store/ranking.ts';
import { countUnfinished } from '../store/tasks.ts';
import type { Ringmaster } from './ringmaster.ts';

/**
 * Few rows per commit, so that a claim waits only for one small commit. A commit of 8 rows takes about as much CPU time
 * as a claim; with 16 rows it takes twice as much.
 */
const ROWS_PER_COMMIT = 8;
const MINUTES_UNKNOWN = 60;

/** With aging, ranks change slowly even if the graph does not, so ringmaster computes them again after this time. */
const AGING_EVERY = HOUR;

export function ranksAreStale({ store, config, clock }: Ringmaster): boolean {
  const run = ranking.latestRun(store.reader);
  if ((run?.graph_version ?? 0) !== graphVersion(store.reader)) return true;
  return (
    config.prioritization.aging_weight > 0 && run !== undefined && clock() - Date.parse(run.computed_at) > AGING_EVERY
  );
}

/** Ranking more tasks than this takes noticeable time and is left to maintenance. */
const ON_DEMAND_TASKS_MAX = 1_000;

/**
 * Before a list is shown, graphs of up to 100 tasks are ranked, so that lists show the same scores as explanations.
 * Ranking a larger graph takes many commits, and each commit would reload the pages that follow the change feed.
 */
export const LISTED_RANKS = { olderThanMs: SECOND, tasksMax: 100 } as const;

/**
 * Ranks small graphs on demand, so that claims follow the priorities even when no maintenance runs. Every finished task
 * changes the graph, so workers accept ranks that are a few seconds old (`olderThanMs`).
 */
export async function refreshRanks(
  rm: Ringmaster,
  {
    olderThanMs = 0,
    tasksMax = ON_DEMAND_TASKS_MAX,
  }: { readonly olderThanMs?: number; readonly tasksMax?: number } = {},
): Promise<void> {
  if (!ranksAreStale(rm)) return;
  const last = ranking.latestRun(rm.store.reader)?.computed_at;
  if (last !== undefined && rm.clock() - Date.parse(last) < olderThanMs) return;
  if (countUnfinished(rm.store.reader, tasksMax + 1) <= tasksMax) await rank(rm);
}

/** Ranks all unfinished tasks. Reads and writes in small steps and computes in another thread. */
export async function rank(rm: Ringmaster): Promise<ranking.MetricsRun> {
  const started = rm.clock();
  const graph = await ranking.readUnfinishedGraph(rm.store);
  const { from, to } = graph;
  const metrics = await computeMetrics({
    nodes: graph.nodes.length,
    from,
    to,
    durations: Float64Array.from(graph.nodes, ({ estimated_minutes }) => estimated_minutes ?? MINUTES_UNKNOWN),
    budgetMs: rm.config.prioritization.exact_budget_ms,
  });
  const priorities = graph.nodes.map(({ priority }) => priority);
  const waited = Float64Array.from(graph.nodes, (node) => waitedDays(node, started));
  const scores = combine({ metrics, priorities, waitedDays: waited, from, to, config: rm.config });
  await writeInSteps(rm, graph, metrics, scores);
  const run: ranking.MetricsRun = {
    graph_version: graph.version,
    computed_at: toTimestamp(started),
    duration_ms: rm.clock() - started,
    tasks: graph.nodes.length,
    links: from.length,
    is_approximate: metrics.sampled < graph.nodes.length ? 1 : 0,
    sampled_tasks: metrics.sampled,
    pagerank_max: scores.pagerankMax,
    betweenness_max: scores.betweennessMax,
    weights: JSON.stringify({ ...rm.config.prioritization, manual_scores: rm.config.manualScores }),
  };
  await rm.store.write('rank', (tx) => ranking.writeRun(tx, run));
  return run;
}

async function writeInSteps(
  rm: Ringmaster,
  { nodes, version }: ranking.UnfinishedGraph,
  metrics: GraphMetrics,
  scores: Scores,
): Promise<void> {
  let step: ranking.NodeScores[] = [];
  for (const [index, node] of nodes.entries()) {
    const score = scoresOf(index, nodes, metrics, scores);
    if (!isSame(node, score)) step.push(score);
    if (step.length < ROWS_PER_COMMIT && index < nodes.length - 1) continue;
    if (step.length > 0) await writeStep(rm, step, version);
    step = [];
  }
}

async function writeStep(rm: Ringmaster, step: readonly ranking.NodeScores[], version: number): Promise<void> {
  const began = performance.now();
  await rm.store.writeDescribed('rank', (tx, describe) => describe(ranking.writeScores(tx, step, version)));
  // Pauses for as long as the write took, so that claims can take the lock in between.
  await delay(performance.now() - began);
}

function scoresOf(
  index: number,
  nodes: readonly ranking.RankedNode[],
  metrics: GraphMetrics,
  { combined, own, inheritedFrom }: Scores,
): ranking.NodeScores {
  return {
    id: nodes[index]?.id ?? '',
    pagerank: metrics.pagerank[index] ?? 0,
    betweenness: metrics.betweenness[index] ?? 0,
    critical: metrics.critical[index] ?? 0,
    combined: combined[index] ?? 0,
    own: own[index] ?? 0,
    inheritedFrom: nodes[inheritedFrom[index] ?? -1]?.id ?? null,
  };
}

function isSame(node: ranking.RankedNode, score: ranking.NodeScores): boolean {
  return (
    node.pagerank_score === score.pagerank &&
    node.betweenness_score === score.betweenness &&
    node.on_critical_path === score.critical &&
    node.combined_priority === score.combined &&
    node.own_priority === score.own &&
    node.inherited_from === score.inheritedFrom
  );
}
