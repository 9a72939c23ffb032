import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { computeLayout, ranksOf } from './layout.ts';
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
  it('has its layers along the edges, and every node at its own position', () => {
    const positions = computeLayout({ ids, edges, direction: 'right' });
    expect([...positions.keys()]).toEqual(ids);
    expect(new Set([...positions.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(ids.length);
    expect(positions.get('a')!.x).toBeLessThan(positions.get('b')!.x);
    expect(positions.get('b')!.x).toBe(positions.get('c')!.x);
    expect(positions.get('c')!.x).toBeLessThan(positions.get('d')!.x);
    const down = computeLayout({ ids, edges, direction: 'down' });
    expect(down.get('a')!.y).toBeLessThan(down.get('d')!.y);
  });

  it('has nodes without edges in rows below the others, not in one endless column', () => {
    const alone = Array.from({ length: 100 }, (_, at) => `alone-${at}`);
    const places = computeLayout({ ids: ['a', 'b', ...alone], edges: [{ from: 'a', to: 'b' }], direction: 'right' });
    const rows = new Set(alone.map((id) => places.get(id)!.y));
    expect(rows.size).toBe(10);
    expect(Math.min(...rows)).toBeGreaterThan(places.get('a')!.y);
  });

  it('can be laid out with circles in it', () => {
    const circle = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(computeLayout({ ids: ['a', 'b'], edges: circle, direction: 'right' }).size).toBe(2);
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
    const positions = computeLayout({ ids: many, edges: chain, direction: 'right' });
    expect(new Set([...positions.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(many.length);
  });

  it('is walked through with four keys', () => {
    const direction = 'right';
    const positions = computeLayout({ ids, edges, direction });
    const move = (id: string, step: Parameters<typeof neighbourOf>[1]) =>
      neighbourOf(id, step, { edges, positions, direction });
    expect(['b', 'c']).toContain(move('a', 'ahead'));
    expect(move('b', 'ahead')).toBe('d');
    expect(move('b', 'back')).toBe('a');
    expect(move('d', 'ahead')).toBeUndefined();
    const [upper, lower] = positions.get('b')!.y < positions.get('c')!.y ? ['b', 'c'] : ['c', 'b'];
    expect(move(upper, 'after')).toBe(lower);
    expect(move(lower, 'before')).toBe(upper);
  });
});
