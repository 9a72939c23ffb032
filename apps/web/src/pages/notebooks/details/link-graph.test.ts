import { expect, it } from 'vitest';

import type { NoteLinks } from '../../../api/types.ts';
import { linkGraphOf } from './link-graph.tsx';

const note = { id: 'n', path: 'n.md', title: null };
const file = (id: string): { id: string; path: string; title: string } => ({
  id,
  path: `${id}.md`,
  title: `Title ${id}`,
});

it('each file is one node, and each pair of linked files one edge', () => {
  const links = {
    incoming: [{ file: file('a') }, { file: file('a') }, { file: file('n') }],
    outgoing: [{ file: file('b') }, { file: null }, { file: file('a') }, { file: file('n') }],
  } as unknown as NoteLinks;
  const { nodes, edges } = linkGraphOf(note, links);
  expect(nodes.map(({ id }) => id)).toEqual(['n', 'a', 'b']);
  expect(nodes[1]).toEqual({ id: 'a', label: 'Title a', detail: 'a.md' });
  expect(edges).toEqual([
    { from: 'a', to: 'n' },
    { from: 'n', to: 'b' },
    { from: 'n', to: 'a' },
  ]);
});
