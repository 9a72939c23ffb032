// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import '@xyflow/react/dist/base.css';

import {
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeHandle,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';

import { useIsDark } from '../../lib/theme.ts';
import { Announce } from '../announce.tsx';
import { Badge } from '../badge.tsx';
import { Skeleton } from '../page.tsx';
import type { LayoutRequest } from './layout.ts';
import { neighbourOf, type Step } from './neighbours.ts';
import { type GraphEdge, type GraphNode, type GraphProps, NODE_HEIGHT, NODE_WIDTH, type Positions } from './types.ts';

/** A graph with more nodes does not fit on the screen, so the view starts at one node, at a readable zoom. */
const FIT_NODES_MAX = 40;
/** A graph with at most this many nodes needs less height. */
const SMALL_NODES_MAX = 12;

const fitOptions = { maxZoom: 1 } as const;

export function GraphCanvas(props: GraphProps): ReactNode {
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
  return <LaidOutGraph {...props} direction={direction} positions={positions} />;
}

function LaidOutGraph(props: LaidOutProps): ReactNode {
  const { label, nodes, positions, onOpen } = props;
  const flow = useRef<ReactFlowInstance<FlowNode>>(null);
  const { chosen, choose, showFirst, onKeyDown } = useGraphKeys(props, flow);
  const { flowNodes, flowEdges } = useFlowElements(props, chosen);
  const fits = nodes.length <= FIT_NODES_MAX;
  const container = useFit(flow, fits, positions);
  const helpId = useId();
  const isDark = useIsDark();
  return (
    <div
      ref={container}
      role="group"
      aria-label={label}
      aria-describedby={helpId}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={`-outline-offset-2 ${nodes.length <= SMALL_NODES_MAX ? 'h-72' : 'h-[60vh] min-h-80'}`}
    >
      <p id={helpId} className="sr-only">
        Use the arrow keys to select a node and Enter to open it. Plus and minus zoom, 0 shows all. The list view has
        the same content.
      </p>
      <ReactFlow
        nodes={flowNodes}
        edges={flowEdges}
        nodeTypes={nodeTypes}
        colorMode={isDark ? 'dark' : 'light'}
        onInit={(instance) => {
          flow.current = instance;
          if (fits) void instance.fitView(fitOptions);
          else showFirst();
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

/** Keeps a small graph completely visible when the view size or the nodes change. */
function useFit(
  flow: RefObject<ReactFlowInstance<FlowNode> | null>,
  fits: boolean,
  positions: Positions,
): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!fits || container.current === null) return undefined;
    const observer = new ResizeObserver(() => requestAnimationFrame(() => void flow.current?.fitView(fitOptions)));
    observer.observe(container.current);
    return () => observer.disconnect();
  }, [flow, fits, positions]);
  return container;
}

const NAMED_MAX = 3;

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
  const rest = parts.length - NAMED_MAX;
  return [...parts.slice(0, NAMED_MAX), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

type FlowNode = Node<{
  readonly node: GraphNode;
  readonly direction: 'right' | 'down';
  readonly isChosen: boolean;
  readonly isHighlighted: boolean;
}>;

const size = { width: NODE_WIDTH, height: NODE_HEIGHT } as const;

const GraphNodeBox = memo(function GraphNodeBox({ data }: NodeProps<FlowNode>): ReactNode {
  const { node, direction, isChosen, isHighlighted } = data;
  const { label, detail, status } = node;
  return (
    <div
      data-node={node.id}
      style={size}
      className={`grid content-center gap-1 rounded-lg border px-3 text-left text-text ${
        isHighlighted ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'
      } ${isChosen ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
    >
      <Handle type="target" position={direction === 'right' ? Position.Left : Position.Top} isConnectable={false} />
      <span className="truncate text-[13px] font-medium" title={label}>
        {label}
      </span>
      <span className="flex min-w-0 items-center gap-2">
        {status !== undefined && <Badge tone={status.tone}>{status.word}</Badge>}
        {detail !== undefined && <span className="truncate font-mono text-xs text-muted">{detail}</span>}
      </span>
      <Handle type="source" position={direction === 'right' ? Position.Right : Position.Bottom} isConnectable={false} />
    </div>
  );
});

const nodeTypes = { box: GraphNodeBox } as const;

type LaidOutProps = GraphProps & { readonly direction: 'right' | 'down'; readonly positions: Positions };

/** Handle positions and node sizes are fixed, so that no node has to be rendered just to measure it. */
const nodeHandles: Readonly<Record<'right' | 'down', NodeHandle[]>> = {
  right: [
    { type: 'target', position: Position.Left, x: 0, y: NODE_HEIGHT / 2, width: 1, height: 1 },
    { type: 'source', position: Position.Right, x: NODE_WIDTH, y: NODE_HEIGHT / 2, width: 1, height: 1 },
  ],
  down: [
    { type: 'target', position: Position.Top, x: NODE_WIDTH / 2, y: 0, width: 1, height: 1 },
    { type: 'source', position: Position.Bottom, x: NODE_WIDTH / 2, y: NODE_HEIGHT, width: 1, height: 1 },
  ],
};

function useFlowElements(props: LaidOutProps, chosen: string | undefined) {
  const { nodes, edges, direction, highlight, positions, kinds } = props;
  const baseNodes = useMemo(
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
          handles: nodeHandles[direction],
          data: { node, direction, isChosen: false, isHighlighted: highlight?.has(node.id) ?? false },
        })),
    [nodes, positions, direction, highlight],
  );
  const baseEdges = useMemo(
    () =>
      edges.map(({ from, to, kind }, at): Edge => ({
        id: `${at} ${from} ${to}`,
        source: from,
        target: to,
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--muted)' },
        style: {
          stroke: 'var(--line-strong)',
          strokeWidth: 1.25,
          ...dashOf(kinds?.[kind ?? '']?.line),
        },
      })),
    [edges, kinds],
  );
  // Only the selected node gets a new object, so that changing the selection renders two nodes instead of thousands.
  const flowNodes = useMemo(
    () => baseNodes.map((node) => (node.id === chosen ? { ...node, data: { ...node.data, isChosen: true } } : node)),
    [baseNodes, chosen],
  );
  const flowEdges = useMemo(
    () =>
      baseEdges.map((edge) => {
        const isNear = edge.source === chosen || edge.target === chosen;
        return isNear ? { ...edge, style: { ...edge.style, stroke: 'var(--accent)', strokeWidth: 2 } } : edge;
      }),
    [baseEdges, chosen],
  );
  return { flowNodes, flowEdges };
}

const READABLE_ZOOM = 0.8;

const stepKeys = {
  right: { ArrowRight: 'ahead', ArrowLeft: 'back', ArrowUp: 'before', ArrowDown: 'after' },
  down: { ArrowDown: 'ahead', ArrowUp: 'back', ArrowLeft: 'before', ArrowRight: 'after' },
} as const satisfies Record<string, Readonly<Record<string, Step>>>;

/** Keyboard navigation between nodes; the view follows the selected one. */
function useGraphKeys(props: LaidOutProps, flow: RefObject<ReactFlowInstance<FlowNode> | null>) {
  const { nodes, edges, direction, highlight, positions, onOpen } = props;
  const [chosen, choose] = useState<string>();
  const first = nodes.find(({ id }) => highlight?.has(id) ?? false)?.id ?? nodes[0]?.id;
  const centre = (id: string | undefined, zoom: number): void => {
    const position = positions.get(id ?? '');
    if (position === undefined) return;
    void flow.current?.setCenter(position.x + NODE_WIDTH / 2, position.y + NODE_HEIGHT / 2, { zoom });
  };
  const move = (step: Step): void => {
    const next = chosen === undefined ? first : neighbourOf(chosen, step, { edges, positions, direction });
    if (next === undefined) return;
    choose(next);
    centre(next, Math.max(flow.current?.getZoom() ?? READABLE_ZOOM, READABLE_ZOOM / 2));
  };
  const act = (key: string): boolean => {
    const step = (stepKeys[direction] as Readonly<Record<string, Step>>)[key];
    if (step !== undefined) move(step);
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
    showFirst: () => centre(first, READABLE_ZOOM),
    onKeyDown: (event: KeyboardEvent) => {
      // Buttons in the view handle their own keys.
      if (event.target === event.currentTarget && act(event.key)) event.preventDefault();
    },
  };
}

/**
 * Computes the layout in a web worker. Only added or removed nodes and edges cause a new layout. The previous layout
 * stays visible until the new one is ready.
 */
function useLayout(
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
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target origin
    worker.postMessage(request);
    return () => worker.terminate();
  }, [shape, direction]);
  return positions;
}

const dashes = { dashed: '5 4', dotted: '1 4' } as const;

function dashOf(line: keyof typeof dashes | undefined): { readonly strokeDasharray?: string } {
  return line === undefined ? {} : { strokeDasharray: dashes[line] };
}
