import { expect, test } from 'vitest';

import { follow, type FollowSource } from './follow.ts';

interface Entry {
  readonly revision: number;
}

/** A log in memory. `beforeRead` lets a test write to the log just before a read. */
class Log implements FollowSource<Entry> {
  readonly entries: Entry[] = [];
  readonly listeners = new Set<() => void>();
  reads = 0;
  pageSize = 1_000;
  afterRead: (() => void) | undefined;

  add(count = 1): void {
    for (let n = 0; n < count; n++) this.entries.push({ revision: this.entries.length + 1 });
    for (const listener of this.listeners) listener();
  }

  read(since: number): Entry[] {
    this.reads += 1;
    const page = this.entries.filter(({ revision }) => revision > since).slice(0, this.pageSize);
    this.afterRead?.();
    return page;
  }

  subscribe(wake: () => void): () => void {
    this.listeners.add(wake);
    return () => this.listeners.delete(wake);
  }
}

async function take(entries: AsyncGenerator<Entry>, count: number): Promise<number[]> {
  const seen: number[] = [];
  while (seen.length < count) {
    const next = await entries.next();
    if (next.done === true) break;
    seen.push(next.value.revision);
  }
  return seen;
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test('delivers what is there after `since`, in order, page by page', async () => {
  const log = new Log();
  log.pageSize = 3;
  log.add(10);
  const entries = follow(log, 2);
  expect(await take(entries, 8)).toEqual(numbers(3, 10));
  await entries.return();
});

test('then waits, and delivers what is added, without asking again and again meanwhile', async () => {
  const log = new Log();
  const entries = follow(log, 0);
  const first = take(entries, 3);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(log.reads).toBe(1);
  log.add(2);
  log.add(1);
  expect(await first).toEqual([1, 2, 3]);
  await entries.return();
});

test('an entry that is added right after an empty read is not lost', async () => {
  const log = new Log();
  const entries = follow(log, 0);
  log.afterRead = () => {
    log.afterRead = undefined;
    log.add();
  };
  expect(await take(entries, 1)).toEqual([1]);
  await entries.return();
});

test('an entry that is added while one is being handled is not lost', async () => {
  const log = new Log();
  log.add();
  const seen: number[] = [];
  for await (const { revision } of follow(log, 0)) {
    seen.push(revision);
    if (revision < 5) log.add();
    else break;
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('a source that answers later works the same', async () => {
  const log = new Log();
  log.add(3);
  const slow: FollowSource<Entry> = {
    read: async (since) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return log.read(since);
    },
    subscribe: (wake) => log.subscribe(wake),
  };
  const entries = follow(slow, 0);
  expect(await take(entries, 3)).toEqual([1, 2, 3]);
  const next = take(entries, 1);
  log.add();
  expect(await next).toEqual([4]);
  await entries.return();
});

test('an abort ends a waiting follower and lets go of the source', async () => {
  const log = new Log();
  log.add(2);
  const controller = new AbortController();
  const entries = follow(log, 0, controller.signal);
  const all = take(entries, 100);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(log.listeners.size).toBe(1);
  controller.abort();
  expect(await all).toEqual([1, 2]);
  expect(log.listeners.size).toBe(0);
});

test('an abort in the middle of a page delivers nothing more', async () => {
  const log = new Log();
  log.add(10);
  const controller = new AbortController();
  const seen: number[] = [];
  for await (const { revision } of follow(log, 0, controller.signal)) {
    seen.push(revision);
    if (revision === 4) controller.abort();
  }
  expect(seen).toEqual([1, 2, 3, 4]);
});

test('an abort before the start delivers nothing', async () => {
  const log = new Log();
  log.add(1);
  expect(await take(follow(log, 0, AbortSignal.abort()), 1)).toEqual([]);
  expect(log.listeners.size).toBe(0);
});

test('leaving the loop lets go of the source', async () => {
  const log = new Log();
  log.add(3);
  for await (const { revision } of follow(log, 0)) if (revision === 2) break;
  expect(log.listeners.size).toBe(0);
});

test('an error of the source reaches the follower and lets go of the source', async () => {
  const log = new Log();
  log.afterRead = () => {
    throw new Error('trimmed');
  };
  await expect(follow(log, 0).next()).rejects.toThrow('trimmed');
  expect(log.listeners.size).toBe(0);
});
