import { type ReactNode, useMemo } from 'react';

import { Badge } from '../badge.tsx';
import { VirtualList } from '../virtual-list.tsx';
import type { GraphEdge, GraphNode, GraphProps } from './types.ts';

const ROW_HEIGHT = 62;
const NAMED_MAX = 8;

interface Row {
  readonly node: GraphNode;
  readonly to: readonly GraphEdge[];
}

export function GraphList({ label, nodes, edges, kinds, onOpen }: GraphProps): ReactNode {
  const names = useMemo(() => new Map(nodes.map(({ id, label: name }) => [id, name])), [nodes]);
  const rows = useMemo(() => {
    const leaving = new Map<string, GraphEdge[]>();
    for (const edge of edges) leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
    return nodes.map((node): Row => ({ node, to: leaving.get(node.id) ?? [] }));
  }, [nodes, edges]);
  const wordOf = (kind: string | undefined): string => kinds?.[kind ?? '']?.word ?? 'points to';
  const open = (id: string, name: string): ReactNode =>
    onOpen === undefined ? (
      <span className="break-words">{name}</span>
    ) : (
      <button
        type="button"
        className="text-left break-words text-accent-strong hover:underline"
        onClick={() => onOpen(id)}
      >
        {name}
      </button>
    );
  return (
    <VirtualList
      label={label}
      rows={rows}
      rowHeight={ROW_HEIGHT}
      keyOf={({ node }) => node.id}
      render={({ node, to }) => (
        <div className="grid gap-1 px-5 py-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
            {open(node.id, node.label)}
            {node.status !== undefined && <Badge tone={node.status.tone}>{node.status.word}</Badge>}
          </div>
          {to.length > 0 && (
            <p className="flex flex-wrap gap-x-2 text-[13px] text-muted">
              {to.slice(0, NAMED_MAX).map((edge, at) => (
                <span key={at}>
                  {wordOf(edge.kind)} {open(edge.to, names.get(edge.to) ?? edge.to)}
                  {at < to.length - 1 && ','}
                </span>
              ))}
              {to.length > NAMED_MAX && <span>and {to.length - NAMED_MAX} more</span>}
            </p>
          )}
        </div>
      )}
    />
  );
}
