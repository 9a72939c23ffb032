import type { GraphEdge, Positions } from './types.ts';

export type Way = 'ahead' | 'back' | 'before' | 'after';

/** The neighbour in a direction: along or against the edges, or in the same layer. */
export function neighbourOf(
  id: string,
  way: Way,
  { edges, positions, direction }: { edges: readonly GraphEdge[]; positions: Positions; direction: 'right' | 'down' },
): string | undefined {
  const here = positions.get(id);
  if (here === undefined) return undefined;
  const [along, across] = direction === 'right' ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const nearest = (ids: Iterable<string>, axis: 'x' | 'y'): string | undefined =>
    [...ids]
      .filter((each) => each !== id && positions.has(each))
      .sort((left, right) => distance(left, axis) - distance(right, axis))[0];
  const distance = (other: string, axis: 'x' | 'y'): number =>
    Math.abs((positions.get(other)?.[axis] ?? 0) - here[axis]);
  if (way === 'ahead')
    return nearest(
      edges.filter(({ from }) => from === id).map(({ to }) => to),
      across,
    );
  if (way === 'back')
    return nearest(
      edges.filter(({ to }) => to === id).map(({ from }) => from),
      across,
    );
  const beside = [...positions].filter(
    ([other, place]) =>
      other !== id && place[along] === here[along] && place[across] > here[across] === (way === 'after'),
  );
  return nearest(
    beside.map(([other]) => other),
    across,
  );
}
