import type { GraphEdge } from './types.ts';

interface Neighbours {
  readonly ahead: ReadonlyMap<string, readonly string[]>;
  readonly back: ReadonlyMap<string, readonly string[]>;
}

const SWEEPS = 6;

/**
 * Assigns nodes to layers, each after its predecessors, and orders each layer by its neighbours. Less tidy than dagre,
 * but takes milliseconds for thousands of nodes.
 */
export function ranksOf(ids: readonly string[], edges: readonly GraphEdge[]): readonly (readonly string[])[] {
  const neighbours = neighboursOf(ids, edges);
  const ranks: string[][] = [];
  for (const [id, rank] of longestWays(ids, neighbours)) (ranks[rank] ??= []).push(id);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    const places = placesIn(ranks);
    for (const rank of isForward ? ranks : ranks.toReversed()) {
      order(rank, isForward ? neighbours.back : neighbours.ahead, places);
      for (const [id, place] of placesIn([rank])) places.set(id, place);
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

/** Length of the longest path to each node. A cycle is entered at its first node in the list. */
function longestWays(ids: readonly string[], { ahead, back }: Neighbours): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const waiting = new Map(ids.map((id) => [id, back.get(id)?.length ?? 0]));
  const ready = ids.filter((id) => waiting.get(id) === 0);
  const least = new Map<string, number>();
  // The remaining nodes form cycles.
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

/** Position relative to the middle of the layer, so that layers of different sizes compare. */
function placesIn(ranks: readonly (readonly string[])[]): Map<string, number> {
  return new Map(ranks.flatMap((rank) => rank.map((id, at) => [id, at - (rank.length - 1) / 2] as const)));
}

function order(
  rank: string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  places: ReadonlyMap<string, number>,
): void {
  const weights = new Map(
    rank.map((id) => {
      const near = neighbours.get(id) ?? [];
      const sum = near.reduce((total, each) => total + (places.get(each) ?? 0), 0);
      return [id, near.length === 0 ? (places.get(id) ?? 0) : sum / near.length];
    }),
  );
  rank.sort((left, right) => (weights.get(left) ?? 0) - (weights.get(right) ?? 0));
}
