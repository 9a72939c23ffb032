import { Graph, layout } from '@dagrejs/dagre';

import { NODE_HEIGHT, NODE_WIDTH, type Positions } from './node-size.ts';
import { ranksOf } from './ranks.ts';
import type { GraphEdge } from './types.ts';

export interface LayoutRequest {
  readonly ids: readonly string[];
  readonly edges: readonly GraphEdge[];
  readonly direction: 'right' | 'down';
}

/** dagre takes a second for this many nodes, and half a minute for ten times as many. */
const CAREFUL_MAX = 300;
const GAP_ACROSS = 20;
const GAP_ALONG = 64;

/** Layered layout. Too slow for the main thread. */
export function layOut(request: LayoutRequest): Positions {
  return request.ids.length <= CAREFUL_MAX ? carefully(request) : quickly(request);
}

function carefully({ ids, edges, direction }: LayoutRequest): Positions {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction === 'right' ? 'LR' : 'TB', nodesep: GAP_ACROSS, ranksep: GAP_ALONG });
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

function quickly({ ids, edges, direction }: LayoutRequest): Positions {
  const places = ranksOf(ids, edges).flatMap((rank, step) =>
    rank.map((id, at) => {
      const across = at - (rank.length - 1) / 2;
      return direction === 'right'
        ? ([id, { x: step * (NODE_WIDTH + GAP_ALONG), y: across * (NODE_HEIGHT + GAP_ACROSS) }] as const)
        : ([id, { x: across * (NODE_WIDTH + GAP_ACROSS), y: step * (NODE_HEIGHT + GAP_ALONG) }] as const);
    }),
  );
  return new Map(places);
}
