import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { layOut, ranksOf } from './layout.ts';
import { neighbourOf } from './neighbours.ts';

const edges = [
  { from: 'a', to: 'b' },
  { from: 'a', to: 'c' },
  { from: 'b', to: 'd' },
  { from: 'c', to: 'd' },
  { from: 'd', to: 'gone' },
  { from: 'b', to: 'b' },
] as const;
const ids = ['a', 'b', 'c', 'd', 'alone'] as const;

describe('a graph', () => {
  it('lies in ranks along its arrows, every node in a place of its own', () => {
    const places = layOut({ ids, edges, direction: 'right' });
    expect([...places.keys()]).toEqual(ids);
    expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(ids.length);
    expect(places.get('a')!.x).toBeLessThan(places.get('b')!.x);
    expect(places.get('b')!.x).toBe(places.get('c')!.x);
    expect(places.get('c')!.x).toBeLessThan(places.get('d')!.x);
    const down = layOut({ ids, edges, direction: 'down' });
    expect(down.get('a')!.y).toBeLessThan(down.get('d')!.y);
  });

  it('can be laid out with circles in it', () => {
    const circle = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(layOut({ ids: ['a', 'b'], edges: circle, direction: 'right' }).size).toBe(2);
  });

  it('of thousands of nodes lies in ranks too, in no time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 60 }), (pairs) => {
        const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
        const arrows = pairs.map(([from, to]) => ({ from: `n${from}`, to: `n${to}` }));
        const ranks = ranksOf(names, arrows);
        expect(ranks.flat().sort()).toEqual(names.toSorted());
        const rankOf = new Map(ranks.flatMap((rank, at) => rank.map((id) => [id, at] as const)));
        const forward = arrows.filter(({ from, to }) => Number(from.slice(1)) < Number(to.slice(1)));
        const onlyForward = ranksOf(names, forward);
        expect(rankOf.size).toBe(30);
        const forwardRank = new Map(onlyForward.flatMap((rank, at) => rank.map((id) => [id, at] as const)));
        for (const { from, to } of forward) {
          if (forwardRank.has(to)) expect(forwardRank.get(from)!).toBeLessThan(forwardRank.get(to)!);
        }
      }),
    );
    const many = Array.from({ length: 2_000 }, (_, at) => `n${at}`);
    const chain = many.slice(1).map((to, at) => ({ from: `n${Math.floor(at / 2)}`, to }));
    const places = layOut({ ids: many, edges: chain, direction: 'right' });
    expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(many.length);
  });

  it('is walked through with four keys', () => {
    const direction = 'right';
    const positions = layOut({ ids, edges, direction });
    const go = (id: string, way: Parameters<typeof neighbourOf>[1]) =>
      neighbourOf(id, way, { edges, positions, direction });
    expect(['b', 'c']).toContain(go('a', 'ahead'));
    expect(go('b', 'ahead')).toBe('d');
    expect(go('b', 'back')).toBe('a');
    expect(go('d', 'ahead')).toBeUndefined();
    const [upper, lower] = positions.get('b')!.y < positions.get('c')!.y ? ['b', 'c'] : ['c', 'b'];
    expect(go(upper, 'after')).toBe(lower);
    expect(go(lower, 'before')).toBe(upper);
  });
});
