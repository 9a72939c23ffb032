import { Graph, layout } from '@dagrejs/dagre';

import { type GraphEdge, NODE_HEIGHT, NODE_WIDTH, type Positions } from './types.ts';

export interface LayoutRequest {
  readonly ids: readonly string[];
  readonly edges: readonly GraphEdge[];
  readonly direction: 'right' | 'down';
}

/** dagre takes a second for this many nodes, but half a minute for ten times as many. */
const DAGRE_NODES_MAX = 300;
const NODE_GAP = 20;
const LAYER_GAP = 64;

export function computeLayout(request: LayoutRequest): Positions {
  const known = new Set(request.ids);
  const isLink = ({ from, to }: GraphEdge): boolean => from !== to && known.has(from) && known.has(to);
  const ends = new Set(request.edges.filter(isLink).flatMap(({ from, to }) => [from, to]));
  const linked = { ...request, ids: request.ids.filter((id) => ends.has(id)) };
  const positions = linked.ids.length <= DAGRE_NODES_MAX ? dagreLayout(linked) : layeredLayout(linked);
  return new Map([
    ...positions,
    ...inRows(
      request.ids.filter((id) => !ends.has(id)),
      positions,
    ),
  ]);
}

/**
 * Places nodes without edges in rows below the other nodes. In the normal layout, they would form one very long layer.
 */
function inRows(ids: readonly string[], above: Positions): Positions {
  const placed = [...above.values()];
  const [width, height] = [NODE_WIDTH + NODE_GAP, NODE_HEIGHT + NODE_GAP];
  const left = Math.min(0, ...placed.map(({ x }) => x));
  const right = Math.max(0, ...placed.map(({ x }) => x));
  const top = placed.length === 0 ? 0 : Math.max(...placed.map(({ y }) => y)) + NODE_HEIGHT + LAYER_GAP;
  const columns = Math.max(Math.ceil(Math.sqrt(ids.length)), Math.floor((right - left) / width) + 1);
  return new Map(
    ids.map((id, at) => [id, { x: left + (at % columns) * width, y: top + Math.floor(at / columns) * height }]),
  );
}

function dagreLayout({ ids, edges, direction }: LayoutRequest): Positions {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction === 'right' ? 'LR' : 'TB', nodesep: NODE_GAP, ranksep: LAYER_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(ids);
  for (const id of ids) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to } of edges) {
    if (from !== to && known.has(from) && known.has(to)) graph.setEdge(from, to, {});
  }
  layout(graph);
  return new Map(
    ids.map((id) => {
      const { x = 0, y = 0 } = graph.node(id) as { readonly x?: number; readonly y?: number };
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
}

function layeredLayout({ ids, edges, direction }: LayoutRequest): Positions {
  const positions = ranksOf(ids, edges).flatMap((rank, step) =>
    rank.map((id, at) => {
      const across = at - (rank.length - 1) / 2;
      return direction === 'right'
        ? ([id, { x: step * (NODE_WIDTH + LAYER_GAP), y: across * (NODE_HEIGHT + NODE_GAP) }] as const)
        : ([id, { x: across * (NODE_WIDTH + NODE_GAP), y: step * (NODE_HEIGHT + LAYER_GAP) }] as const);
    }),
  );
  return new Map(positions);
}

interface Neighbours {
  readonly ahead: ReadonlyMap<string, readonly string[]>;
  readonly back: ReadonlyMap<string, readonly string[]>;
}

const SWEEPS = 6;

/**
 * Assigns each node to a layer after its predecessors, and orders each layer by its neighbours. The result is less tidy
 * than dagre's, but takes milliseconds for thousands of nodes.
 */
export function ranksOf(ids: readonly string[], edges: readonly GraphEdge[]): readonly (readonly string[])[] {
  const neighbours = neighboursOf(ids, edges);
  const ranks: string[][] = [];
  for (const [id, rank] of longestPaths(ids, neighbours)) (ranks[rank] ??= []).push(id);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    const offsets = offsetsIn(ranks);
    for (const rank of isForward ? ranks : ranks.toReversed()) {
      order(rank, isForward ? neighbours.back : neighbours.ahead, offsets);
      for (const [id, offset] of offsetsIn([rank])) offsets.set(id, offset);
    }
  }
  return ranks;
}

function neighboursOf(ids: readonly string[], edges: readonly GraphEdge[]): Neighbours {
  const ahead = new Map<string, string[]>(ids.map((id) => [id, []]));
  const back = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of edges) {
    if (from === to || !ahead.has(from) || !back.has(to)) continue;
    ahead.get(from)?.push(to);
    back.get(to)?.push(from);
  }
  return { ahead, back };
}

/** Returns the length of the longest path to each node. Breaks a cycle at its first node in the list. */
function longestPaths(ids: readonly string[], { ahead, back }: Neighbours): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const waiting = new Map(ids.map((id) => [id, back.get(id)?.length ?? 0]));
  const ready = ids.filter((id) => waiting.get(id) === 0);
  const least = new Map<string, number>();
  // If no node is ready, all remaining nodes are on cycles or behind them. In that case, continues with the first of
  // them.
  const rest = ids.values();
  for (let id = ready.pop() ?? rest.next().value; id !== undefined; id = ready.pop() ?? rest.next().value) {
    if (ranks.has(id)) continue;
    const rank = least.get(id) ?? 0;
    ranks.set(id, rank);
    for (const to of ahead.get(id) ?? []) {
      if (ranks.has(to)) continue;
      least.set(to, Math.max(least.get(to) ?? 0, rank + 1));
      const left = (waiting.get(to) ?? 1) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return ranks;
}

/** Returns positions relative to the middle of each layer, so that layers of different sizes are comparable. */
function offsetsIn(ranks: readonly (readonly string[])[]): Map<string, number> {
  return new Map(ranks.flatMap((rank) => rank.map((id, at) => [id, at - (rank.length - 1) / 2] as const)));
}

function order(
  rank: string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  offsets: ReadonlyMap<string, number>,
): void {
  const weights = new Map(
    rank.map((id) => {
      const near = neighbours.get(id) ?? [];
      const sum = near.reduce((total, each) => total + (offsets.get(each) ?? 0), 0);
      return [id, near.length === 0 ? (offsets.get(id) ?? 0) : sum / near.length];
    }),
  );
  rank.sort((left, right) => (weights.get(left) ?? 0) - (weights.get(right) ?? 0));
}
