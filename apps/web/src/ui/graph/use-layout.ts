import { useEffect, useState } from 'react';

import type { LayoutRequest } from './layout.ts';
import type { Positions } from './node-size.ts';
import type { GraphEdge, GraphNode } from './types.ts';

/**
 * Computes the layout in a worker. Only new or missing nodes and edges cause a new layout; until it is done, the old
 * one stays.
 */
export function useLayout(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  direction: LayoutRequest['direction'],
): Positions | undefined {
  const [positions, setPositions] = useState<Positions>();
  const shape = JSON.stringify([nodes.map(({ id }) => id), edges.map(({ from, to }) => [from, to]), direction]);
  useEffect(() => {
    const [ids, pairs] = JSON.parse(shape) as [string[], [string, string][]];
    const request: LayoutRequest = { ids, edges: pairs.map(([from, to]) => ({ from, to })), direction };
    const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Positions>) => setPositions(data));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
    worker.postMessage(request);
    return () => worker.terminate();
  }, [shape, direction]);
  return positions;
}
