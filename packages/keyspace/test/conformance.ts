import type { StoredValue } from '@holdfast/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Engine, Entry } from '../src/storage-engine.ts';
import { detailTests } from './conformance/details.ts';
import { append, eventually, reads, request, sorted } from './conformance/requests.ts';
import { sharingTests } from './conformance/sharing.ts';

interface Subject {
  /** Opens the store with this name; creates it if it does not exist. */
  readonly open: (store: string) => Promise<Engine>;
  /** False if a store is deleted when the engine that opened it closes. */
  readonly isShared?: boolean;
}

let stores = 0;

/**
 * The contract in `storage-engine.ts` as tests. Every engine runs them from its own test file:
 *
 * ```ts
 * engineConformance('my engine', { open: async (store) => myEngine(store) })
 * ```
 */
export function engineConformance(name: string, { open, isShared = true }: Subject): void {
  describe(`${name} conforms to the engine contract`, () => {
    let engine: Engine;
    let store: string;
    beforeEach(async () => {
      stores += 1;
      store = `store-${stores}`;
      engine = await open(store);
    });
    afterEach(() => engine.close({ processIsEnding: true }));
    detailTests(() => engine);
    if (isShared)
      sharingTests(
        () => engine,
        () => open(store),
      );

    const write = (writes: Readonly<Record<string, StoredValue | undefined>>) =>
      engine.commit(request({ writes: new Map(Object.entries(writes)) }));
    const keysIn = async (gte: string, lt: string, limit = 100, reverse = false) =>
      (await engine.range({ gte, lt, limit, reverse })).map(([key]) => key);

    describe('reading and writing', () => {
      it('finds nothing in an empty store, which is at revision 0', async () => {
        expect(await engine.get('a')).toBeUndefined();
        expect(await engine.range({ gte: '', lt: '\u{10ffff}', limit: 10, reverse: false })).toEqual([]);
        expect(await engine.revision()).toBe(0);
        expect(await engine.changes(0, 10)).toEqual([]);
      });

      it('stores text and bytes exactly as given', async () => {
        const bytes = new Uint8Array([0, 1, 255, 0, 128]);
        await write({ text: 'ä€😀"\\\n', empty: '', bytes });
        expect(await engine.get('text')).toBe('ä€😀"\\\n');
        expect(await engine.get('empty')).toBe('');
        expect(new Uint8Array((await engine.get('bytes')) as Uint8Array)).toEqual(bytes);
      });

      it('reads many keys at once, in their order, with undefined for those that are absent', async () => {
        await write({ a: '1', b: '2' });
        expect(await engine.getMany(['b', 'x', 'a', 'b'])).toEqual(['2', undefined, '1', '2']);
        expect(await engine.getMany([])).toEqual([]);
        const snapshot = await engine.snapshot();
        expect(await snapshot.getMany(['a'])).toEqual(['1']);
        await write({ a: '3' });
        expect(await snapshot.getMany(['a', 'b'])).toEqual(['1', '2']);
        snapshot.release();
      });

      it('rejects text that cannot be stored exactly, and then writes nothing', async () => {
        for (const [key, value] of [
          ['nul', 'x\0y'],
          ['nul\0key', 'x'],
          ['half', 'x\ud800'],
          ['half\udc00key', 'x'],
        ] as const) {
          await expect(write({ fine: '1', [key]: value })).rejects.toMatchObject({ code: 'TEXT_NOT_STORABLE' });
        }
        expect(await engine.get('fine')).toBeUndefined();
        expect(await engine.revision()).toBe(0);
      });

      it('rejects keys, values and commits that are too large, and accepts the largest that are not', async () => {
        const longest = 'é'.repeat(500);
        await write({ [longest]: '1' });
        expect(await engine.get(longest)).toBe('1');
        await expect(write({ ['é'.repeat(513)]: '1' })).rejects.toMatchObject({ code: 'KEY_TOO_LONG' });
        const large = new Uint8Array(16 * 1_024 * 1_024);
        await expect(write({ a: new Uint8Array(large.length + 1) })).rejects.toMatchObject({ code: 'VALUE_TOO_LARGE' });
        await expect(write({ a: large, b: large, c: large, d: large })).rejects.toMatchObject({
          code: 'COMMIT_TOO_LARGE',
        });
        expect(await engine.get('a')).toBeUndefined();
      });

      it('checks the entries of a log like everything else', async () => {
        const build = (): readonly Entry[] => [['l/1', 'x\0y']];
        await expect(engine.commit(request({ appends: [{ ...append('l'), build }] }))).rejects.toMatchObject({
          code: 'TEXT_NOT_STORABLE',
        });
        expect(await engine.get('l-seq')).toBeUndefined();
      });

      it('replaces and deletes', async () => {
        await write({ a: '1', b: '1' });
        await write({ a: '2', b: undefined });
        expect(await engine.get('a')).toBe('2');
        expect(await engine.get('b')).toBeUndefined();
      });

      it('numbers commits without gaps and leaves the number alone when nothing changed', async () => {
        expect(await write({ a: '1' })).toEqual({ conflict: false, revision: 1 });
        expect(await write({ a: '2' })).toEqual({ conflict: false, revision: 2 });
        expect(await write({ a: '2', b: undefined })).toEqual({ conflict: false, revision: 2 });
        expect(await engine.revision()).toBe(2);
      });
    });

    describe('ranges', () => {
      it('are ordered by UTF-8 bytes, also where UTF-16 differs', async () => {
        const ordered = ['A', 'a', 'a-b', 'a/b', 'a1', 'a:b', 'b', 'ä', '日本', '\ue000', '\uffee', '😀'];
        await write(Object.fromEntries(ordered.toReversed().map((key) => [key, key])));
        expect(await keysIn('', '\u{10ffff}')).toEqual(ordered);
        expect(await keysIn('', '\u{10ffff}', 100, true)).toEqual(ordered.toReversed());
      });

      it('include the lower bound, exclude the upper, and respect limit and direction', async () => {
        await write({ a: '1', b: '2', c: '3', d: '4' });
        expect(await keysIn('b', 'd')).toEqual(['b', 'c']);
        expect(await keysIn('b', 'z', 2)).toEqual(['b', 'c']);
        expect(await keysIn('a', 'd', 2, true)).toEqual(['c', 'b']);
        expect(await keysIn('x', 'z')).toEqual([]);
      });
    });

    describe('snapshots', () => {
      it('show one state, whatever is committed meanwhile', async () => {
        await write({ a: '1', b: '1' });
        const snapshot = await engine.snapshot();
        expect(await snapshot.revision()).toBe(1);
        await write({ a: '2', b: undefined, c: '2' });
        expect(await snapshot.get('a')).toBe('1');
        const seen = await snapshot.range({ gte: '', lt: 'z', limit: 10, reverse: false });
        expect(seen.map(([key]) => key)).toEqual(['a', 'b']);
        snapshot.release();
        snapshot.release();
        expect(await engine.get('a')).toBe('2');
      });

      it('contain everything that was acknowledged before', async () => {
        for (let round = 1; round <= 20; round++) {
          await write({ round: String(round) });
          const snapshot = await engine.snapshot();
          expect(await snapshot.get('round')).toBe(String(round));
          snapshot.release();
        }
      });
    });

    describe('commits', () => {
      it('conflict when a value that was read has changed, and then change nothing', async () => {
        await write({ a: '1' });
        const stale = request({ base: 1, reads: reads({ a: '1' }), writes: reads({ b: 'from a' }) });
        await write({ a: '2' });
        expect(await engine.commit(stale)).toEqual({ conflict: true });
        expect(await engine.get('b')).toBeUndefined();
        expect(await engine.revision()).toBe(2);
      });

      it('conflict when a key that was absent has appeared, or one that was there is gone', async () => {
        const absent = request({ base: 0, reads: reads({ a: undefined }), writes: reads({ b: '1' }) });
        await write({ a: '1' });
        expect(await engine.commit(absent)).toEqual({ conflict: true });
        const present = request({ base: 1, reads: reads({ a: '1' }), writes: reads({ b: '1' }) });
        await write({ a: undefined });
        expect(await engine.commit(present)).toEqual({ conflict: true });
      });

      it('conflict when something appeared in a range that was read', async () => {
        const range = { gte: 'p/', lt: 'p0', limit: 100, reverse: false };
        const stale = request({ base: 0, ranges: [{ range, entries: [] }], writes: reads({ count: '0' }) });
        await write({ 'p/x': '1' });
        expect(await engine.commit(stale)).toEqual({ conflict: true });
      });

      it('pass when other keys changed, or a value changed and changed back', async () => {
        await write({ a: '1' });
        await write({ a: '2', other: 'x' });
        await write({ a: '1' });
        const outcome = await engine.commit(request({ base: 1, reads: reads({ a: '1' }), writes: reads({ b: '1' }) }));
        expect(outcome).toEqual({ conflict: false, revision: 4 });
      });

      it('are each acknowledged with a revision of their own, also when they arrive together', async () => {
        const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => write({ [`k${index}`]: 'v' })));
        const revisions = outcomes.map((outcome) => (outcome.conflict ? 0 : outcome.revision));
        expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      });

      it('let exactly one of many that read the same value win', async () => {
        await write({ a: '0' });
        const race = Array.from({ length: 20 }, (_, index) =>
          engine.commit(request({ base: 1, reads: reads({ a: '0' }), writes: reads({ a: `won by ${index}` }) })),
        );
        const outcomes = await Promise.all(race);
        expect(outcomes.filter(({ conflict }) => !conflict)).toHaveLength(1);
      });
    });

    describe('counters and logs', () => {
      it('add up without conflicts', async () => {
        const addition = { key: 'n', encoding: 'decimal', amount: 3 } as const;
        const outcomes = await Promise.all(
          Array.from({ length: 30 }, () => engine.commit(request({ additions: [addition] }))),
        );
        expect(outcomes.every(({ conflict }) => !conflict)).toBe(true);
        expect(await engine.get('n')).toBe('90');
      });

      it('give out numbers from 1 without gaps, for counters that hold the last and the next number', async () => {
        await Promise.all(
          Array.from({ length: 20 }, () => [
            engine.commit(request({ appends: [append('l')] })),
            engine.commit(request({ appends: [append('n', 'next')] })),
          ]).flat(),
        );
        const numbers = Array.from({ length: 20 }, (_, index) => String(index + 1));
        const valuesOf = (entries: readonly Entry[]) => entries.map(([, value]) => value);
        expect(valuesOf(await engine.range({ gte: 'l/', lt: 'l0', limit: 99, reverse: false }))).toEqual(numbers);
        expect(valuesOf(await engine.range({ gte: 'n/', lt: 'n0', limit: 99, reverse: false }))).toEqual(numbers);
        expect([...((await engine.get('l-seq')) as Uint8Array)]).toEqual([0, 0, 0, 0, 0, 0, 0, 20]);
        expect(await engine.get('n-seq')).toBe('21');
      });
    });

    describe('the list of changes', () => {
      it('tells what each commit changed, from what, to what, oldest first', async () => {
        await write({ a: '1', b: '1' });
        await write({ a: '2', b: undefined, same: undefined });
        const commits = await engine.changes(0, 10);
        expect(commits.map(({ revision }) => revision)).toEqual([1, 2]);
        expect(sorted(commits[1])).toEqual([
          { key: 'a', before: '1', after: '2' },
          { key: 'b', before: '1', after: undefined },
        ]);
        expect(await engine.changes(1, 10)).toHaveLength(1);
        expect(await engine.changes(0, 1)).toHaveLength(1);
        expect(await engine.changes(2, 10)).toEqual([]);
      });

      it('is announced after every commit, until one stops listening', async () => {
        let calls = 0;
        const stop = engine.onChange(() => {
          calls += 1;
        });
        await write({ a: '1' });
        await eventually(() => calls > 0);
        stop();
        const before = calls;
        await write({ a: '2' });
        await new Promise((resolve) => setTimeout(resolve, 30));
        expect(calls).toBe(before);
      });
    });
  });
}
