import { type GraphLink, type GraphNode, graphLinks, graphNodes } from '../store/graph.ts';
import type { Ringmaster } from './ringmaster.ts';

interface Graph {
  readonly nodes: readonly (Omit<GraphNode, 'on_critical_path'> & { readonly on_critical_path: boolean })[];
  readonly edges: readonly GraphLink[];
}

export interface DrawOptions {
  readonly project?: string | undefined;
  readonly all: boolean;
  readonly format: 'mermaid' | 'dot' | 'json';
}

export function drawGraph(
  { store }: Ringmaster,
  { project, all, format }: DrawOptions,
): Graph & { readonly text: string } {
  const nodes = graphNodes(store.reader, project, all).map((node) => ({
    ...node,
    on_critical_path: node.on_critical_path === 1,
  }));
  const known = new Set(nodes.map(({ id }) => id));
  const parents = nodes.flatMap(({ id, parent_id }) =>
    parent_id === null ? [] : [{ from: id, to: parent_id, type: 'part-of' }],
  );
  const edges = [...graphLinks(store.reader), ...parents].filter(({ from, to }) => known.has(from) && known.has(to));
  const graph = { nodes, edges };
  return { ...graph, text: { mermaid, dot, json: () => '' }[format](graph) };
}

/** Arrows lead from a dependency to the task that depends on it. */
function mermaid({ nodes, edges }: Graph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const lines = [
    'graph TD',
    ...nodes.map(({ id, title, status }) => `  ${names.get(id)}["${label(`${id}: ${title}`)}"]:::${status}`),
    ...edges.map(({ from, to, type }) => {
      const arrow = type === 'blocks' ? '-->' : `-.->|${label(type)}|`;
      return `  ${names.get(to)} ${arrow} ${names.get(from)}`;
    }),
    '  classDef done fill:#cfc',
    '  classDef failed fill:#fcc',
    '  classDef in_progress fill:#ccf',
    '  classDef assigned fill:#ccf',
    '  classDef blocked fill:#fec',
  ];
  return `${lines.join('\n')}\n`;
}

function dot({ nodes, edges }: Graph): string {
  const lines = [
    'digraph tasks {',
    ...nodes.map(({ id, title }) => `  ${JSON.stringify(id)} [label=${JSON.stringify(`${id}\n${title}`)}];`),
    ...edges.map(({ from, to, type }) => {
      const style = type === 'blocks' ? '' : ` [style=dashed, label=${JSON.stringify(type)}]`;
      return `  ${JSON.stringify(to)} -> ${JSON.stringify(from)}${style};`;
    }),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** Mermaid can only escape quotes as entities. */
function label(text: string): string {
  return text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('\n', ' ');
}
