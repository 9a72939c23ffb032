import type { GraphEdge, Positions } from './types.ts';

export type Step = 'ahead' | 'back' | 'before' | 'after';

/** Returns the nearest neighbour: `ahead` along the edges, `back` against them, `before` or `after` in the same layer. */
export function neighbourOf(
  id: string,
  step: Step,
  { edges, positions, direction }: { edges: readonly GraphEdge[]; positions: Positions; direction: 'right' | 'down' },
): string | undefined {
  const here = positions.get(id);
  if (here === undefined) return undefined;
  const [along, across] = direction === 'right' ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const sameLayer = [...positions].filter(
    ([, there]) => there[along] === here[along] && there[across] > here[across] === (step === 'after'),
  );
  const candidates = {
    ahead: edges.filter(({ from }) => from === id).map(({ to }) => to),
    back: edges.filter(({ to }) => to === id).map(({ from }) => from),
    before: sameLayer.map(([other]) => other),
    after: sameLayer.map(([other]) => other),
  };
  const distance = (other: string): number => Math.abs((positions.get(other)?.[across] ?? 0) - here[across]);
  return candidates[step]
    .filter((other) => other !== id && positions.has(other))
    .sort((left, right) => distance(left) - distance(right))[0];
}
