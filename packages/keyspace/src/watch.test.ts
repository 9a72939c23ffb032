import { afterEach, beforeEach, expect, it } from 'vitest';

import { onEveryEngine } from '../test/every-engine.ts';
import { task, tasks, version } from '../test/plan-schema.ts';
import type { Keyspace } from './index.ts';
import type { TypedCommit } from './watch.ts';

onEveryEngine('watching', (open) => {
  let db: Keyspace;
  beforeEach(async () => {
    db = await open();
  });
  afterEach(() => db.close({ processIsEnding: true }));

  const put = (id: string, title = id, sid = 'a') =>
    db.transact((tx) => tx.put(tasks, { sid, id }, task(id, { title })));

  async function take<T>(commits: AsyncGenerator<TypedCommit<T>>, count: number): Promise<TypedCommit<T>[]> {
    const taken: TypedCommit<T>[] = [];
    for await (const commit of commits) {
      taken.push(commit);
      if (taken.length === count) break;
    }
    return taken;
  }

  it('begins with the next commit after the call, not after the first read', async () => {
    await put('before');
    const commits = db.watch(tasks, { sid: 'a' });
    await put('after');
    const [first] = await take(commits, 1);
    expect(first?.changes[0]?.after?.id).toBe('after');
  });

  it('delivers each commit whole: old value, new value, and deletions', async () => {
    await put('1', 'old');
    const commits = db.watch(tasks, { sid: 'a' });
    await db.transact(async (tx) => {
      await tx.put(tasks, { sid: 'a', id: '1' }, task('1', { title: 'new' }));
      await tx.put(tasks, { sid: 'a', id: '2' }, task('2'));
    });
    await db.transact((tx) => tx.delete(tasks, { sid: 'a', id: '1' }));
    const [both, gone] = await take(commits, 2);
    expect(both?.changes.map(({ key, before, after }) => [key, before?.title, after?.title])).toEqual([
      [{ sid: 'a', id: '1' }, 'old', 'new'],
      [{ sid: 'a', id: '2' }, undefined, 'Task 2'],
    ]);
    expect(gone?.changes[0]).toMatchObject({ key: { sid: 'a', id: '1' }, after: undefined });
  });

  it('skips what was not asked for', async () => {
    const commits = db.watch(tasks, { sid: 'a' });
    await put('1', 'x', 'ab');
    await db.transact((tx) => tx.put(version, {}, '1'));
    await put('2');
    const [first] = await take(commits, 1);
    expect(first?.changes.map(({ after }) => after?.id)).toEqual(['2']);
  });

  it('resumes after a revision without gap or repetition', async () => {
    for (let index = 0; index < 10; index++) await put(String(index));
    const first = await take(db.watch(tasks, { sid: 'a' }, { since: 0 }), 4);
    const rest = await take(db.watch(tasks, { sid: 'a' }, { since: first.at(-1)?.revision }), 6);
    const seen = [...first, ...rest].map(({ changes }) => changes[0]?.after?.id);
    expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => String(index)));
  });

  it('misses nothing that is committed while the watcher is busy', async () => {
    const seen: (string | undefined)[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      for await (const commit of db.watch(tasks, { sid: 'a' }, { signal: stop.signal })) {
        for (const { after } of commit.changes) seen.push(after?.id);
        // Slow handling lets commits arrive in the meantime.
        await new Promise((resolve) => setTimeout(resolve, 3));
        if (seen.length === 60) stop.abort();
      }
    })();
    for (let index = 0; index < 60; index++) await put(String(index));
    await watching;
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const commits = db.watch(tasks, { sid: 'a' }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    expect(await take(commits, 1)).toEqual([]);
  });

  it('of a prefix sees the keys as they are stored', async () => {
    const commits = db.watchPrefix('s/a/idx/');
    await put('1');
    for await (const commit of commits) {
      expect(commit.changes).toEqual([{ key: 's/a/idx/status/pending/1', before: undefined, after: '' }]);
      break;
    }
  });
});
