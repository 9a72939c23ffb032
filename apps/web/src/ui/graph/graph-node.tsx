import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, type ReactNode } from 'react';

import { Badge } from '../badge.tsx';
import { NODE_HEIGHT, NODE_WIDTH } from './node-size.ts';
import type { GraphNode } from './types.ts';

export type FlowNode = Node<{
  readonly node: GraphNode;
  readonly direction: 'right' | 'down';
  readonly isChosen: boolean;
  readonly isHighlighted: boolean;
}>;

const size = { width: NODE_WIDTH, height: NODE_HEIGHT } as const;

export const GraphNodeBox = memo(function GraphNodeBox({ data }: NodeProps<FlowNode>): ReactNode {
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
