import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Network } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { ringGraphQuery } from '../../api/ringmaster-queries.ts';
import type { Workspace } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { Segments } from '../../ui/field.tsx';
import { Graph } from '../../ui/graph/graph.tsx';
import { Card, EmptyState, Loaded } from '../../ui/page.tsx';
import { drawingOf, type RingGraph } from './graph-drawing.ts';
import { WorkspaceFilters } from './widgets.tsx';

const states = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
] as const;

export function GraphView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const [{ project = '', state }, change] = useFilters();
  const isAll = state === 'all';
  const graph = useQuery(ringGraphQuery(workspace.id, project, isAll));
  return (
    <>
      <WorkspaceFilters workspace={workspace}>
        <Segments
          label="Task status"
          value={isAll ? 'all' : 'open'}
          options={states}
          onChange={(next) => change({ state: next === 'all' ? next : '' }, true)}
        />
      </WorkspaceFilters>
      <Card isFlush>
        <Loaded query={graph}>{(found) => <Drawn workspace={workspace.id} graph={found} />}</Loaded>
      </Card>
    </>
  );
}

const kinds = {
  blocks: { word: 'blocks' },
  'part-of': { word: 'is part of', line: 'dashed' },
  other: { word: 'relates to', line: 'dotted' },
} as const;

function Drawn({ workspace, graph }: { readonly workspace: string; readonly graph: RingGraph }): ReactNode {
  const navigate = useNavigate();
  const { nodes, edges, critical } = useMemo(() => drawingOf(graph), [graph]);
  // The legend contains only kinds that occur in the graph.
  const used = useMemo(() => {
    const names = new Set(edges.map(({ kind }) => kind));
    return Object.fromEntries(Object.entries(kinds).filter(([name]) => names.has(name)));
  }, [edges]);
  if (nodes.length === 0) {
    return (
      <EmptyState icon={Network} title="No open tasks">
        <p>
          Run <code>ringmaster task add</code> to add a task, or show all tasks.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="px-5 pt-4 text-[13px] text-muted">
        {critical.size === 0
          ? 'Numbers are ranks in the queue.'
          : `Critical path: ${critical.size} highlighted tasks that determine the finish date. Numbers are ranks in the queue.`}
      </p>
      <Graph
        label="Task graph"
        nodes={nodes}
        edges={edges}
        kinds={used}
        highlight={critical}
        onOpen={(id) => void navigate({ to: '/ringmaster/$workspace/tasks/$id', params: { workspace, id } })}
      />
    </>
  );
}
