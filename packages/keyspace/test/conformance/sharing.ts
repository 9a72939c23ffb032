import { describe, expect, it } from 'vitest';

import type { Engine } from '../../src/storage-engine.ts';
import { append, eventually, everything, reads, request, write } from './requests.ts';

/** Guarantees of a durable store while several engines, in this or other processes, have it open. */
export function sharingTests(opened: () => Engine, openAgain: () => Promise<Engine>): void {
  const withOther = async (use: (engine: Engine, other: Engine) => Promise<void>): Promise<void> => {
    const other = await openAgain();
    try {
      await use(opened(), other);
    } finally {
      await other.close();
    }
  };

  describe('a store that is opened twice', () => {
    it('keeps everything, with revisions and changes, after it was closed', async () => {
      await write(opened(), { a: '1', b: new Uint8Array([1, 0, 255]) });
      await write(opened(), { a: '2' });
      await opened().close();
      const again = await openAgain();
      try {
        expect(await again.revision()).toBe(2);
        expect(await again.range(everything)).toEqual([
          ['a', '2'],
          ['b', new Uint8Array([1, 0, 255])],
        ]);
        expect((await again.changes(0, 10)).map(({ revision }) => revision)).toEqual([1, 2]);
        expect(await write(again, { c: '3' })).toEqual({ conflict: false, revision: 3 });
      } finally {
        await again.close();
      }
    });

    it('shows an acknowledged commit to the next read of the other engine', () =>
      withOther(async (engine, other) => {
        for (let round = 1; round <= 10; round++) {
          await write(round % 2 === 0 ? engine : other, { round: String(round) });
          const reader = round % 2 === 0 ? other : engine;
          expect(await reader.get('round')).toBe(String(round));
          expect(await reader.revision()).toBe(round);
        }
      }));

    it('counts and appends without gaps or conflicts when both write at once', () =>
      withOther(async (engine, other) => {
        const addition = { key: 'n', encoding: 'decimal', amount: 1 } as const;
        const commits = Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? engine : other).commit(request({ additions: [addition], appends: [append('l')] })),
        );
        const outcomes = await Promise.all(commits);
        const revisions = outcomes.map((outcome) => (outcome.conflict ? 0 : outcome.revision));
        expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
        expect(await engine.get('n')).toBe('40');
        expect(await other.range({ gte: 'l/', lt: 'l0', limit: 99, reverse: false })).toHaveLength(40);
      }));

    it('lets one of two engines win that read the same value', () =>
      withOther(async (engine, other) => {
        await write(engine, { a: '0' });
        const race = Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? engine : other).commit(
            request({ base: 1, reads: reads({ a: '0' }), writes: reads({ a: `won by ${index}` }) }),
          ),
        );
        expect((await Promise.all(race)).filter(({ conflict }) => !conflict)).toHaveLength(1);
        expect(await engine.revision()).toBe(2);
      }));

    it('keeps a snapshot of one engine unchanged by the other', () =>
      withOther(async (engine, other) => {
        await write(engine, { a: '1', b: '1', c: '1' });
        const snapshot = await engine.snapshot();
        expect(await snapshot.get('a')).toBe('1');
        await write(other, { a: '2', b: undefined, bb: '2' });
        await write(other, { c: undefined, d: '3' });
        expect(await snapshot.range(everything)).toEqual([
          ['a', '1'],
          ['b', '1'],
          ['c', '1'],
        ]);
        expect(await snapshot.getMany(['d', 'c'])).toEqual([undefined, '1']);
        snapshot.release();
      }));

    it('announces the commits of the other engine', () =>
      withOther(async (engine, other) => {
        let calls = 0;
        const stop = engine.onChange(() => (calls += 1));
        await write(other, { a: '1' });
        await eventually(() => calls > 0);
        expect(calls).toBeGreaterThan(0);
        stop();
      }));

    it('refuses to list the changes after a revision that it never had', async () => {
      await write(opened(), { a: '1' });
      await expect(async () => opened().changes(7, 10)).rejects.toMatchObject({ code: 'JOURNAL_TRIMMED' });
    });

    it('refuses to read and write once it is closed, and can be closed again', async () => {
      await opened().close();
      await opened().close();
      await expect(async () => opened().get('a')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
      await expect(async () => (await opened().snapshot()).get('a')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
      await expect(async () => write(opened(), { a: '1' })).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    });

    it('settles the commits that are under way before it closes', async () => {
      const commits = Array.from({ length: 10 }, (_, index) => write(opened(), { [`k${index}`]: 'v' }));
      await opened().close();
      await Promise.all(commits);
      const again = await openAgain();
      expect(await again.revision()).toBe(10);
      await again.close();
    });
  });
}
