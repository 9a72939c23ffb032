import { type Edge, MarkerType } from '@xyflow/react';
import { useMemo } from 'react';

import type { FlowNode } from './graph-node.tsx';
import { NODE_HEIGHT, NODE_WIDTH, type Positions } from './places.ts';
import type { GraphProps } from './types.ts';

export type DrawnProps = GraphProps & { readonly direction: 'right' | 'down'; readonly positions: Positions };

interface Drawing {
  readonly drawnNodes: FlowNode[];
  readonly drawnEdges: Edge[];
}

/** A graph in the words of the library that draws it. */
export function useDrawing(props: DrawnProps, chosen: string | undefined): Drawing {
  const { nodes, edges, direction, highlight, positions, kinds } = props;
  const drawnNodes = useMemo(
    () =>
      nodes
        .filter(({ id }) => positions.has(id))
        .map((node): FlowNode => ({
          id: node.id,
          type: 'box',
          position: positions.get(node.id) ?? { x: 0, y: 0 },
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
          data: {
            node,
            direction,
            isChosen: node.id === chosen,
            isHighlighted: highlight?.has(node.id) ?? false,
          },
        })),
    [nodes, positions, direction, highlight, chosen],
  );
  const drawnEdges = useMemo(
    () =>
      edges.map(({ from, to, kind }, at): Edge => ({
        id: `${at} ${from} ${to}`,
        source: from,
        target: to,
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--muted)' },
        style: {
          stroke: from === chosen || to === chosen ? 'var(--accent)' : 'var(--line-strong)',
          strokeWidth: from === chosen || to === chosen ? 2 : 1.25,
          ...(kinds?.[kind ?? '']?.isDashed === true ? { strokeDasharray: '5 4' } : {}),
        },
      })),
    [edges, kinds, chosen],
  );
  return { drawnNodes, drawnEdges };
}
