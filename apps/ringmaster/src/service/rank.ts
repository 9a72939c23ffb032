import { computeMetrics } from '../adapters/metrics-worker.ts';
import { combine } from '../model/graph/combine.ts';
import { timeText } from '../model/time.ts';
import { graphVersion } from '../store/meta.ts';
import {
  latestRun,
  type MetricsRun,
  type NodeScores,
  type RankedNode,
  readUnfinishedGraph,
  type UnfinishedGraph,
  writeRun,
  writeScores,
} from '../store/metrics.ts';
import type { Ringmaster } from './ringmaster.ts';

/** Small enough that a claim which comes in between waits for one such commit and not for all of them. */
const ROWS_PER_COMMIT = 40;
const MINUTES_UNKNOWN = 60;

export function ranksAreStale({ store }: Ringmaster): boolean {
  return (latestRun(store.reader)?.graph_version ?? 0) !== graphVersion(store.reader);
}

/** Ranks all unfinished work anew. Reading and writing are done in small steps, computing in another thread. */
export async function rank(rm: Ringmaster): Promise<MetricsRun> {
  const started = rm.clock();
  const graph = await readUnfinishedGraph(rm.store);
  const { from, to } = indexed(graph);
  const metrics = await computeMetrics({
    nodes: graph.nodes.length,
    from,
    to,
    durations: Float64Array.from(graph.nodes, ({ estimated_minutes }) => estimated_minutes ?? MINUTES_UNKNOWN),
    budgetMs: rm.config.prioritization.exact_budget_ms,
  });
  const priorities = graph.nodes.map(({ priority }) => priority);
  const scores = combine({ metrics, priorities, from, to, config: rm.config });
  const changed = graph.nodes.flatMap((node, index) => {
    const inherited = scores.inheritedFrom[index] ?? -1;
    const score: NodeScores = {
      id: node.id,
      pagerank: metrics.pagerank[index] ?? 0,
      betweenness: metrics.betweenness[index] ?? 0,
      critical: metrics.critical[index] ?? 0,
      combined: scores.combined[index] ?? 0,
      own: scores.own[index] ?? 0,
      inheritedFrom: inherited === -1 ? null : (graph.nodes[inherited]?.id ?? null),
    };
    return isSame(node, score) ? [] : [score];
  });
  await writeInSteps(rm, changed, graph.version);
  const run: MetricsRun = {
    graph_version: graph.version,
    computed_at: timeText(rm.clock()),
    duration_ms: rm.clock() - started,
    tasks: graph.nodes.length,
    links: from.length,
    is_approximate: metrics.sampled < graph.nodes.length ? 1 : 0,
    sampled_tasks: metrics.sampled,
    pagerank_max: scores.pagerankMax,
    betweenness_max: scores.betweennessMax,
    weights: JSON.stringify({ ...rm.config.prioritization, manual_scores: rm.config.manualScores }),
  };
  await rm.store.write('rank', (tx) => writeRun(tx, run));
  return run;
}

/** Links between unfinished tasks, as numbers. */
function indexed({ nodes, links }: UnfinishedGraph): { readonly from: Int32Array; readonly to: Int32Array } {
  const indexById = new Map(nodes.map(({ id }, index) => [id, index]));
  const pairs = links.flatMap(([child, parent]) => {
    const from = indexById.get(child);
    const to = indexById.get(parent);
    return from === undefined || to === undefined ? [] : [[from, to] as const];
  });
  return { from: Int32Array.from(pairs, ([from]) => from), to: Int32Array.from(pairs, ([, to]) => to) };
}

async function writeInSteps(rm: Ringmaster, scores: readonly NodeScores[], version: number): Promise<void> {
  for (let start = 0; start < scores.length; start += ROWS_PER_COMMIT) {
    const began = performance.now();
    await rm.store.write('rank', (tx) => writeScores(tx, scores.slice(start, start + ROWS_PER_COMMIT), version));
    // As long again for everybody else: scores may be late, claims may not.
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, took));
  }
}

function isSame(node: RankedNode, score: NodeScores): boolean {
  return (
    node.pagerank_score === score.pagerank &&
    node.betweenness_score === score.betweenness &&
    node.on_critical_path === score.critical &&
    node.combined_priority === score.combined &&
    node.own_priority === score.own &&
    node.inherited_from === score.inheritedFrom
  );
}
