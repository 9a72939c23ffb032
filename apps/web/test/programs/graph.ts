// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './graph.css';

import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

import { Graph } from '../../src/ui/graph/graph.tsx';

/** A page that shows only a graph. The URL sets the number of nodes: `/?nodes=2000`. */

const search = new URLSearchParams(window.location.search);
const size = Number(search.get('nodes') ?? '6');
const states = [
  { tone: 'good', word: 'Done' },
  { tone: 'busy', word: 'In work' },
  { tone: 'open', word: 'Waiting' },
] as const;

const nodes = Array.from({ length: size }, (_, at) => ({
  id: `n${at}`,
  label: `Step ${at} <b>of many</b>`,
  detail: `n${at}`,
  ...(at % 4 === 3 ? {} : { status: states[at % 4] ?? states[2] }),
}));
/** Each node leads to one or two later ones, like tasks with dependencies. */
const edges = nodes
  .slice(1)
  .flatMap(({ id }, before) => [
    { from: `n${Math.max(0, before - (before % 7))}`, to: id, kind: 'blocks' },
    ...(before % 3 === 2 ? [{ from: `n${before - 2}`, to: id, kind: 'relates' }] : []),
  ]);
const kinds = { blocks: { word: 'blocks' }, relates: { word: 'relates to', line: 'dashed' } } as const;

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no place for the graph');
const heading = createElement('h1', { className: 'sr-only', key: 'title' }, 'A graph');
const graph = createElement(Graph, {
  key: 'graph',
  label: 'Steps',
  nodes,
  edges,
  kinds,
  highlight: new Set(['n1']),
  onOpen: (id: string) => {
    document.title = `Opened ${id}`;
  },
});
createRoot(place).render([heading, graph]);
