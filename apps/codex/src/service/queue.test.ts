import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openHarness, openSecond, WAIT_MS } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';
import type { Codex } from './codex.ts';
import { cancelPending } from './events.ts';
import { publish } from './publish.ts';
import type { Request } from './requests.ts';

const create = (path: string, content: string): Request => ({
  type: 'create',
  path: notebookPath(path),
  content: Buffer.from(content),
});
const update = (path: string, content: string): Request => ({
  type: 'update',
  file: { path: notebookPath(path) },
  content: Buffer.from(content),
});

describe('operations through the queue', () => {
  it('create, change, move, delete and bring back files, on disk, in the index and in git', async () => {
    const { run, create: make, tree, codex } = await openHarness();
    const created = await make('notes/a.md', 'one');
    expect(created).toMatchObject({ status: 'completed', error_message: null });
    const id = created.file_id ?? '';
    await run({ type: 'update', file: { id }, content: Buffer.from('two') });
    expect(tree()).toEqual({ 'notes/a.md': 'two' });
    await run({ type: 'move', file: { id }, dest_path: notebookPath('archive/b.md') });
    expect(tree()).toEqual({ 'archive/b.md': 'two' });
    const deleted = await run({ type: 'delete', file: { id } });
    expect(tree()).toEqual({});
    const back = await run({ type: 'undo_delete', event_id: deleted.id });
    expect(back).toMatchObject({ status: 'completed', file_id: id });
    expect(tree()).toEqual({ 'archive/b.md': 'two' });
    expect(await codex.git.flush(1)).toMatch(/^[0-9a-f]{40}$/u);
  });

  it('are done in the order in which they were asked for, path by path', async () => {
    const { codex, notebook, tree } = await openHarness();
    const all: Promise<unknown>[] = [];
    for (let n = 0; n < 10; n++) {
      for (const name of ['a', 'b', 'c']) {
        const request = n === 0 ? create(`${name}.md`, '0') : update(`${name}.md`, String(n));
        all.push(codex.run({ notebookId: notebook.id, author: 'Ada', requests: [request] }, WAIT_MS));
        await codex.publish({ notebookId: notebook.id, author: 'Bob', requests: [create(`x/${name}${n}`, '')] });
      }
    }
    await Promise.all(all);
    expect(tree()).toMatchObject({ 'a.md': '9', 'b.md': '9', 'c.md': '9' });
  });

  it('can be asked for before what they need exists', async () => {
    const { codex, notebook, tree } = await openHarness();
    await codex.lanes.close();
    const { database, reader } = codex.store;
    const before = database.revision();
    const requests: Request[] = [
      create('d/a.md', 'one'),
      { type: 'move_folder', path: notebookPath('d'), dest_path: notebookPath('e') },
    ];
    let ids = 0;
    const counting = Object.assign(Object.create(codex) as Codex, { newId: () => `file-${(ids += 1)}` });
    const { events } = await publish(counting, { notebookId: notebook.id, author: 'Ada', requests });
    const id = events[0]?.file_id ?? '';
    // One commit inserted both events, and only one id was generated: the transaction did not run twice.
    const [entry, ...others] = database.changes(before);
    const stored = reader.allArrays('SELECT * FROM file_events ORDER BY id');
    expect(entry?.rows.map(({ table, operation, after }) => [table, operation, ...after])).toEqual([
      ['codex_meta', 'update', undefined, 2],
      ...stored.map((row) => ['file_events', 'insert', ...row]),
    ]);
    expect({ others, stored: stored.length, ids }).toEqual({ others: [], stored: 2, ids: 1 });
    await publish(codex, {
      notebookId: notebook.id,
      author: 'Ada',
      requests: [{ type: 'update', file: { id }, content: Buffer.from('two') }],
    });
    const second = await openSecond(codex);
    await Promise.all([1, 2, 3].map((event) => second.wait(event, WAIT_MS)));
    expect(tree()).toEqual({ 'e/a.md': 'two' });
  });

  it('may bring the same long content at the same time', async () => {
    const { codex, notebook, tree } = await openHarness();
    const content = Buffer.alloc(20_000, 'z');
    const publisher = async (name: string): Promise<void> => {
      for (let n = 0; n < 15; n++) {
        const requests: Request[] = [{ type: 'create', path: notebookPath(`${name}${n}.md`), content }];
        await codex.publish({ notebookId: notebook.id, author: 'Ada', requests });
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(publisher));
    const waited = await Promise.all(Array.from({ length: 60 }, (_, n) => codex.wait(n + 1, WAIT_MS)));
    for (const each of waited) expect(each?.event).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(Object.keys(tree())).toHaveLength(60);
  });

  it('that were put there by another process are noticed without asking again and again', async () => {
    const { codex, notebook, tree } = await openHarness();
    const other = await openSecond(codex, { isWorking: false });
    await publish(other, { notebookId: notebook.id, author: 'Eve', requests: [create('a.md', 'hers')] });
    expect(await other.wait(1, WAIT_MS)).toMatchObject({ event: { status: 'completed' }, timedOut: false });
    expect(tree()).toEqual({ 'a.md': 'hers' });
  });

  it('are folded into one where nobody can tell, and whoever waits for any of them is told', async () => {
    const { codex, notebook, tree } = await openHarness();
    await codex.lanes.close();
    const publication = { notebookId: notebook.id, author: 'Ada' };
    await publish(codex, { ...publication, requests: [create('a.md', 'one')] });
    await publish(codex, { ...publication, requests: [update('a.md', 'two')] });
    const noted: Request = { type: 'update', file: { path: notebookPath('a.md') }, metadata: { title: 'T' } };
    await publish(codex, { ...publication, requests: [noted] });
    const second = await openSecond(codex);
    const waited = await Promise.all([1, 2, 3].map((event) => second.wait(event, WAIT_MS)));
    expect(waited.map((each) => each?.event.status)).toEqual(['superseded', 'superseded', 'completed']);
    expect(waited[0]?.event.superseded_by).toBe(3);
    expect(tree()).toEqual({ 'a.md': '---\ntitle: T\n---\ntwo' });
    const row = second.store.reader.get('SELECT title, id FROM files');
    expect(row).toMatchObject({ title: 'T', id: waited[0]?.event.file_id });
  });

  it('are not folded into a delete: what comes back from the trash is what was written last', async () => {
    const { codex, notebook, create: make, tree } = await openHarness();
    await make('a.md', 'first');
    await codex.lanes.close();
    const publication = { notebookId: notebook.id, author: 'Ada' };
    const remove = (path: string): Request => ({ type: 'delete', file: { path: notebookPath(path) } });
    for (const request of [update('a.md', 'last'), remove('a.md'), create('b.md', 'only'), remove('b.md')]) {
      await publish(codex, { ...publication, requests: [request] });
    }
    const second = await openSecond(codex);
    for (const id of [3, 5]) await second.wait(id, WAIT_MS);
    expect(tree()).toEqual({});
    for (const id of [3, 5])
      await second.run({ ...publication, requests: [{ type: 'undo_delete', event_id: id }] }, WAIT_MS);
    expect(tree()).toEqual({ 'a.md': 'last', 'b.md': 'only' });
  });

  it('are done one by one where folding would make one fail or hide that one did', async () => {
    const { codex, notebook, create: make, tree } = await openHarness();
    for (const name of ['u.md', 'd.md', 'taken.md']) await make(name, 'v0');
    // These files are not indexed yet: creating the same content succeeds.
    for (const name of ['found.md', 'gone.md']) writeFileSync(join(notebook.path, name), 'same');
    await codex.lanes.close();
    const stale = (path: string): Request => ({ ...update(path, 'U1'), base_hash: '0'.repeat(64) }) as Request;
    const remove = (path: string): Request => ({ type: 'delete', file: { path: notebookPath(path) } });
    const requests = [
      [stale('u.md'), update('u.md', 'U2')],
      [stale('d.md'), remove('d.md')],
      [create('found.md', 'same'), update('found.md', 'U2')],
      [create('gone.md', 'same'), remove('gone.md')],
      [create('taken.md', 'same'), remove('taken.md')],
    ].flat();
    const events: number[] = [];
    for (const request of requests) {
      const published = await publish(codex, { notebookId: notebook.id, author: 'Ada', requests: [request] });
      events.push(published.events[0]?.id ?? 0);
    }
    const second = await openSecond(codex);
    const waited = await Promise.all(events.map((event) => second.wait(event, WAIT_MS)));
    const ends = waited.map((each) => each?.event.error_code ?? each?.event.status ?? '').join(' ');
    expect(ends).toBe(
      'FILE_CHANGED completed FILE_CHANGED completed completed completed completed completed FILE_EXISTS FILE_NOT_FOUND',
    );
    expect(tree()).toEqual({ 'u.md': 'U2', 'found.md': 'U2', 'taken.md': 'v0' });
  });

  it('of a batch end with the first that fails, and the rest is skipped', async () => {
    const { codex, notebook, create: make, tree } = await openHarness();
    await make('taken.md', 'x');
    const events = await codex.run(
      {
        notebookId: notebook.id,
        author: 'Ada',
        requests: [create('a.md', '1'), create('taken.md', '2'), create('c.md', '3')],
      },
      WAIT_MS,
    );
    expect(events.map(({ status }) => status)).toEqual(['completed', 'failed', 'skipped']);
    expect(new Set(events.map(({ correlation_id }) => correlation_id)).size).toBe(1);
    expect(tree()).toEqual({ 'a.md': '1', 'taken.md': 'x' });
  });

  it('of a batch are queued all or none', async () => {
    const { codex, notebook } = await openHarness({ settings: { max_pending: 2 } });
    const requests: Request[] = [create('a.md', '1'), update('missing.md', '2')];
    const publication = { notebookId: notebook.id, author: 'Ada', requests };
    await expect(codex.publish(publication)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    // Waiting does not help: the request is larger than the queue.
    const many = { ...publication, requests: ['a', 'b', 'c'].map((name) => create(name, '')) };
    await expect(codex.publish(many)).rejects.toMatchObject({ code: 'BATCH_TOO_LARGE', kind: 'usage' });
    expect(codex.store.reader.get('SELECT count(*) AS n FROM file_events')).toEqual({ n: 0 });
  });

  it('can be cancelled before they begin, with the rest of their batch', async () => {
    const { codex, notebook, tree } = await openHarness({ settings: { max_pending: 3 } });
    await codex.lanes.close();
    const ask = (...requests: Request[]) => publish(codex, { notebookId: notebook.id, author: 'Ada', requests });
    await ask(create('a.md', '1'), create('b.md', '2'), create('c.md', '3'));
    await cancelPending(codex, 2);
    // Finished events do not count towards the queue's limit.
    await ask(create('d.md', '4'));
    await ask(create('e.md', '5'));
    await expect(ask(create('f.md', '6'))).rejects.toMatchObject({ code: 'QUEUE_FULL', details: { waiting: 3 } });
    const second = await openSecond(codex);
    const waited = await Promise.all([1, 2, 3, 4, 5].map((event) => second.wait(event, WAIT_MS)));
    const statuses = waited.map((each) => each?.event.status);
    expect(statuses).toEqual(['completed', 'cancelled', 'skipped', 'completed', 'completed']);
    expect(tree()).toEqual({ 'a.md': '1', 'd.md': '4', 'e.md': '5' });
  });
});
