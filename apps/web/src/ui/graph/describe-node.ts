import type { GraphProps } from './types.ts';

const MENTIONED = 3;

/** What the drawing shows of a node, in words. */
export function describeNode(id: string, { nodes, edges, kinds }: GraphProps): string {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return '';
  const nameOf = (other: string): string => nodes.find((each) => each.id === other)?.label ?? other;
  const to = edges.filter(({ from }) => from === id);
  const from = edges.filter((edge) => edge.to === id);
  return [
    node.label,
    node.status?.word,
    listed(to.map((edge) => `${kinds?.[edge.kind ?? '']?.word ?? 'leads to'} ${nameOf(edge.to)}`)),
    listed(from.map((edge) => `${nameOf(edge.from)} ${kinds?.[edge.kind ?? '']?.word ?? 'leads to'} it`)),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

function listed(parts: readonly string[]): string {
  const rest = parts.length - MENTIONED;
  return [...parts.slice(0, MENTIONED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
