import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { linkGraphQuery, notebooksQuery } from '../../../api/codex-queries.ts';
import type { NoteFile, NoteLinks } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { Graph } from '../../../ui/graph/graph.tsx';
import type { GraphEdge, GraphNode } from '../../../ui/graph/types.ts';
import { Card, EmptyState, NotLoaded, Page } from '../../../ui/page.tsx';

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
  return { nodes: [...files.values()].map(nodeOf), edges: [...edges.values()] };
}

function nodeOf({ id, path, title }: LinkedFile): GraphNode {
  return { id, label: title ?? path, detail: path };
}

/** All notes in a notebook that are connected by links. */
export function NotebookGraph({ id }: { readonly id: string }): ReactNode {
  const navigate = useNavigate();
  const { data: notebooks } = useQuery(notebooksQuery);
  const query = useQuery(linkGraphQuery(id));
  const { data } = query;
  const nodes = useMemo(() => (data?.files ?? []).map(nodeOf), [data]);
  const name = notebooks?.find((each) => String(each.id) === id)?.name ?? 'the notebook';
  const rest = data === undefined ? 0 : data.linked_files - data.files.length;
  return (
    <Page
      title={`Links in ${name}`}
      description={
        rest > 0
          ? `The ${count(nodes.length, 'file')} with the most links; ${count(rest, 'other linked file')} not shown.`
          : 'All files that link to each other.'
      }
    >
      <Card isFlush>
        {data === undefined ? (
          <NotLoaded query={query} lines={6} />
        ) : nodes.length === 0 ? (
          <EmptyState icon={Waypoints} title="No links yet">
            <p>Type [[ in a note to link to another note.</p>
          </EmptyState>
        ) : (
          <Graph
            label="Links"
            nodes={nodes}
            edges={data.links}
            onOpen={(file) => void navigate({ to: '/notebooks/$id/files/$file', params: { id, file } })}
          />
        )}
      </Card>
    </Page>
  );
}
