import { expect, it } from 'vitest';

import { drawingOf } from './graph-drawing.ts';

it('a task graph is drawn the best first, with arrows from what comes first', () => {
  const node = { title: 't', status: 'ready', priority: 'P1' };
  const drawn = drawingOf({
    nodes: [
      { ...node, id: 'late', combined_priority: 0.1, on_critical_path: false },
      { ...node, id: 'early', combined_priority: 0.9, on_critical_path: true },
    ],
    edges: [
      { from: 'late', to: 'early', type: 'blocks' },
      { from: 'late', to: 'early', type: 'part-of' },
      { from: 'late', to: 'early', type: 'related' },
    ],
  });
  expect(drawn.nodes.map(({ id, detail, status }) => [id, detail, status?.word])).toEqual([
    ['early', '#1 P1', 'Ready'],
    ['late', '#2 P1', 'Waiting'],
  ]);
  expect(drawn.edges).toEqual([
    { from: 'early', to: 'late', kind: 'blocks' },
    { from: 'late', to: 'early', kind: 'part-of' },
    { from: 'early', to: 'late', kind: 'other' },
  ]);
  expect([...drawn.critical]).toEqual(['early']);
});
