import { type Edge, MarkerType, type NodeHandle, Position } from '@xyflow/react';
import { useMemo } from 'react';

import type { FlowNode } from './graph-node.tsx';
import { NODE_HEIGHT, NODE_WIDTH, type Positions } from './node-size.ts';
import type { GraphProps } from './types.ts';

export type DrawnProps = GraphProps & { readonly direction: 'right' | 'down'; readonly positions: Positions };

interface Drawing {
  readonly drawnNodes: FlowNode[];
  readonly drawnEdges: Edge[];
}

/** Given explicitly, as node sizes are: otherwise every node would be rendered once to measure it. */
const ends: Readonly<Record<'right' | 'down', NodeHandle[]>> = {
  right: [
    { type: 'target', position: Position.Left, x: 0, y: NODE_HEIGHT / 2, width: 1, height: 1 },
    { type: 'source', position: Position.Right, x: NODE_WIDTH, y: NODE_HEIGHT / 2, width: 1, height: 1 },
  ],
  down: [
    { type: 'target', position: Position.Top, x: NODE_WIDTH / 2, y: 0, width: 1, height: 1 },
    { type: 'source', position: Position.Bottom, x: NODE_WIDTH / 2, y: NODE_HEIGHT, width: 1, height: 1 },
  ],
};

/** Converts a graph for React Flow. */
export function useDrawing(props: DrawnProps, chosen: string | undefined): Drawing {
  const { nodes, edges, direction, highlight, positions, kinds } = props;
  const plainNodes = useMemo(
    () =>
      nodes
        .filter(({ id }) => positions.has(id))
        .map((node): FlowNode => ({
          id: node.id,
          type: 'box',
          position: positions.get(node.id) ?? { x: 0, y: 0 },
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
          measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
          handles: ends[direction],
          data: { node, direction, isChosen: false, isHighlighted: highlight?.has(node.id) ?? false },
        })),
    [nodes, positions, direction, highlight],
  );
  const plainEdges = useMemo(
    () =>
      edges.map(({ from, to, kind }, at): Edge => ({
        id: `${at} ${from} ${to}`,
        source: from,
        target: to,
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--muted)' },
        style: {
          stroke: 'var(--line-strong)',
          strokeWidth: 1.25,
          ...(kinds?.[kind ?? '']?.isDashed === true ? { strokeDasharray: '5 4' } : {}),
        },
      })),
    [edges, kinds],
  );
  // Other nodes keep their identity, so that moving the selection renders two nodes instead of thousands.
  const drawnNodes = useMemo(
    () => plainNodes.map((node) => (node.id === chosen ? { ...node, data: { ...node.data, isChosen: true } } : node)),
    [plainNodes, chosen],
  );
  const drawnEdges = useMemo(
    () =>
      plainEdges.map((edge) => {
        const isNear = edge.source === chosen || edge.target === chosen;
        return isNear ? { ...edge, style: { ...edge.style, stroke: 'var(--accent)', strokeWidth: 2 } } : edge;
      }),
    [plainEdges, chosen],
  );
  return { drawnNodes, drawnEdges };
}
