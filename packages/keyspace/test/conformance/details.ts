import { describe, expect, it } from 'vitest';

import type { Engine, Entry } from '../../src/storage-engine.ts';
import { append, everything, reads, request, sorted, write } from './requests.ts';

/** Cases that an engine could get wrong without failing the rest of the suite. */
export function detailTests(opened: () => Engine): void {
  describe('details of values', () => {
    it('keep text that means something to a database', async () => {
      const hard = [
        'NULL',
        '{}',
        '{a,"b"}',
        '\\x00',
        "it's",
        '"',
        '\\',
        '\n',
        '\u0001',
        ' ',
        '%_',
        '$1',
        'é',
        '\u{1f600}',
      ];
      const values = Object.fromEntries(
        hard.flatMap((text) => [[`k:${text}`, text] as const, [`${text}:k`, 'v'] as const]),
      );
      await write(opened(), values);
      expect(Object.fromEntries(await opened().range(everything))).toEqual(values);
      expect(await opened().getMany(hard.map((text) => `k:${text}`))).toEqual(hard);
      const [commit] = await opened().changes(0, 1);
      expect(Object.fromEntries(commit!.changes.map(({ key, after }) => [key, after]))).toEqual(values);
    });

    it('are not found under a key that cannot be stored', async () => {
      await write(opened(), { a: '1', 'b\ufffd': '2' });
      expect(await opened().getMany(['a\0', 'b\ud800', 'a'])).toEqual([undefined, undefined, '1']);
    });

    it('keep the difference between no value, empty text and empty bytes', async () => {
      await write(opened(), { text: '', bytes: new Uint8Array() });
      expect(await opened().getMany(['text', 'bytes', 'none'])).toEqual(['', new Uint8Array(), undefined]);
      await write(opened(), { text: new Uint8Array(), bytes: '' });
      expect(await opened().getMany(['text', 'bytes'])).toEqual([new Uint8Array(), '']);
      expect(await opened().revision()).toBe(2);
    });

    it('store the largest value', async () => {
      const large = new Uint8Array(16 * 1_024 * 1_024).fill(7);
      await write(opened(), { large });
      expect(Buffer.compare((await opened().get('large')) as Uint8Array, large)).toBe(0);
    });

    it('store a commit of ten thousand keys', async () => {
      const keys = Array.from({ length: 10_000 }, (_, index) => `k/${String(index).padStart(5, '0')}`);
      await write(opened(), Object.fromEntries(keys.map((key) => [key, key])));
      const found = await opened().range({ gte: 'k/', lt: 'k0', limit: 20_000, reverse: false });
      expect(found.map(([key]) => key)).toEqual(keys);
      expect(await opened().getMany(keys)).toEqual(keys);
    });
  });

  describe('details of snapshots', () => {
    it('know their revision with the first read', async () => {
      await write(opened(), { a: '1' });
      const snapshot = await opened().snapshot();
      await snapshot.get('a');
      await write(opened(), { a: '2' });
      expect(await snapshot.revision()).toBe(1);
      snapshot.release();
    });

    it('fill a limited range although entries were added, changed and removed since, in both directions', async () => {
      await write(opened(), Object.fromEntries(['b', 'd', 'f', 'h', 'j'].map((key) => [key, `old ${key}`])));
      const snapshot = await opened().snapshot();
      expect(await snapshot.get('b')).toBe('old b');
      await write(opened(), { a: 'new', b: undefined, c: 'new', d: 'new', h: undefined, i: 'new' });
      await write(opened(), { b: 'back', c: undefined, j: undefined, k: 'new' });
      const keysIn = async (limit: number, reverse: boolean) =>
        (await snapshot.range({ gte: 'a', lt: 'z', limit, reverse })).map(([, value]) => value);
      expect(await keysIn(3, false)).toEqual(['old b', 'old d', 'old f']);
      expect(await keysIn(3, true)).toEqual(['old j', 'old h', 'old f']);
      expect(await keysIn(9, false)).toHaveLength(5);
      snapshot.release();
    });
  });

  describe('details of commits', () => {
    it('ignore what lies beyond the limit of a range that was read, and notice what moves into it', async () => {
      await write(opened(), { 'p/b': '1', 'p/c': '1', 'p/d': '1' });
      const range = { gte: 'p/', lt: 'p0', limit: 2, reverse: false };
      const entries: Entry[] = [
        ['p/b', '1'],
        ['p/c', '1'],
      ];
      const stale = () =>
        opened().commit(request({ base: 1, ranges: [{ range, entries }], writes: reads({ n: 'x' }) }));
      await write(opened(), { 'p/e': '1', 'p/d': '2' });
      expect((await stale()).conflict).toBe(false);
      await write(opened(), { 'p/a': '1' });
      expect((await stale()).conflict).toBe(true);
    });

    it('check what was read also without a base revision', async () => {
      await write(opened(), { a: '1' });
      const wrong = request({ reads: reads({ a: '0' }), writes: reads({ b: '1' }) });
      expect((await opened().commit(wrong)).conflict).toBe(true);
      const right = request({ reads: reads({ a: '1' }), writes: reads({ b: '1' }) });
      expect((await opened().commit(right)).conflict).toBe(false);
    });

    it('that arrive together see those before them', async () => {
      await write(opened(), { a: '1' });
      const [first, second, third] = await Promise.all([
        opened().commit(request({ base: 1, reads: reads({ a: '1' }), writes: reads({ a: '2' }) })),
        opened().commit(request({ base: 1, reads: reads({ a: '1' }), writes: reads({ b: 'stale' }) })),
        opened().commit(request({ base: 1, reads: reads({ a: '2' }), writes: reads({ c: 'fresh' }) })),
      ]);
      expect([first, second, third].map(({ conflict }) => conflict)).toEqual([false, true, false]);
      expect(await opened().getMany(['a', 'b', 'c'])).toEqual(['2', undefined, 'fresh']);
    });

    it('that arrive together fail alone', async () => {
      const build = (): never => {
        throw new Error('no entry');
      };
      const outcomes = await Promise.allSettled([
        write(opened(), { a: '1' }),
        write(opened(), { b: 'x\0y' }),
        opened().commit(request({ writes: reads({ c: '1' }), appends: [{ ...append('l'), build }] })),
        write(opened(), { d: '1' }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      expect((await opened().range(everything)).map(([key]) => key)).toEqual(['a', 'd']);
      expect(await opened().revision()).toBe(2);
    });

    it('combine writes, additions and several appends to one log', async () => {
      const addition = { key: 'n', encoding: 'decimal', amount: -2 } as const;
      await write(opened(), { n: '10' });
      const both = request({
        base: 1,
        reads: reads({ n: '10' }),
        writes: reads({ a: '1' }),
        additions: [addition, addition],
        appends: [append('l'), append('l'), append('m', 'next')],
      });
      expect(await opened().commit(both)).toEqual({ conflict: false, revision: 2 });
      expect(await opened().getMany(['a', 'n', 'l/0001', 'l/0002', 'l/0003', 'm/0001', 'm-seq'])).toEqual([
        '1',
        '6',
        '1',
        '2',
        undefined,
        '1',
        '2',
      ]);
    });

    it('replace an entry that is already where a log continues, and say so in the changes', async () => {
      await write(opened(), { 'l/0001': 'in the way' });
      await opened().commit(request({ appends: [append('l')] }));
      expect(await opened().get('l/0001')).toBe('1');
      const [, commit] = await opened().changes(0, 10);
      expect(sorted(commit)[1]).toEqual({ key: 'l/0001', before: 'in the way', after: '1' });
    });
  });

  describe('details of changes', () => {
    it('have bytes, long texts and keys that came back', async () => {
      const long = 'a long text that is stored more than once; '.repeat(40);
      await write(opened(), { long, bytes: new Uint8Array([0, 1]), key: '1' });
      await write(opened(), { long: `${long}end`, bytes: new Uint8Array([2]), key: undefined });
      await write(opened(), { long, bytes: undefined, key: '1' });
      const [, second, third] = await opened().changes(0, 10);
      expect(sorted(second)).toEqual([
        { key: 'bytes', before: new Uint8Array([0, 1]), after: new Uint8Array([2]) },
        { key: 'key', before: '1', after: undefined },
        { key: 'long', before: long, after: `${long}end` },
      ]);
      expect(sorted(third)).toEqual([
        { key: 'bytes', before: new Uint8Array([2]), after: undefined },
        { key: 'key', before: undefined, after: '1' },
        { key: 'long', before: `${long}end`, after: long },
      ]);
    });

    it('say when and why each commit was made', async () => {
      const before = Date.now();
      await opened().commit(request({ writes: reads({ a: '1' }), note: 'because' }));
      const [commit] = await opened().changes(0, 1);
      expect(commit!.at).toBeGreaterThanOrEqual(before - 1);
      expect(commit!.at).toBeLessThanOrEqual(Date.now() + 1);
      expect(commit!.note).toBe('because');
      expect(commit!.reset).toBe(false);
    });
  });
}
