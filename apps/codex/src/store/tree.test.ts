import { expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';
import type { Transaction } from './open.ts';
import { type Child, listChildren, type TreePlace } from './folders.ts';

const START: TreePlace = { kind: 'folder', after: '' };

/** Counts the rows that a listing reads. */
function counting(tx: Transaction): { readonly tx: Transaction; readonly reads: () => number } {
  let reads = 0;
  const get: Transaction['get'] = (sql, ...parameters) => {
    reads += 1;
    return tx.get(sql, ...parameters);
  };
  return { tx: { get } as Transaction, reads: () => reads };
}

async function withFiles(paths: readonly string[]): Promise<Transaction> {
  const { codex } = await openHarness();
  const requests = paths.map(
    (path) => ({ type: 'create', path: notebookPath(path), content: Buffer.from('') }) as const,
  );
  await codex.run({ notebookId: 1, author: 'Ada', requests }, 60_000);
  return codex.store.reader;
}

it('lists what lies directly in a folder, whatever sorts between a folder and what is in it', async () => {
  const tx = await withFiles([
    'a/x.md',
    'a/y/z.md',
    'a b/c.md',
    'a!/q/r/s.md',
    'a.md',
    'a-1.md',
    'a0/e.md',
    'z.md',
    'a/y.md',
  ]);
  const names = (folder: string): string[] =>
    listChildren(tx, 1, folder, START, 100).map(({ kind, path }: Child) => `${kind} ${path}`);
  expect(names('')).toEqual([
    'folder a',
    'folder a b',
    'folder a!',
    'folder a0',
    'file a-1.md',
    'file a.md',
    'file z.md',
  ]);
  expect(names('a')).toEqual(['folder a/y', 'file a/x.md', 'file a/y.md']);
  expect(names('a!')).toEqual(['folder a!/q']);
  expect(names('nothing')).toEqual([]);
});

it('gives the same in pages of every size', async () => {
  const tx = await withFiles(['m/1.md', 'm/2/a.md', 'm/2 b/a.md', 'm/3.md', 'm/4/a/b/c.md', 'm/5.md', 'n.md']);
  const whole = listChildren(tx, 1, 'm', START, 100).map(({ path }) => path);
  for (let limit = 1; limit <= whole.length; limit++) {
    const seen: string[] = [];
    for (let place = START; ;) {
      const found = listChildren(tx, 1, 'm', place, limit);
      const last = found.at(-1);
      seen.push(...found.map(({ path }) => path));
      if (last === undefined) break;
      place = { kind: last.kind, after: last.path };
    }
    expect(seen).toEqual(whole);
  }
});

it('reads no more than it returns: what lies deeper costs nothing', async () => {
  const deep = Array.from({ length: 300 }, (_, n) => `deep/${n % 10}/${n}.md`);
  const reader = await withFiles([...deep, 'b.md', 'zebra/c.md']);
  const { tx, reads } = counting(reader);
  const found = listChildren(tx, 1, '', START, 100).map(({ path }) => path);
  expect(found).toEqual(['deep', 'zebra', 'b.md']);
  // In the list of folders, each folder takes two reads: one to find it and one to skip the folders below it. In the
  // list of files, each folder takes one read to skip it, and each file takes one. The end of each list takes one more.
  expect(reads()).toBeLessThanOrEqual(9);
  const first = counting(reader);
  expect(listChildren(first.tx, 1, 'deep', START, 3)).toHaveLength(3);
  expect(first.reads()).toBeLessThanOrEqual(6);
  for (const table of ['files', 'folders']) {
    const plan = reader.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id FROM ${table} WHERE notebook_id = ? AND path >= ? AND path < ? AND deleted_by IS NULL
       ORDER BY path LIMIT 1`,
      1,
      'a',
      'b',
    );
    expect(plan.map(({ detail }) => detail).join()).toMatch(/^SEARCH \w+ USING INDEX ix_\w+_path [^,]*$/u);
  }
});
