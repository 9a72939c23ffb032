import { createRequire } from 'node:module';
import { monotonicClock } from '@holdfast/base';

import fc from 'fast-check';
import graphology from 'graphology';
import { describe, expect, it } from 'vitest';

import { computeMetrics } from '../../adapters/metrics-worker.ts';
import { defaultConfig } from '../config.ts';
import { combine } from './combine.ts';
import { type GraphInput, graphMetrics } from './metrics.ts';

const { DirectedGraph } = graphology;
// The types of these packages describe ES modules, but the files are CommonJS.
const require = createRequire(import.meta.url);
type Metric = (graph: unknown, options: object) => Readonly<Record<number, number>>;
const betweennessCentrality = require('graphology-metrics/centrality/betweenness') as Metric;
const pagerank = require('graphology-metrics/centrality/pagerank') as Metric;

function input(nodes: number, links: readonly (readonly [number, number])[], budgetMs = Infinity): GraphInput {
  return {
    nodes,
    from: Int32Array.from(links, ([from]) => from),
    to: Int32Array.from(links, ([, to]) => to),
    durations: new Float64Array(nodes).fill(1),
    budgetMs,
  };
}

/** Links lead from lower to higher numbers, so there is no cycle. */
const dag = fc.integer({ min: 2, max: 30 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    links: fc.uniqueArray(
      fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)).filter(([from, to]) => from < to),
      { maxLength: 80, selector: ([from, to]) => `${from}>${to}` },
    ),
  }),
);

function oracle(nodes: number, links: readonly (readonly [number, number])[]): InstanceType<typeof DirectedGraph> {
  const graph = new DirectedGraph();
  for (let node = 0; node < nodes; node++) graph.addNode(node);
  for (const [from, to] of links) graph.addEdge(from, to);
  return graph;
}

describe('graph metrics', () => {
  it('are those of graphology', () => {
    fc.assert(
      fc.property(dag, ({ nodes, links }) => {
        const ours = graphMetrics(input(nodes, links), monotonicClock);
        const graph = oracle(nodes, links);
        const betweenness = betweennessCentrality(graph, { getEdgeWeight: null, normalized: false });
        const ranks = pagerank(graph, {
          getEdgeWeight: null,
          alpha: 0.85,
          maxIterations: 1_000,
          tolerance: 1e-12 / nodes,
        });
        for (let node = 0; node < nodes; node++) {
          expect(ours.betweenness[node]).toBeCloseTo(betweenness[node] ?? NaN, 9);
          expect(ours.pagerank[node]).toBeCloseTo(ranks[node] ?? NaN, 7);
        }
        expect(ours.pagerank.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      }),
      { numRuns: 150 },
    );
  });

  it('mark exactly the nodes of a longest path as critical', () => {
    fc.assert(
      fc.property(dag, ({ nodes, links }) => {
        const { critical } = graphMetrics(input(nodes, links), monotonicClock);
        const longestFrom = (node: number, direction: 'down' | 'up'): number =>
          1 +
          Math.max(
            0,
            ...links
              .filter(([from, to]) => (direction === 'down' ? from : to) === node)
              .map(([from, to]) => longestFrom(direction === 'down' ? to : from, direction)),
          );
        const through = Array.from({ length: nodes }, (_, n) => longestFrom(n, 'down') + longestFrom(n, 'up') - 1);
        const longest = Math.max(...through);
        const isLinked = (node: number): boolean => links.some((link) => link.includes(node));
        expect([...critical]).toEqual(through.map((length, node) => (length === longest && isLinked(node) ? 1 : 0)));
      }),
      { numRuns: 100 },
    );
  });

  it('say when time was short, and then still point at the same nodes', () => {
    const links = Array.from({ length: 3_000 }, (_, n) => [n % 999, 999] as const).slice(0, 999);
    const chain = Array.from({ length: 999 }, (_, n) => [999 + n, 1_000 + n] as const);
    const ours = graphMetrics(input(2_000, [...links, ...chain], 0), monotonicClock);
    expect(ours.sampled).toBeLessThan(2_000);
    expect(ours.sampled).toBeGreaterThan(0);
  });

  it('come out of the thread as they went in', async () => {
    const graph = input(5, [
      [0, 1],
      [1, 2],
      [3, 2],
      [2, 4],
    ]);
    const { order: _, ...expected } = graphMetrics(graph, monotonicClock);
    expect(await computeMetrics(graph)).toMatchObject(expected);
  });
});

describe('combined priority', () => {
  it('is the weighted sum, and what is waited for takes over the score of what waits', () => {
    const links = [
      [0, 1],
      [1, 2],
    ] as const;
    const graph = input(4, links);
    const metrics = graphMetrics(graph, monotonicClock);
    const scores = combine({
      metrics,
      priorities: ['P0', 'P4', 'P4', 'P1'],
      waitedDays: new Float64Array(4).fill(99),
      ...graph,
      config: defaultConfig,
    });
    const [first = 0, second = 0, third = 0, alone = 0] = scores.own;
    expect(third).toBeCloseTo(0.3 + 0.25 + 0.2 * 0.1, 9);
    expect(second).toBeCloseTo(0.3 * (metrics.pagerank[1]! / metrics.pagerank[2]!) + 0.25 + 0.25 + 0.2 * 0.1, 9);
    expect(alone).toBeCloseTo(0.3 * (metrics.pagerank[3]! / metrics.pagerank[2]!) + 0.2 * 0.75, 9);
    expect(scores.combined[1]).toBe(Math.max(first, second));
    expect(scores.combined[2]).toBe(Math.max(first, second, third));
    expect(scores.inheritedFrom[2]).toBe(third >= second ? -1 : 1);
  });
});
