import type { Tone } from '../badge.tsx';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  /** Second line of the node: an id, an owner or a time. */
  readonly detail?: string;
  readonly status?: { readonly tone: Tone; readonly word: string };
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** A key of `kinds`; omitted for a plain edge. */
  readonly kind?: string;
}

interface EdgeKind {
  /** A verb, as in `A blocks B`. */
  readonly word: string;
  readonly line?: 'dashed' | 'dotted';
}

export interface GraphProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly kinds?: Readonly<Record<string, EdgeKind>>;
  readonly direction?: 'right' | 'down';
  /** Highlighted nodes; the view starts at the first of them. */
  readonly highlight?: ReadonlySet<string>;
  readonly onOpen?: (id: string) => void;
}

/** These constants are not in the layout code, because only the worker loads that code. */
export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 60;

export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;
