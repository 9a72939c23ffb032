import type { ReactFlowInstance } from '@xyflow/react';
import { type KeyboardEvent, type RefObject, useState } from 'react';

import type { FlowNode } from './graph-node.tsx';
import { NODE_HEIGHT, NODE_WIDTH } from './node-size.ts';
import { neighbourOf, type Way } from './neighbours.ts';
import type { DrawnProps } from './use-drawing.ts';

const READABLE = 0.8;

const ways = {
  right: { ArrowRight: 'ahead', ArrowLeft: 'back', ArrowUp: 'before', ArrowDown: 'after' },
  down: { ArrowDown: 'ahead', ArrowUp: 'back', ArrowLeft: 'before', ArrowRight: 'after' },
} as const satisfies Record<string, Readonly<Record<string, Way>>>;

interface Walk {
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
  /** Shows the first node at a readable zoom. */
  readonly begin: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Keyboard navigation between nodes; the view follows the selected one. */
export function useGraphKeys(props: DrawnProps, flow: RefObject<ReactFlowInstance<FlowNode> | null>): Walk {
  const { nodes, edges, direction, highlight, positions, onOpen } = props;
  const [chosen, choose] = useState<string>();
  const first = nodes.find(({ id }) => highlight?.has(id) ?? false)?.id ?? nodes[0]?.id;
  const see = (id: string | undefined, zoom: number): void => {
    const place = positions.get(id ?? '');
    if (place === undefined) return;
    void flow.current?.setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, { zoom });
  };
  const go = (way: Way): void => {
    const next = chosen === undefined ? first : neighbourOf(chosen, way, { edges, positions, direction });
    if (next === undefined) return;
    choose(next);
    see(next, Math.max(flow.current?.getZoom() ?? READABLE, READABLE / 2));
  };
  const act = (key: string): boolean => {
    const way = (ways[direction] as Readonly<Record<string, Way>>)[key];
    if (way !== undefined) go(way);
    else if (key === 'Enter' && chosen !== undefined) onOpen?.(chosen);
    else if (key === '+') void flow.current?.zoomIn();
    else if (key === '-') void flow.current?.zoomOut();
    else if (key === '0') void flow.current?.fitView();
    else return false;
    return true;
  };
  return {
    chosen,
    choose,
    begin: () => see(first, READABLE),
    onKeyDown(event) {
      // Buttons in the view keep their own keys.
      if (event.target === event.currentTarget && act(event.key)) event.preventDefault();
    },
  };
}
