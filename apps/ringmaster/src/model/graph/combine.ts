import type { Config } from '../config.ts';
import type { Priority } from '../task.ts';
import { adjacency, type GraphMetrics } from './metrics.ts';

export interface Scores {
  readonly own: Float64Array;
  readonly combined: Float64Array;
  /** For each node, the node from which it inherited its score; -1 if it did not inherit one. */
  readonly inheritedFrom: Int32Array;
  readonly pagerankMax: number;
  readonly betweennessMax: number;
}

export interface Terms {
  readonly pagerank: number;
  readonly betweenness: number;
  readonly critical: number;
  readonly manual: number;
  /**
   * Term for the waiting time, so that no task waits forever (flaw 26 in docs/fidelity/ringmaster.md). 0 unless
   * configured.
   */
  readonly aging: number;
}

type Weighing = Pick<Config, 'prioritization' | 'manualScores'>;

/** Scales each term to a value from 0 to 1 and multiplies it by its weight. A metric that is 0 everywhere gives 0. */
export function weighted(
  node: { readonly pagerank: number; readonly betweenness: number; readonly critical: boolean },
  priority: Priority,
  waitedDays: number,
  max: { readonly pagerank: number; readonly betweenness: number },
  { prioritization, manualScores }: Weighing,
): Terms {
  return {
    pagerank: prioritization.pagerank_weight * (max.pagerank === 0 ? 0 : node.pagerank / max.pagerank),
    betweenness: prioritization.betweenness_weight * (max.betweenness === 0 ? 0 : node.betweenness / max.betweenness),
    critical: prioritization.critical_path_weight * (node.critical ? 1 : 0),
    manual: prioritization.manual_weight * manualScores[priority],
    aging: prioritization.aging_weight * Math.min(1, waitedDays / prioritization.aging_days),
  };
}

export function sumOf({ pagerank, betweenness, critical, manual, aging }: Terms): number {
  return pagerank + betweenness + critical + manual + aging;
}

export interface CombineInput {
  readonly metrics: GraphMetrics;
  readonly priorities: readonly Priority[];
  /** Days that each node has been ready. */
  readonly waitedDays: Float64Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly config: Weighing;
}

/** Gives each node at least the score of the highest-scoring node that depends on it. */
export function combine({ metrics, priorities, waitedDays, from, to, config }: CombineInput): Scores {
  const nodes = priorities.length;
  const max = { pagerank: highest(metrics.pagerank), betweenness: highest(metrics.betweenness) };
  const own = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    const values = {
      pagerank: metrics.pagerank[node] ?? 0,
      betweenness: metrics.betweenness[node] ?? 0,
      critical: metrics.critical[node] === 1,
    };
    own[node] = sumOf(weighted(values, priorities[node] ?? 'P2', waitedDays[node] ?? 0, max, config));
  }
  const inherited = inherit(own, metrics.order, from, to);
  return { own, ...inherited, pagerankMax: max.pagerank, betweennessMax: max.betweenness };
}

function inherit(
  own: Float64Array,
  order: Int32Array,
  from: Int32Array,
  to: Int32Array,
): Pick<Scores, 'combined' | 'inheritedFrom'> {
  const combined = own.slice();
  const inheritedFrom = new Int32Array(own.length).fill(-1);
  const { starts, targets } = adjacency(own.length, from, to);
  for (const node of order) {
    for (let edge = starts[node] ?? 0; edge < (starts[node + 1] ?? 0); edge++) {
      const other = targets[edge] ?? node;
      if ((combined[other] ?? 0) >= (combined[node] ?? 0)) continue;
      combined[other] = combined[node] ?? 0;
      inheritedFrom[other] = inheritedFrom[node] === -1 ? node : (inheritedFrom[node] ?? node);
    }
  }
  return { combined, inheritedFrom };
}

function highest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
