import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { NoteFile, NoteLinks } from '../../../api/types.ts';
import { Graph } from '../../../ui/graph/graph.tsx';
import type { GraphEdge, GraphNode } from '../../../ui/graph/types.ts';

interface LinkGraphProps {
  readonly id: string;
  readonly note: Pick<NoteFile, 'id' | 'path' | 'title'>;
  readonly links: NoteLinks;
}

/** A note, the notes that link to it, and the files that it links to. */
export function LinkGraph({ id, note, links }: LinkGraphProps): ReactNode {
  const navigate = useNavigate();
  const { nodes, edges } = linkGraphOf(note, links);
  return (
    <Graph
      label="Links"
      nodes={nodes}
      edges={edges}
      highlight={new Set([note.id])}
      onOpen={(file) => void navigate({ to: '/notebooks/$id/files/$file', params: { id, file } })}
    />
  );
}

interface LinkedFile {
  readonly id: string;
  readonly path: string;
  readonly title: string | null;
}

export function linkGraphOf(
  note: LinkedFile,
  { incoming, outgoing }: NoteLinks,
): { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] } {
  const files = new Map<string, LinkedFile>([[note.id, note]]);
  const edges = new Map<string, GraphEdge>();
  const add = (from: LinkedFile, to: LinkedFile): void => {
    for (const file of [from, to]) files.set(file.id, file);
    // A note that links to itself needs no edge.
    if (from.id !== to.id) edges.set(`${from.id} ${to.id}`, { from: from.id, to: to.id });
  };
  for (const { file } of incoming) add(file, note);
  for (const { file } of outgoing) if (file !== null) add(note, file);
  const nodes = [...files.values()].map(({ id, path, title }): GraphNode => ({
    id,
    label: title ?? path,
    detail: path,
  }));
  return { nodes, edges: [...edges.values()] };
}
