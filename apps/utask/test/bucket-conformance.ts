import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bucket, Buckets, Entry } from '../src/store/bucket.ts';
import { type Backend, onBothBackends } from './both-backends.ts';

/** The contract of every bucket implementation, as tests. */
export function bucketConformance(): void {
  onBothBackends('a bucket', (backend: Backend) => {
    let buckets: Buckets;
    let bucket: Bucket;
    beforeEach(async () => {
      buckets = await backend.open();
      bucket = buckets.tasks;
    });
    afterEach(() => buckets.close({ processIsEnding: true }));

    it('has nothing at first', async () => {
      expect(await bucket.get('a')).toBeUndefined();
      expect(await bucket.scan()).toEqual([]);
      expect(await bucket.keys('')).toEqual([]);
      expect(await bucket.history('a')).toEqual([]);
      expect(await bucket.values(['a', 'b'])).toEqual([undefined, undefined]);
    });

    it('keeps values as they are, and tells when they were written', async () => {
      const value = '{"text":"日本語 🦑 \\n","n":1}';
      const before = Date.now();
      const revision = await bucket.replace('a', value, 0);
      expect(revision).toBeGreaterThan(0);
      const entry = await bucket.get('a');
      expect(entry).toMatchObject({ key: 'a', value, revision });
      expect(entry!.at).toBeGreaterThanOrEqual(before);
      expect(entry!.at).toBeLessThanOrEqual(Date.now());
      expect(await bucket.values(['none', 'a'])).toEqual([undefined, value]);
    });

    it('creates a key once', async () => {
      expect(await bucket.replace('a', '1', 0)).toBeDefined();
      expect(await bucket.replace('a', '2', 0)).toBeUndefined();
      expect((await bucket.get('a'))?.value).toBe('1');
    });

    it('changes a key only at the revision that is expected, and every change has a higher one', async () => {
      const first = await bucket.replace('a', '1', 0);
      const second = await bucket.replace('a', '2', first!);
      expect(second).toBeGreaterThan(first!);
      expect(await bucket.replace('a', '3', first!)).toBeUndefined();
      expect((await bucket.get('a'))?.value).toBe('2');
    });

    it('gives a value that is written again unchanged a new revision', async () => {
      const first = await bucket.replace('a', 'same', 0);
      const second = await bucket.replace('a', 'same', first!);
      expect(second).toBeGreaterThan(first!);
      expect(await bucket.replace('a', 'late', first!)).toBeUndefined();
    });

    it('deletes only at the revision that is expected, and leaves a marker with a revision', async () => {
      const first = await bucket.replace('a', '1', 0);
      expect(await bucket.replace('a', undefined, first! + 1000)).toBeUndefined();
      const marker = await bucket.replace('a', undefined, first!);
      expect(marker).toBeGreaterThan(first!);
      expect(await bucket.get('a')).toMatchObject({ value: undefined, revision: marker });
      expect(await bucket.scan()).toEqual([]);
      expect(await bucket.values(['a'])).toEqual([undefined]);
      expect(await bucket.replace('a', '2', 0), 'who does not know of the marker fails').toBeUndefined();
      expect(await bucket.replace('a', '2', marker!)).toBeGreaterThan(marker!);
    });

    it('can mark a key that was never there as deleted, against those who are about to create it', async () => {
      const marker = await bucket.replace('a', undefined, 0);
      expect(marker).toBeDefined();
      expect(await bucket.replace('a', '1', 0)).toBeUndefined();
      expect((await bucket.get('a'))?.value).toBeUndefined();
    });

    it('lets exactly one of many win', async () => {
      const first = await bucket.replace('a', '0', 0);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => bucket.replace('a', `${index + 1}`, first!)),
      );
      const winners = results.flatMap((revision, index) => (revision === undefined ? [] : [`${index + 1}`]));
      expect(winners).toHaveLength(1);
      expect((await bucket.get('a'))?.value).toBe(winners[0]);
    });

    it('lists keys by their beginning, and all values', async () => {
      for (const key of ['ab', 'ab.1', 'ab.2', 'abc', 'b=2E']) await bucket.replace(key, `value of ${key}`, 0);
      expect((await bucket.keys('ab')).toSorted()).toEqual(['ab', 'ab.1', 'ab.2', 'abc']);
      expect((await bucket.keys('ab.')).toSorted()).toEqual(['ab.1', 'ab.2']);
      expect((await bucket.keys('')).toSorted()).toEqual(['ab', 'ab.1', 'ab.2', 'abc', 'b=2E']);
      const all = (await bucket.scan()).toSorted(([left], [right]) => (left < right ? -1 : 1));
      expect(all.map(([key]) => key)).toEqual(['ab', 'ab.1', 'ab.2', 'abc', 'b=2E']);
      expect(all[4]).toEqual(['b=2E', 'value of b=2E']);
    });

    it('keeps the last 16 states of a key, deletions included', async () => {
      let revision = 0;
      for (let n = 1; n <= 20; n++) revision = (await bucket.replace('a', n === 19 ? undefined : `${n}`, revision))!;
      const history = await bucket.history('a');
      expect(history.map(({ value }) => value)).toEqual([
        ...Array.from({ length: 14 }, (_, index) => `${index + 5}`),
        undefined,
        '20',
      ]);
      expect(history.at(-1)?.revision).toBe(revision);
      expect(await bucket.history('other')).toEqual([]);
    });

    it('purges old markers with their history, and nothing that was written again', async () => {
      const gone = await bucket.replace('gone', '1', 0);
      await bucket.replace('gone', undefined, gone!);
      const back = await bucket.replace('back', '1', 0);
      const marker = await bucket.replace('back', undefined, back!);
      await bucket.replace('back', '2', marker!);
      expect(await bucket.purge(60_000)).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await bucket.purge(0)).toBe(1);
      expect(await bucket.get('gone')).toBeUndefined();
      expect(await bucket.history('gone')).toEqual([]);
      expect((await bucket.get('back'))?.value).toBe('2');
      const again = await bucket.replace('gone', '3', 0);
      expect(again, 'old revisions do not come back').toBeGreaterThan(gone!);
    });

    it('tells a watcher what changes from now on, in order', async () => {
      await bucket.replace('before', '1', 0);
      const stop = new AbortController();
      const changes = await bucket.watch(stop.signal);
      const revision = await bucket.replace('a', '1', 0);
      await bucket.replace('a', undefined, revision!);
      await buckets.tags.replace('elsewhere', '1', 0);
      await bucket.replace('b', '2', 0);
      const seen: Entry[] = [];
      for await (const entry of changes) {
        seen.push(entry);
        if (seen.length === 3) stop.abort();
      }
      expect(seen.map(({ key, value }) => [key, value])).toEqual([
        ['a', '1'],
        ['a', undefined],
        ['b', '2'],
      ]);
      expect(seen[0]?.revision).toBe(revision);
    });
  });
}
