import type { Tone } from '../badge.tsx';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  /** A second line: an id, an owner, a time. */
  readonly detail?: string;
  readonly status?: { readonly tone: Tone; readonly word: string };
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Which of `kinds` it is; without one it is an ordinary arrow. */
  readonly kind?: string;
}

/** What an edge means, for the legend and for the list. */
interface EdgeKind {
  /** As in `A blocks B`. */
  readonly word: string;
  readonly isDashed?: boolean;
}

export interface GraphProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly kinds?: Readonly<Record<string, EdgeKind>>;
  /** Which way the arrows go. */
  readonly direction?: 'right' | 'down';
  /** These stand out, and the view begins at the first of them. */
  readonly highlight?: ReadonlySet<string>;
  readonly onOpen?: (id: string) => void;
}
