import type { GraphEdge, GraphNode } from '../../ui/graph/types.ts';
import { statusBadge, waiting } from './status-badge.ts';

interface RingNode {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly priority: string;
  readonly combined_priority: number;
  readonly on_critical_path: boolean;
}

export interface RingGraph {
  readonly nodes: readonly RingNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[];
}

interface Drawing {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly critical: ReadonlySet<string>;
}

/** Returns nodes sorted by rank. Edges point from a task to the tasks that depend on it. */
export function drawingOf({ nodes, edges }: RingGraph): Drawing {
  const ranked = nodes.toSorted((left, right) => right.combined_priority - left.combined_priority);
  const open = new Set(nodes.filter(({ status }) => status !== 'done').map(({ id }) => id));
  const held = new Set(edges.filter(({ to, type }) => type === 'blocks' && open.has(to)).map(({ from }) => from));
  return {
    nodes: ranked.map(({ id, title, status, priority }, at) => ({
      id,
      label: title,
      detail: `#${at + 1} ${priority}`,
      status: status === 'ready' && held.has(id) ? waiting : statusBadge(status),
    })),
    edges: edges.map(({ from, to, type }) =>
      type === 'part-of' ? { from, to, kind: type } : { from: to, to: from, kind: type === 'blocks' ? type : 'other' },
    ),
    critical: new Set(ranked.filter((node) => node.on_critical_path).map(({ id }) => id)),
  };
}
