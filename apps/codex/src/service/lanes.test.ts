import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { identityOf } from '@holdfast/base';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openHarness, openSecond, WAIT_MS } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';
import { checkFence, freeLane, laneOf, renewLane, takeLane } from '../store/lanes.ts';
import { Codex, openCodex } from './codex.ts';
import { registerNotebook, removeNotebook } from './notebooks.ts';

const living = identityOf(process.pid);
const dead = { ...living, start: 'long ago' };

describe('the lane of a notebook', () => {
  it('belongs to one owner until the lease runs out, and who lost it cannot write any more', async () => {
    const { codex, notebook } = await openHarness();
    await codex.lanes.close();
    const { store } = codex;
    const ask = (owner: string, now: number): Parameters<typeof takeLane>[1] => ({
      notebookId: notebook.id,
      owner,
      process: living,
      now,
      leaseUntil: now + 100,
    });
    const first = await store.write('test', (tx) => takeLane(tx, ask('a', 1_000)));
    expect(await store.write('test', (tx) => takeLane(tx, ask('b', 1_050)))).toBeUndefined();
    if (first === undefined) throw new Error('the lane was not free');
    await store.write('test', (tx) => renewLane(tx, first, 1_200));
    expect(await store.write('test', (tx) => takeLane(tx, ask('b', 1_150)))).toBeUndefined();
    const second = await store.write('test', (tx) => takeLane(tx, ask('b', 1_200)));
    expect(second?.fence).toBe(first.fence + 1);
    await expect(store.write('test', (tx) => checkFence(tx, first))).rejects.toMatchObject({ code: 'LANE_LOST' });
    // Releasing a lost lane does not affect its new owner.
    await store.write('test', (tx) => freeLane(tx, first));
    expect(laneOf(store.reader, notebook.id)?.owner).toBe('b');
  });

  it('is taken at once from a process that does not exist any more', async () => {
    const { codex, notebook, create } = await openHarness();
    await codex.lanes.close();
    await codex.store.write('test', (tx) =>
      takeLane(tx, {
        notebookId: notebook.id,
        owner: 'dead',
        process: dead,
        now: Date.now(),
        leaseUntil: Date.now() + 1e9,
      }),
    );
    const second = await openSecond(codex);
    const requests = [{ type: 'create', path: notebookPath('a.md'), content: Buffer.from('x') }] as const;
    const [event] = await second.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
    expect(event?.status).toBe('completed');
    expect(create).toBeDefined();
  });

  it('is worked by one of many processes at a time, and by another once that has gone', async () => {
    const { codex, notebook, tree } = await openHarness();
    const others = [await openSecond(codex), await openSecond(codex)];
    const publishers = [codex, ...others];
    const asked = Array.from({ length: 60 }, async (_, n) => {
      const at = publishers[n % publishers.length] ?? codex;
      const requests = [{ type: 'create', path: notebookPath(`f${n}.md`), content: Buffer.from(String(n)) }] as const;
      const [event] = await at.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
      expect(event).toMatchObject({ status: 'completed', error_message: null });
    });
    await pause(5);
    await codex.lanes.close();
    await Promise.all(asked);
    expect(Object.keys(tree())).toHaveLength(60);
    const twice = codex.store.reader.get("SELECT count(*) AS n FROM file_events WHERE status != 'completed'");
    expect(twice).toEqual({ n: 0 });
  });

  it('ends after what is under way, and the next process goes on with the rest', async () => {
    const { codex, notebook, home, tree } = await openHarness({ settings: { worker_batch_size: 1 } });
    const publications = Array.from({ length: 100 }, (_, n) => {
      const requests = [{ type: 'create', path: notebookPath(`${n}.md`), content: Buffer.from('x') }] as const;
      return codex.publish({ notebookId: notebook.id, author: 'Ada', requests });
    });
    await Promise.all(publications);
    await codex.close();
    expect(Object.keys(tree()).length).toBeLessThan(100);
    const settings = { ...codex.settings, worker_batch_size: 50 };
    const next = await openCodex({ home, databasePath: join(home, 'codex.db'), settings });
    onTestFinished(() => next.close());
    await Promise.all(publications.map((_, n) => next.wait(n + 1, WAIT_MS)));
    expect(Object.keys(tree())).toHaveLength(100);
  });

  it('works for several notebooks side by side, on a bounded pool', async () => {
    const { codex, home } = await openHarness({ settings: { worker_pool_size: 2 } });
    const notebooks = await Promise.all(['x', 'y', 'z', 'v'].map((name) => registerNotebook(codex, { name })));
    const all = notebooks.flatMap(({ id }) =>
      [1, 2, 3].map((n) => {
        const requests = [{ type: 'create', path: notebookPath(`${n}.md`), content: Buffer.from('x') }] as const;
        return codex.run({ notebookId: id, author: 'Ada', requests }, WAIT_MS);
      }),
    );
    const done = (await Promise.all(all)).flat();
    expect(done.every(({ status }) => status === 'completed')).toBe(true);
    expect(home).not.toBe('');
  });
});

describe('a notebook that goes away', () => {
  it('takes nothing new, does and commits what was acknowledged, and leaves the files', async () => {
    const { codex, notebook, create, tree } = await openHarness({ settings: { worker_batch_size: 1 } });
    await create('a.md', 'x');
    const requests = ['b.md', 'c.md', 'd.md'].map((name) => {
      return { type: 'create', path: notebookPath(name), content: Buffer.from('y') } as const;
    });
    await codex.publish({ notebookId: notebook.id, author: 'Ada', requests });
    await removeNotebook(codex, { notebook: String(notebook.id) });
    expect(tree()).toEqual({ 'a.md': 'x', 'b.md': 'y', 'c.md': 'y', 'd.md': 'y' });
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-C', notebook.path, ...args], { encoding: 'utf8' });
    expect(git('ls-files').split('\n')).toEqual(['a.md', 'b.md', 'c.md', 'd.md', '']);
    expect(git('status', '--porcelain')).toBe('');
    const late = codex.publish({ notebookId: notebook.id, author: 'Ada', requests });
    await expect(late).rejects.toMatchObject({ code: 'NOTEBOOK_NOT_FOUND' });
    expect(codex.store.reader.get('SELECT count(*) AS n FROM file_events')).toEqual({ n: 0 });
    // The same folder can become a notebook again.
    const again = await registerNotebook(codex, { name: 'notes' });
    expect(again.id).not.toBe(notebook.id);
  });
});

it('opens a database that another process has made', async () => {
  const { codex, home } = await openHarness();
  const other = await Codex.open({ home, databasePath: codex.store.path });
  expect(other.owner).not.toBe(codex.owner);
  await other.store.close();
});
