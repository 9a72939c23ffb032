import type { Clock } from '@holdfast/base';
/**
 * Measures how important each unfinished task is to the rest of the graph. adapters/metrics-worker.ts runs the source
 * text of these functions in a thread, so each uses only its arguments and the other functions of this file.
 */

export interface GraphInput {
  readonly nodes: number;
  /** Edge i means that node `from[i]` waits for node `to[i]`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Duration of each node, in any unit. */
  readonly durations: Float64Array;
  readonly budgetMs: number;
}

export interface GraphMetrics {
  readonly pagerank: Float64Array;
  readonly betweenness: Float64Array;
  readonly critical: Uint8Array;
  /** Topological order: dependents before their dependencies. */
  readonly order: Int32Array;
  /** Number of start nodes that were used. Betweenness is exact if all nodes were used. */
  readonly sampled: number;
}

interface Rows {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

export function graphMetrics({ nodes, from, to, durations, budgetMs }: GraphInput, clock: Clock): GraphMetrics {
  const out = adjacency(nodes, from, to);
  const back = adjacency(nodes, to, from);
  const order = topologicalOrder(nodes, out, back);
  const { betweenness, sampled } = betweennessOf(nodes, out, budgetMs, clock);
  return {
    pagerank: pagerankOf(nodes, out),
    betweenness,
    critical: criticalNodes(nodes, out, back, order, durations),
    order,
    sampled,
  };
}

/** The neighbours of node i are `targets[starts[i]]` to `targets[starts[i + 1] - 1]`. */
export function adjacency(nodes: number, from: Int32Array, to: Int32Array): Rows {
  const starts = new Int32Array(nodes + 1);
  for (let edge = 0; edge < from.length; edge++) starts[from[edge]! + 1]! += 1;
  for (let node = 0; node < nodes; node++) starts[node + 1]! += starts[node]!;
  const next = starts.slice();
  const targets = new Int32Array(from.length);
  for (let edge = 0; edge < from.length; edge++) targets[next[from[edge]!]!++] = to[edge]!;
  return { starts, targets };
}

function topologicalOrder(nodes: number, out: Rows, back: Rows): Int32Array {
  const waiting = new Int32Array(nodes);
  const order = new Int32Array(nodes);
  let tail = 0;
  for (let node = 0; node < nodes; node++) {
    waiting[node] = back.starts[node + 1]! - back.starts[node]!;
    if (waiting[node] === 0) order[tail++] = node;
  }
  for (let head = 0; head < tail; head++) {
    const node = order[head]!;
    for (let edge = out.starts[node]!; edge < out.starts[node + 1]!; edge++) {
      const other = out.targets[edge]!;
      waiting[other]! -= 1;
      if (waiting[other] === 0) order[tail++] = other;
    }
  }
  return order.subarray(0, tail);
}

/** PageRank: each node passes its rank to its dependencies; a node without dependencies passes it to all nodes. */
function pagerankOf(nodes: number, out: Rows): Float64Array {
  const damping = 0.85;
  const tolerance = 1e-12;
  let ranks = new Float64Array(nodes).fill(1 / nodes);
  let next = new Float64Array(nodes);
  for (let round = 0; round < 200; round++) {
    let dangling = 0;
    next.fill(0);
    for (let node = 0; node < nodes; node++) {
      const first = out.starts[node]!;
      const last = out.starts[node + 1]!;
      if (first === last) {
        dangling += ranks[node]!;
        continue;
      }
      const share = ranks[node]! / (last - first);
      for (let edge = first; edge < last; edge++) next[out.targets[edge]!]! += share;
    }
    const base = (1 - damping + damping * dangling) / nodes;
    let change = 0;
    for (let node = 0; node < nodes; node++) {
      const value = base + damping * next[node]!;
      change += Math.abs(value - ranks[node]!);
      next[node] = value;
    }
    [ranks, next] = [next, ranks];
    if (change < tolerance) break;
  }
  return ranks;
}

/**
 * Betweenness (algorithm of Brandes): the share of shortest paths that pass through a node. Start nodes are in a fixed
 * shuffled order. If time runs out, the nodes processed so far are a random sample, and the sums are scaled up.
 */
function betweennessOf(
  nodes: number,
  out: Rows,
  budgetMs: number,
  clock: Clock,
): { readonly betweenness: Float64Array; readonly sampled: number } {
  const betweenness = new Float64Array(nodes);
  const order = new Int32Array(nodes);
  const distance = new Int32Array(nodes).fill(-1);
  const ways = new Float64Array(nodes);
  const share = new Float64Array(nodes);
  const sources = shuffled(nodes);
  const deadline = clock() + budgetMs;
  let sampled = 0;
  for (let index = 0; index < nodes; index++) {
    if ((index & 31) === 31 && clock() > deadline) break;
    sampled += 1;
    const source = sources[index]!;
    if (out.starts[source] === out.starts[source + 1]) continue;
    let tail = 1;
    order[0] = source;
    distance[source] = 0;
    ways[source] = 1;
    for (let head = 0; head < tail; head++) {
      const node = order[head]!;
      const further = distance[node]! + 1;
      const count = ways[node]!;
      for (let edge = out.starts[node]!, end = out.starts[node + 1]!; edge < end; edge++) {
        const other = out.targets[edge]!;
        if (distance[other] === -1) {
          distance[other] = further;
          order[tail++] = other;
          ways[other] = count;
        } else if (distance[other] === further) ways[other]! += count;
      }
    }
    for (let head = tail - 1; head >= 0; head--) {
      const node = order[head]!;
      const further = distance[node]! + 1;
      let sum = 0;
      for (let edge = out.starts[node]!, end = out.starts[node + 1]!; edge < end; edge++) {
        const other = out.targets[edge]!;
        // `share[n]` is (1 + dependency) / number of shortest paths to n, for nodes already processed.
        if (distance[other] === further) sum += share[other]!;
      }
      const dependency = sum * ways[node]!;
      share[node] = (1 + dependency) / ways[node]!;
      if (head > 0) betweenness[node]! += dependency;
    }
    for (let head = 0; head < tail; head++) distance[order[head]!] = -1;
  }
  if (sampled > 0 && sampled < nodes) for (let n = 0; n < nodes; n++) betweenness[n]! *= nodes / sampled;
  return { betweenness, sampled };
}

function shuffled(length: number): Int32Array {
  const items = new Int32Array(length);
  let state = 0x2545f491;
  for (let index = 0; index < length; index++) {
    items[index] = index;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (index + 1);
    items[index] = items[other]!;
    items[other] = index;
  }
  return items;
}

/** Nodes on the critical path: delaying one of them delays the whole graph. Isolated nodes are not on it. */
function criticalNodes(nodes: number, out: Rows, back: Rows, order: Int32Array, durations: Float64Array): Uint8Array {
  /** Length of the longest path through a node's dependencies. `after` is the longest path through its dependents. */
  const before = new Float64Array(nodes);
  const after = new Float64Array(nodes);
  let longest = 0;
  for (let index = order.length - 1; index >= 0; index--) {
    const node = order[index]!;
    for (let edge = out.starts[node]!; edge < out.starts[node + 1]!; edge++) {
      const other = out.targets[edge]!;
      before[node] = Math.max(before[node]!, before[other]! + durations[other]!);
    }
    longest = Math.max(longest, before[node]! + durations[node]!);
  }
  const critical = new Uint8Array(nodes);
  for (const node of order) {
    let linked = out.starts[node] !== out.starts[node + 1];
    for (let edge = back.starts[node]!; edge < back.starts[node + 1]!; edge++) {
      const other = back.targets[edge]!;
      after[node] = Math.max(after[node]!, after[other]! + durations[other]!);
      linked = true;
    }
    const slack = longest - (before[node]! + durations[node]! + after[node]!);
    if (linked && slack <= longest * 1e-9) critical[node] = 1;
  }
  return critical;
}

/** All functions above, for the worker thread. */
export const metricFunctions: readonly ((...input: never[]) => unknown)[] = [
  graphMetrics,
  adjacency,
  topologicalOrder,
  pagerankOf,
  betweennessOf,
  shuffled,
  criticalNodes,
];
