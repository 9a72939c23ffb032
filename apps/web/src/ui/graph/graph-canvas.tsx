// oxlint-disable-next-line import/no-unassigned-import -- a style sheet gives nothing
import '@xyflow/react/dist/base.css';

import { Controls, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';

import { useIsDark } from '../../lib/theme.ts';
import { Announce } from '../announce.tsx';
import { Skeleton } from '../skeleton.tsx';
import { type FlowNode, GraphNodeBox } from './graph-node.tsx';
import type { Positions } from './node-size.ts';
import type { GraphProps } from './types.ts';
import { type DrawnProps, useDrawing } from './use-drawing.ts';
import { useLayout } from './use-layout.ts';
import { useGraphKeys } from './use-graph-keys.ts';

const nodeTypes = { box: GraphNodeBox } as const;
/** Larger graphs start at one node, at a readable zoom. */
const FITS = 40;
/** Small graphs need less height. */
const FEW = 12;

const wholeView = { maxZoom: 1 } as const;

// oxlint-disable-next-line import/no-default-export -- `lazy` wants it so
export default function GraphCanvas(props: GraphProps): ReactNode {
  const { nodes, edges, direction = 'right' } = props;
  const positions = useLayout(nodes, edges, direction);
  if (positions === undefined) {
    return (
      <div className="p-5">
        <p className="text-[13px] text-muted">Arranging {nodes.length} nodes …</p>
        <Skeleton lines={5} />
      </div>
    );
  }
  return <Drawn {...props} direction={direction} positions={positions} />;
}

function Drawn(props: DrawnProps): ReactNode {
  const { label, nodes, positions, onOpen } = props;
  const flow = useRef<ReactFlowInstance<FlowNode>>(null);
  const { chosen, choose, begin, onKeyDown } = useGraphKeys(props, flow);
  const { drawnNodes, drawnEdges } = useDrawing(props, chosen);
  const fits = nodes.length <= FITS;
  const place = useFit(flow, fits, positions);
  const helpId = useId();
  const isDark = useIsDark();
  return (
    <div
      ref={place}
      role="group"
      aria-label={label}
      aria-describedby={helpId}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={`-outline-offset-2 ${nodes.length <= FEW ? 'h-72' : 'h-[60vh] min-h-80'}`}
    >
      <p id={helpId} className="sr-only">
        Arrow keys select a node, Enter opens it, plus and minus zoom, 0 shows all. The list view has the same content.
      </p>
      <ReactFlow
        nodes={drawnNodes}
        edges={drawnEdges}
        nodeTypes={nodeTypes}
        colorMode={isDark ? 'dark' : 'light'}
        onInit={(instance) => {
          flow.current = instance;
          if (fits) void instance.fitView(wholeView);
          else begin();
        }}
        onNodeClick={(_event, { id }) => {
          choose(id);
          onOpen?.(id);
        }}
        minZoom={0.05}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        onlyRenderVisibleElements
      >
        <Controls orientation="horizontal" showInteractive={false} />
      </ReactFlow>
      <Announce text={chosen === undefined ? '' : describeNode(chosen, props)} />
    </div>
  );
}

/** Keeps a small graph completely visible when its size or nodes change. */
function useFit(
  flow: RefObject<ReactFlowInstance<FlowNode> | null>,
  fits: boolean,
  positions: Positions,
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!fits || place.current === null) return undefined;
    const observer = new ResizeObserver(() => requestAnimationFrame(() => void flow.current?.fitView(wholeView)));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [flow, fits, positions]);
  return place;
}

const MENTIONED = 3;

/** Describes a node for screen readers. */
function describeNode(id: string, { nodes, edges, kinds }: GraphProps): string {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return '';
  const nameOf = (other: string): string => nodes.find((each) => each.id === other)?.label ?? other;
  const to = edges.filter(({ from }) => from === id);
  const from = edges.filter((edge) => edge.to === id);
  return [
    node.label,
    node.status?.word,
    listed(to.map((edge) => `${kinds?.[edge.kind ?? '']?.word ?? 'points to'} ${nameOf(edge.to)}`)),
    listed(from.map((edge) => `${nameOf(edge.from)} ${kinds?.[edge.kind ?? '']?.word ?? 'points to'} it`)),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

function listed(parts: readonly string[]): string {
  const rest = parts.length - MENTIONED;
  return [...parts.slice(0, MENTIONED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
