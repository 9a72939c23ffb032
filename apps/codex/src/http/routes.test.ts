import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openApiDocument } from '@holdfast/http';
import { describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../test/served.ts';
import { codexApp } from './index.ts';

const escapes = [
  '../out.md',
  '..',
  '/etc/x',
  'a/../../out.md',
  'a\\..\\..\\out.md',
  '.git/hooks/post-commit',
  'x/.GIT/config',
  '.codex/trash/1',
  '.g\u200cit/config',
  'a\0b',
  'nul',
  'a/./b',
];

function hashOf(body: Readonly<Record<string, unknown>>): string {
  return (body['file'] as { readonly hash: string }).hash;
}

describe('files over HTTP', () => {
  it('queues a create with 202 and a file id, and gives the finished file with 201 when asked to wait', async () => {
    const { ask, tree } = await serve();
    const queued = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: 'one' });
    expect(queued.status).toBe(202);
    expect(queued.body).toMatchObject({ status: 'pending', path: 'a.md' });
    expect(queued.headers.get('location')).toBe(`/api/codex/events/${String(queued.body['event_id'])}`);
    const read = await ask(
      'GET',
      `/notebooks/1/files/${String(queued.body['file_id'])}?after_event=${String(queued.body['event_id'])}`,
    );
    expect(read).toMatchObject({ status: 200, body: { path: 'a.md', size: 3, content_type: 'text/markdown' } });
    const finished = await ask('POST', '/notebooks/1/files?wait=30', { path: 'b/ü.md', content: 'zwei', title: 'B' });
    expect(finished).toMatchObject({ status: 201, body: { path: 'b/ü.md', file: { title: 'B', filename: 'ü.md' } } });
    const preferred = await ask('POST', '/notebooks/1/files', { path: 'c.md' }, { prefer: 'wait=30' });
    expect(preferred).toMatchObject({ status: 201, body: { file: { size: 0 } } });
    expect(tree()).toEqual({ 'a.md': 'one', 'b/ü.md': '---\ntitle: B\n---\nzwei', 'c.md': '' });
  });

  it('answers a repeated Idempotency-Key with the same event, and refuses it for another request', async () => {
    const { ask } = await serve();
    const key = { 'idempotency-key': 'k1' };
    const first = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: 'x' }, key);
    const again = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: 'x' }, key);
    expect(again.body['event_id']).toBe(first.body['event_id']);
    const other = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: 'y' }, key);
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(JSON.stringify(other.body)).not.toContain('ada:');
  });

  it('takes a request that is sent again under its key for the same, also when what it asked for is done', async () => {
    const { ask } = await serve();
    const { body, headers } = await ask('POST', '/notebooks/1/files?wait=30', { path: 'd/a.md', content: 'one' });
    const url = `/notebooks/1/files/${String(body['file_id'])}`;
    await ask('POST', '/events/commit', { notebook: '1' });
    const put = { 'if-match': headers.get('etag') ?? '', 'idempotency-key': 'put' };
    const first = await ask('PUT', `${url}?wait=30`, { content: 'two' }, put);
    expect(first.status).toBe(200);
    expect(await ask('PUT', `${url}?wait=30`, { content: 'two' }, put)).toMatchObject({ body: first.body });
    expect(await ask('PUT', url, { content: 'two' }, { ...put, 'if-match': '*' })).toMatchObject({ status: 409 });
    await ask('POST', '/events/commit', { notebook: '1' });
    const restore = (): ReturnType<typeof ask> =>
      ask('POST', `${url}/restore?wait=30`, { commit: 'HEAD~1' }, { 'idempotency-key': 'restore' });
    const restored = await restore();
    await ask('POST', '/events/commit', { notebook: '1' });
    expect(await restore()).toMatchObject({
      status: 200,
      body: { file: { hash: hashOf(body) }, event_id: restored.body['event_id'] },
    });
    const [folder] = (await ask('GET', '/notebooks/1/folders')).body['data'] as { id: string }[];
    const move = (): ReturnType<typeof ask> =>
      ask(
        'PATCH',
        `/notebooks/1/files/${folder?.id ?? ''}/move?wait=30`,
        { dest_path: 'e' },
        { 'idempotency-key': 'move' },
      );
    const moved = await move();
    expect(moved).toMatchObject({ status: 200, body: { file_count: 1 } });
    expect(await move()).toMatchObject({ status: 200, body: moved.body });
  });

  it('updates under If-Match only the version that was read', async () => {
    const { ask } = await serve();
    const { body, headers } = await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.md', content: 'one' });
    const url = `/notebooks/1/files/${String(body['file_id'])}`;
    const match = { 'if-match': headers.get('etag') ?? '' };
    expect(await ask('PUT', `${url}?wait=30`, { content: 'two' }, match)).toMatchObject({ status: 200 });
    expect(await ask('PUT', url, { content: 'three' }, match)).toMatchObject({
      status: 412,
      body: { code: 'FILE_CHANGED' },
    });
    const stale = await ask('PUT', `${url}?wait=30`, { content: 'four', base_hash: hashOf(body) });
    expect(stale).toMatchObject({ status: 412, body: { code: 'FILE_CHANGED' } });
    const noted = await ask('PUT', `${url}?wait=30`, { title: 'T', properties: { a: [1] } });
    expect(noted).toMatchObject({ status: 200, body: { file: { title: 'T', properties: { a: [1] }, size: 29 } } });
    // An empty request changes nothing, and fields that do not describe the file are refused.
    expect((await ask('PUT', `${url}?wait=30`, {})).body['file']).toEqual(noted.body['file']);
    expect((await ask('PUT', url, { id: 'x' })).status).toBe(422);
  });

  it('refuses If-Match for a file that is not written yet, as nobody can have seen it', async () => {
    const { ask, codex } = await serve();
    await codex.lanes.close();
    const { body } = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: 'one' });
    const url = `/notebooks/1/files/${String(body['file_id'])}`;
    const put = async (path: string, tag: string): Promise<number> =>
      (await ask('PUT', path, { content: 'two' }, { 'if-match': tag })).status;
    expect(await put(url, '"nonsense"')).toBe(412);
    expect(await put(url, '*')).toBe(202);
    expect(await put('/notebooks/1/files/missing', '"nonsense"')).toBe(404);
  });

  it('gives content in ranges, and never as a page of this origin', async () => {
    const { ask, raw } = await serve();
    const { body } = await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.html', content: '<b>0123456789' });
    const url = `/notebooks/1/files/${String(body['file_id'])}/content`;
    const whole = await raw('GET', url);
    expect(await whole.text()).toBe('<b>0123456789');
    expect(whole.headers.get('content-disposition')).toContain('attachment');
    const part = await raw('GET', url, { headers: { range: 'bytes=3-5' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 3-5/13', '012']);
    const stale = await raw('GET', url, { headers: { range: 'bytes=3-5', 'if-range': '"another"' } });
    expect([stale.status, await stale.text()]).toEqual([200, '<b>0123456789']);
    const same = { range: 'bytes=3-5', 'if-range': whole.headers.get('etag') ?? '' };
    expect((await raw('GET', url, { headers: same })).status).toBe(206);
    const tail = await raw('GET', url, { headers: { range: 'bytes=-2' } });
    expect(await tail.text()).toBe('89');
    const beyond = await raw('GET', url, { headers: { range: 'bytes=99-' } });
    expect([beyond.status, await beyond.json()]).toMatchObject([416, { code: 'RANGE_NOT_SATISFIABLE' }]);
    expect((await raw('GET', url, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })).status).toBe(304);
  });

  it('takes uploads as bytes', async () => {
    const { raw, notebook } = await serve();
    const bytes = Buffer.alloc(100_000, 7);
    const answer = await raw('POST', '/notebooks/1/files/upload?path=bin/x.bin&wait=30', {
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      path: 'bin/x.bin',
      file: { size: 100_000, notebook_id: notebook.id },
    });
  });

  it('moves and deletes files and folders, and brings them back', async () => {
    const { ask, tree } = await serve();
    for (const path of ['d/a.md', 'd/e/b.md', 'x.md'])
      await ask('POST', '/notebooks/1/files?wait=30', { path, content: path });
    const [x] = (await ask('GET', '/notebooks/1/files?path=x.md')).body['data'] as { id: string }[];
    const moved = await ask('PATCH', `/notebooks/1/files/${x?.id ?? ''}/move?wait=30`, { dest_path: 'y/x.md' });
    expect(moved).toMatchObject({ status: 200, body: { status: 'completed', path: 'y/x.md', file_id: x?.id } });
    const folder = await ask('PATCH', '/notebooks/1/files/d/move', { dest_path: 'n/d' });
    expect(folder).toMatchObject({ status: 202, body: { status: 'pending', file_count: 2 } });
    expect(folder.body['correlation_id']).toMatch(/^[0-9a-f-]{36}$/u);
    const waited = await ask('POST', `/events/${String(folder.body['event_id'])}/wait`);
    expect(waited).toMatchObject({ status: 200, body: { status: 'completed', timed_out: false } });
    expect(tree()).toEqual({ 'n/d/a.md': 'd/a.md', 'n/d/e/b.md': 'd/e/b.md', 'y/x.md': 'x.md' });
    const { data } = (await ask('GET', '/notebooks/1/folders')).body as { data: { id: string; path: string }[] };
    const byId = data.find(({ path }) => path === 'n/d');
    const again = await ask('PATCH', `/notebooks/1/files/${byId?.id ?? ''}/move?wait=30`, { dest_path: 'm' });
    expect(again).toMatchObject({ status: 200, body: { file_count: 2 } });
    const gone = await ask('DELETE', '/notebooks/1/files/m?wait=30');
    expect(gone).toMatchObject({ status: 200, body: { file_count: 2 } });
    expect(tree()).toEqual({ 'y/x.md': 'x.md' });
    const trash = await ask('GET', '/notebooks/1/trash');
    expect(trash.body).toMatchObject({ data: [{ path: 'm', kind: 'folder', file_count: 2 }] });
    await ask('POST', `/notebooks/1/trash/${String(gone.body['event_id'])}/restore?wait=30`);
    expect(tree()).toEqual({ 'm/a.md': 'd/a.md', 'm/e/b.md': 'd/e/b.md', 'y/x.md': 'x.md' });
    expect((await ask('GET', '/notebooks/1/files?path=m')).body['data']).toHaveLength(2);
    const later = await ask('DELETE', '/notebooks/1/files/m?wait=30');
    await ask('POST', '/notebooks/1/files?wait=30', { path: 'm/e/new.md', content: 'new' });
    const restore = `/notebooks/1/trash/${String(later.body['event_id'])}/restore?wait=30`;
    expect(await ask('POST', restore)).toMatchObject({ status: 409, body: { code: 'FILE_EXISTS' } });
    expect(await ask('POST', `${restore}&path=k/m`)).toMatchObject({ status: 200, body: { path: 'k/m' } });
    const all = { 'k/m/a.md': 'd/a.md', 'k/m/e/b.md': 'd/e/b.md', 'm/e/new.md': 'new', 'y/x.md': 'x.md' };
    expect(tree()).toEqual(all);
    const listed = (await ask('GET', '/notebooks/1/files')).body['data'] as { path: string }[];
    expect(listed.map(({ path }) => path)).toEqual(Object.keys(all));
    const folders = (await ask('GET', '/notebooks/1/folders')).body['data'] as { path: string }[];
    expect(folders.map(({ path }) => path)).toEqual(['k', 'k/m', 'k/m/e', 'm', 'm/e', 'n', 'y']);
  });
});

describe('events over HTTP', () => {
  it('shows single events and whole batches, and the metrics are not taken for an id', async () => {
    const { ask } = await serve();
    const batch = await ask('POST', '/notebooks/1/batch?wait=30', {
      operations: [
        { type: 'create', path: 'a.md', content: '1' },
        { type: 'move', path: 'a.md', dest_path: 'b.md' },
        { type: 'delete', path: 'missing.md' },
      ],
    });
    expect(batch).toMatchObject({ status: 404, body: { code: 'FILE_NOT_FOUND' } });
    const good = await ask('POST', '/notebooks/1/batch?wait=30', {
      operations: [
        { type: 'create', path: 'a.md', content: '1' },
        { type: 'move', path: 'a.md', dest_path: 'b.md' },
      ],
    });
    expect(good).toMatchObject({ status: 200, body: { total: 2, completed: 2, failed: 0, status: 'completed' } });
    const shown = await ask('GET', `/events/correlation/${String(good.body['correlation_id'])}`);
    expect(shown.body['events']).toMatchObject([{ sequence: 0 }, { sequence: 1 }]);
    const metrics = await ask('GET', '/events/metrics');
    expect(metrics).toMatchObject({
      status: 200,
      body: { pending: 0, processing: 0, failed_24h: 0, completed_24h: 2 },
    });
    const list = await ask('GET', '/events?limit=1');
    expect(list.body['data']).toHaveLength(1);
    const next = await ask('GET', `/events?limit=1&cursor=${String(list.body['next_cursor'])}`);
    expect(next.body).toMatchObject({ data: [{ sequence: 0 }], next_cursor: null });
    expect((await ask('GET', '/events/999')).status).toBe(404);
    expect((await ask('POST', '/events/999/wait')).status).toBe(404);
    expect((await ask('GET', '/events/x')).status).toBe(422);
  });

  it('answers a batch that failed with its error, like a single operation', async () => {
    const { ask, notebook } = await serve();
    writeFileSync(join(notebook.path, 'there.md'), 'by hand');
    const operations = ['c.md', 'there.md', 'd.md'].map((path) => ({ type: 'create', path, content: '1' }));
    const failed = await ask('POST', '/notebooks/1/batch?wait=30', { operations });
    expect(failed).toMatchObject({ status: 409, body: { code: 'FILE_EXISTS' } });
    const { correlation_id: batch } = failed.body['details'] as { readonly correlation_id: string };
    expect((await ask('GET', `/events/correlation/${batch}`)).body).toMatchObject({
      events: [{ status: 'completed' }, { status: 'failed' }, { status: 'skipped' }],
    });
  });

  it('commits on request, up to and with everything asked for before', async () => {
    const { ask } = await serve();
    const { body } = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: '1' });
    const commit = await ask('POST', '/events/commit', { notebook: '1', message: 'My words\n\nand why' });
    expect(commit.status).toBe(200);
    expect(commit.body['commit_sha']).toMatch(/^[0-9a-f]{40}$/u);
    expect((await ask('GET', '/notebooks/1/history')).body['data']).toMatchObject([
      { sha: commit.body['commit_sha'], subject: 'My words', event_ids: [body['event_id']] },
    ]);
    expect((await ask('GET', `/events/${String(body['event_id'])}`)).body).toMatchObject({
      status: 'completed',
      commit_sha: commit.body['commit_sha'],
    });
  });

  it('shows the history of a file through its renames, and brings a version back', async () => {
    const { ask, raw, tree } = await serve();
    const { body } = await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.md', content: 'one\n' });
    const url = `/notebooks/1/files/${String(body['file_id'])}`;
    const first = (await ask('POST', '/events/commit', { notebook: '1' })).body['commit_sha'] as string;
    await ask('PATCH', `${url}/move?wait=30`, { dest_path: 'b.md' });
    await ask('POST', '/events/commit', { notebook: '1' });
    await ask('PUT', `${url}?wait=30`, { content: 'two\n' });
    const last = (await ask('POST', '/events/commit', { notebook: '1' })).body['commit_sha'] as string;
    const history = await ask('GET', `${url}/history`);
    expect(history.body['data']).toMatchObject([{ sha: last, author: 'ada' }, {}, { sha: first }]);
    expect((await ask('GET', `${url}/history?limit=1`)).body['next_cursor']).toBe(last);
    expect(await (await raw('GET', `${url}/history/${first}`)).text()).toBe('one\n');
    expect((await ask('GET', `${url}/diff?to=${last}`)).body['diff']).toContain('+two');
    expect(await ask('POST', `${url}/restore?wait=30`, { commit: first })).toMatchObject({ status: 200 });
    expect(tree()).toEqual({ 'b.md': 'one\n' });
    expect((await ask('POST', `${url}/restore`, { commit: '--help' })).status).toBe(404);
  });

  it('answers a wait that takes too long with 200, the state and timed_out', async () => {
    const { ask, codex } = await serve();
    await codex.lanes.close();
    const { body } = await ask('POST', '/notebooks/1/files', { path: 'a.md', content: '1' });
    const id = String(body['event_id']);
    expect(await ask('POST', `/events/${id}/wait?wait=0.05`)).toMatchObject({
      status: 200,
      body: { status: 'pending', timed_out: true },
    });
    const sync = await ask('POST', '/notebooks/1/files?wait=0', { path: 'b.md' });
    expect(sync).toMatchObject({ status: 202, body: { status: 'pending' } });
    expect(await ask('POST', `/events/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await ask('POST', `/events/${id}/retry`)).toMatchObject({ status: 409, body: { code: 'EVENT_STATE' } });
    expect(await ask('POST', `/events/${id}/wait`)).toMatchObject({ body: { status: 'cancelled', timed_out: false } });
  });

  it('refuses more than the queue may hold, and says when to come back', async () => {
    const { ask, codex } = await serve({ settings: { max_pending: 2 } });
    await codex.lanes.close();
    for (const path of ['a', 'b']) expect((await ask('POST', '/notebooks/1/files', { path })).status).toBe(202);
    const full = await ask('POST', '/notebooks/1/files', { path: 'c' });
    expect(full).toMatchObject({ status: 429, body: { code: 'QUEUE_FULL' } });
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('tells every change of an event, and goes on where a listener was', async () => {
    const { ask, raw } = await serve();
    const { body } = await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.md', content: '1' });
    const live = await raw('GET', '/events/stream', { headers: { 'last-event-id': '0' } });
    const chunks = live.body?.getReader();
    let text = '';
    while (!text.includes('"completed"')) {
      const { value, done } = (await chunks?.read()) ?? { done: true };
      if (done) throw new Error(`the stream ended after ${text}`);
      text += new TextDecoder().decode(value as Uint8Array);
    }
    expect(text).toContain(String(body['file_id']));
    await chunks?.cancel();
    // The database has not reached this position, as happens after a restore, so the stream cannot resume from it.
    const beyond = await raw('GET', '/events/stream', { headers: { 'last-event-id': '1000' } });
    expect(beyond.status).toBe(422);
  });

  it('takes an event that was cleared away for done, and knows it from one that never was', async () => {
    const { ask, codex } = await serve();
    await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.md', content: '1' });
    await codex.store.write('test', (tx) => tx.run('DELETE FROM file_events'));
    expect((await ask('GET', '/notebooks/1/files?after_event=1')).body['data']).toHaveLength(1);
    expect(await ask('GET', '/notebooks/1/files?after_event=2')).toMatchObject({ body: { code: 'EVENT_NOT_FOUND' } });
  });

  it('keeps what failed, with its reason, until it is discarded', async () => {
    const { ask } = await serve();
    await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.md', content: '1' });
    const twin = await ask('POST', '/notebooks/1/files?wait=30', { path: 'A.md', content: '2' });
    expect(twin).toMatchObject({ status: 409, body: { code: 'NAME_COLLIDES' } });
    const { data } = (await ask('GET', '/events?status=failed')).body as { data: { id: number }[] };
    expect(data).toMatchObject([{ error_code: 'NAME_COLLIDES', retry_count: 0 }]);
    expect((await ask('GET', '/events/metrics')).body).toMatchObject({ failed_24h: 1, dead: 1 });
    const id = data[0]?.id ?? 0;
    expect(await ask('POST', `/events/${id}/discard`)).toMatchObject({ body: { status: 'discarded' } });
  });
});

describe('the interface', () => {
  it('refuses strangers, and readers who want to write', async () => {
    const { server } = await serve();
    expect((await server.request('/api/codex/notebooks')).status).toBe(401);
    const headers = { authorization: 'Bearer reader', 'content-type': 'application/json' };
    expect((await server.request('/api/codex/notebooks', { headers })).status).toBe(200);
    const body = JSON.stringify({ name: 'x' });
    expect((await server.request('/api/codex/notebooks', { method: 'POST', headers, body })).status).toBe(403);
  });

  it('tells whether everything is saved and committed', async () => {
    const { ask } = await serve({ settings: { git_max_file_bytes: 10 } });
    const large = await ask('POST', '/notebooks/1/files?wait=30', { path: 'large.txt', content: 'x'.repeat(11) });
    expect(large.body['file']).toMatchObject({
      git_tracked: false,
      git_reason: expect.stringContaining('10 bytes') as string,
    });
    await ask('POST', '/notebooks/1/files?wait=30', { path: 'small.txt', content: 'x' });
    const before = await ask('GET', '/notebooks/1/status');
    expect(before.body).toMatchObject({ pending: 0, problem: null, git: { pending: 1, problem: null }, watcher: null });
    const { body } = await ask('POST', '/events/commit', { notebook: '1' });
    const after = await ask('GET', '/notebooks/1/status');
    expect(after.body).toMatchObject({ git: { pending: 0, last_commit: body['commit_sha'] } });
  });

  it('takes over on request what others did in the folder', async () => {
    const { ask, notebook } = await serve();
    writeFileSync(join(notebook.path, 'by-hand.md'), 'x');
    expect(await ask('POST', '/notebooks/1/reconcile')).toMatchObject({
      status: 200,
      body: { seen: 1, queued: 1, skipped: [] },
    });
    expect((await ask('GET', '/notebooks/1/files')).body['data']).toMatchObject([{ path: 'by-hand.md' }]);
  });

  it('knows what others named against the rules for new names by these names', async () => {
    const { ask, notebook, tree } = await serve();
    for (const folder of ['What?', 'Who?']) mkdirSync(join(notebook.path, folder));
    for (const path of ['12:30 meeting.md', 'What?/why.md', 'Who?/me.md', 'Who?/nul'])
      writeFileSync(join(notebook.path, path), 'x');
    await ask('POST', '/notebooks/1/reconcile');
    expect(await ask('GET', '/notebooks/1/files?path=12:30%20meeting.md')).toMatchObject({ status: 200 });
    expect((await ask('GET', '/notebooks/1/files?path=What%3F')).body['data']).toMatchObject([
      { path: 'What?/why.md' },
    ]);
    expect((await ask('GET', '/notebooks/1/tree?folder=Who%3F')).body['data']).toHaveLength(2);
    for (const rest of ['', '/content']) {
      const long = await ask('GET', `/notebooks/1/files/${'a'.repeat(256)}${rest}`);
      expect(long.body).toMatchObject({ code: 'PATH_INVALID' });
    }
    expect(await ask('GET', '/notebooks/1/tree?folder=nope')).toMatchObject({
      status: 404,
      body: { code: 'FILE_NOT_FOUND' },
    });
    const { data } = (await ask('GET', '/notebooks/1/folders')).body as { data: { id: string; path: string }[] };
    const what = data.find(({ path }) => path === 'What?')?.id ?? '';
    const operations = [
      { type: 'move', path: '12:30 meeting.md', dest_path: 'meeting.md' },
      { type: 'delete', path: 'Who?/nul' },
    ];
    expect((await ask('POST', '/notebooks/1/batch?wait=30', { operations })).body).toMatchObject({ completed: 2 });
    expect((await ask('PATCH', `/notebooks/1/files/${what}/move?wait=30`, { dest_path: 'what' })).status).toBe(200);
    expect((await ask('DELETE', '/notebooks/1/files/Who%3F?wait=30')).body).toMatchObject({ file_count: 1 });
    expect(tree()).toEqual({ 'meeting.md': 'x', 'what/why.md': 'x' });
    expect(await ask('DELETE', '/notebooks/1/files/Who%3F')).toMatchObject({ body: { code: 'PATH_INVALID' } });
  });

  it('refuses every path that could lead out of the notebook, at every entrance, before anything is queued', async () => {
    const { ask, codex, home, notebook } = await serve();
    const { body } = await ask('POST', '/notebooks/1/files?wait=30', { path: 'a.md', content: 'x' });
    const before = readdirSync(home, { recursive: true }).length;
    for (const path of escapes) {
      const entrances = [
        ask('POST', '/notebooks/1/files', { path, content: 'out' }),
        ask('POST', '/notebooks/1/folders', { path }),
        ask('PATCH', `/notebooks/1/files/${String(body['file_id'])}/move`, { dest_path: path }),
        ask('PATCH', '/notebooks/1/files/d/move', { dest_path: path }),
        ask('PATCH', `/notebooks/1/files/${encodeURIComponent(path)}/move`, { dest_path: 'd' }),
        ask('DELETE', `/notebooks/1/files/${encodeURIComponent(path)}`),
        ask('POST', '/notebooks/1/batch', { operations: [{ type: 'create', path, content: 'out' }] }),
        ask('GET', `/notebooks/1/files?path=${encodeURIComponent(path)}`),
      ];
      for (const { status } of await Promise.all(entrances)) expect([400, 404, 422]).toContain(status);
    }
    expect(codex.store.reader.get('SELECT count(*) AS n FROM file_events')).toEqual({ n: 1 });
    expect(readdirSync(home, { recursive: true })).toHaveLength(before);
    expect(notebook.path.startsWith(home)).toBe(true);
  });

  it('adds and removes notebooks, and leaves their files alone', async () => {
    const { ask, home } = await serve();
    const added = await ask('POST', '/notebooks', { name: 'second', path: `${home}/notebooks/deep/second` });
    expect(added).toMatchObject({ status: 201, body: { id: 2, name: 'second' } });
    expect(await ask('POST', '/notebooks', { name: 'second' })).toMatchObject({ status: 409 });
    expect(await ask('POST', '/notebooks', { name: 'in', path: `${home}/notebooks/deep/second/in` })).toMatchObject({
      status: 409,
    });
    expect(existsSync(`${home}/notebooks/deep/second/in`)).toBe(false);
    for (const path of ['/', '/etc/x', 'relative', home]) {
      expect(await ask('POST', '/notebooks', { name: 'bad', path })).toMatchObject({
        body: { code: 'NOTEBOOK_FOLDER' },
      });
    }
    expect((await ask('DELETE', '/notebooks/2')).status).toBe(204);
    expect((await ask('GET', '/notebooks/2')).status).toBe(404);
    expect((await ask('GET', '/notebooks')).body['data']).toHaveLength(1);
  });

  it('makes notebooks only where the settings allow it', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'holdfast-codex-root-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const { ask } = await serve({ settings: { roots: join(outside, 'allowed') } });
    expect(await ask('POST', '/notebooks', { name: 'x', path: join(outside, 'allowed/x') })).toMatchObject({
      status: 201,
    });
    for (const path of [join(outside, 'elsewhere'), join(outside, 'allowed/../y'), join(outside, 'allowed-not')]) {
      expect(await ask('POST', '/notebooks', { name: 'y', path })).toMatchObject({ body: { code: 'NOTEBOOK_FOLDER' } });
      expect(existsSync(path)).toBe(false);
    }
  });

  it('describes every endpoint of the design in OpenAPI', () => {
    const document = openApiDocument([codexApp(undefined as never)], { title: 'test', version: '1' });
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path.replace('/api/codex', '')}`),
    );
    expect(found).toEqual(
      expect.arrayContaining([
        'POST /notebooks/{notebook}/files',
        'GET /notebooks/{notebook}/files',
        'PUT /notebooks/{notebook}/files/{file}',
        'DELETE /notebooks/{notebook}/files/{file}',
        'PATCH /notebooks/{notebook}/files/{file}/move',
        'GET /events/{id}',
        'GET /events/correlation/{correlation_id}',
        'POST /events/{id}/wait',
        'POST /events/commit',
        'GET /events/metrics',
      ]),
    );
  });
});

describe('adding a notebook over HTTP', () => {
  it('is limited to allowed folders for anybody but an administrator, and never takes a sensitive one', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'codex-elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const { ask } = await serve();
    const refused = { status: 400, body: { code: 'NOTEBOOK_FOLDER' } };
    expect(await ask('POST', '/notebooks', { name: 'own' })).toMatchObject({ status: 201 });
    expect(await ask('POST', '/notebooks', { name: 'any', path: join(elsewhere, 'any') })).toMatchObject(refused);
    expect(existsSync(join(elsewhere, 'any'))).toBe(false);
    const asAdmin = { authorization: 'Bearer admin' };
    const any = { name: 'any', path: join(elsewhere, 'any') };
    expect(await ask('POST', '/notebooks', any, asAdmin)).toMatchObject({ status: 201 });
    const hidden = { name: 'keys', path: join(elsewhere, '.ssh') };
    expect(await ask('POST', '/notebooks', hidden, asAdmin)).toMatchObject(refused);
    expect(existsSync(join(elsewhere, '.ssh'))).toBe(false);
  });
});

it('a notebook that git refuses leaves nothing behind', async () => {
  const { ask, home } = await serve();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-refused-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['.git', '.git/objects', '.git/refs']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), '[core]\n\tworktree = /\n');
  const before = readdirSync(folder, { recursive: true });
  const body = { name: 'refused', path: folder };
  const refused = await ask('POST', '/notebooks', body, { authorization: 'Bearer admin' });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect((await ask('GET', '/notebooks')).body).toMatchObject({ data: [{ name: 'notes' }] });
  expect(existsSync(join(home, 'notebooks', 'refused'))).toBe(false);
});
