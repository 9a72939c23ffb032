import { createRequire } from 'node:module';
import { join } from 'node:path';

import { graphMetrics } from '../../apps/ringmaster/src/model/graph/metrics.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { randomLinks } from './setup.ts';

/**
 * Workload: a uniform graph of 10,000 tasks and 50,000 dependencies. Ours: PageRank, betweenness, critical path and
 * order, all exact. Baseline: graphology's PageRank and unweighted betweenness. Not timed: building graphology's graph.
 */
export async function benchmark({ quick, progress }: Context): Promise<readonly Figure[]> {
  const nodes = quick ? 300 : 10_000;
  const links = randomLinks(nodes, nodes * 5);
  // graphology is a dependency of ringmaster's tests, so it resolves only from apps/ringmaster.
  const load = createRequire(join(process.cwd(), 'apps/ringmaster/package.json'));
  const { DirectedGraph } = load('graphology') as { DirectedGraph: new () => Graph };
  const betweenness = load('graphology-metrics/centrality/betweenness') as Metric;
  const pagerank = load('graphology-metrics/centrality/pagerank') as Metric;
  const graph = new DirectedGraph();
  for (let node = 0; node < nodes; node++) graph.addNode(node);
  for (const [from, to] of links) graph.addEdge(from, to);
  const input = {
    nodes,
    from: Int32Array.from(links, ([from]) => from),
    to: Int32Array.from(links, ([, to]) => to),
    durations: new Float64Array(nodes).fill(1),
    budgetMs: Infinity,
  };
  const ratios: number[] = [];
  const times: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const ours = timed(() => graphMetrics(input, () => performance.now()));
    const theirs = timed(() => {
      betweenness(graph, { getEdgeWeight: null });
      pagerank(graph, { getEdgeWeight: null, tolerance: 1e-6 / nodes, maxIterations: 1_000 });
    });
    ratios.push(ours / theirs);
    times.push({ ours, theirs });
    progress(`  ours ${Math.round(ours)} ms, graphology ${Math.round(theirs)} ms`);
  }
  const time = (kind: 'ours' | 'theirs'): number => Math.round(median(times.map((one) => one[kind])));
  const baseline = `graphology: ${time('theirs')} ms (ours ${time('ours')} ms)`;
  return [{ name: 'ringmaster.metrics', value: median(ratios), unit: '×', baseline, goal: 0.6, better: 'lower' }];
}

interface Graph {
  addNode(node: number): void;
  addEdge(from: number, to: number): void;
}
type Metric = (graph: Graph, options: object) => unknown;

/** Returns the CPU time that the action takes, so that other load on the machine does not count. */
function timed(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
