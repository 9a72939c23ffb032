import { type App, createLogger, createServer, openApiDocument, type Principal } from '@holdfast/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsServer } from '../../test/nats.ts';
import { openUtask } from '../service/open-utask.ts';
import { openUtaskApp, utaskApp } from './index.ts';

const permissions = { reader: ['app:utask:read'], writer: ['app:utask:read', 'app:utask:write'] } as const;

async function served() {
  const folder = temporaryFolder();
  const utask = await openUtask({ databasePath: join(folder, 'utask.db'), url: undefined });
  onTestFinished(() => utask.close({ processIsEnding: true }));
  return { utask, ...serving(utaskApp(async () => utask)) };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'utask-http-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function serving(app: App) {
  const server = createServer({
    apps: [app],
    authenticate({ headers }): Principal | undefined {
      const name = (headers.get('authorization') ?? '').replace('Bearer ', '') as keyof typeof permissions;
      return name in permissions
        ? { userId: 'u', name, permissions: new Set(permissions[name]), kind: 'token' }
        : undefined;
    },
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'silent' }),
    origins: ['http://localhost'],
  });
  onTestFinished(() => server.dispose());
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.request(`/api/utask${path}`, {
      method,
      headers: { authorization: 'Bearer writer', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { server, ask };
}

interface Listed {
  readonly data: readonly { readonly id: string; readonly text: string }[];
  readonly next_cursor: string | null;
}

describe('utask over HTTP', () => {
  it('adds, shows, changes and deletes a task', async () => {
    const { utask, ask } = await served();
    const added = await ask('POST', '/tasks', { text: 'Buy milk', tags: ['Errand'] });
    expect(added.status).toBe(201);
    const task = (await added.json()) as { id: string };
    expect(task).toMatchObject({ text: 'Buy milk', done: false, tags: ['errand'] });
    expect(added.headers.get('location')).toBe(`/api/utask/tasks/${task.id}`);
    const shown = (await (await ask('GET', `/tasks/${task.id.slice(0, 8)}`)).json()) as { revision: number };
    expect(shown).toEqual({ ...task, revision: expect.any(Number) });
    const update = { due: '2030-01-02', priority: 1, if_revision: shown.revision };
    const dated = await ask('PATCH', `/tasks/${task.id}`, update);
    expect(await dated.json()).toMatchObject({ text: 'Buy milk', due: '2030-01-02', priority: 1 });
    expect((await ask('PATCH', `/tasks/${task.id}`, { ...update, text: 'late' })).status, 'changed since').toBe(409);
    expect((await ask('PATCH', `/tasks/${task.id}`, { due: 'someday' })).status).toBe(400);
    const changed = await ask('PATCH', `/tasks/${task.id}`, { done: true });
    expect(await changed.json()).toMatchObject({ done: true, text: 'Buy milk' });
    expect((await ask('DELETE', `/tasks/${task.id}`)).status).toBe(204);
    expect((await ask('GET', `/tasks/${task.id}`)).status).toBe(404);
    expect(await utask.check()).toMatchObject({ tasks: 0, missing: [], stale: [] });
  });

  it('does not let a change overwrite what its author never saw', async () => {
    const { utask, ask } = await served();
    const { id } = await utask.add('one');
    const etag = (await ask('GET', `/tasks/${id}`)).headers.get('etag') ?? '';
    expect((await ask('GET', `/tasks/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304);
    await utask.update(id, { text: 'theirs' });
    expect((await ask('PATCH', `/tasks/${id}`, { text: 'ours' }, { 'if-match': etag })).status).toBe(412);
    expect((await ask('DELETE', `/tasks/${id}`, undefined, { 'if-match': etag })).status).toBe(412);
    expect(await utask.get(id)).toMatchObject({ text: 'theirs' });
  });

  it('lists page by page, by tags, state and words', async () => {
    const { utask, ask } = await served();
    for (const [text, tags] of [
      ['Ship patch', ['work', 'urgent']],
      ['Pager duty', ['ops', 'urgent']],
      ['Rest', []],
    ] as const) {
      await utask.add(text, tags);
    }
    const texts = async (query: string): Promise<readonly string[]> =>
      ((await (await ask('GET', `/tasks?${query}`)).json()) as Listed).data.map(({ text }) => text).sort();
    expect(await texts('all=urgent,work')).toEqual(['Ship patch']);
    expect(await texts('any=ops,work')).toEqual(['Pager duty', 'Ship patch']);
    expect(await texts('words=PAGER')).toEqual(['Pager duty']);
    expect(await texts('state=done')).toEqual([]);
    const seen: string[] = [];
    let cursor = '';
    for (let n = 0; n < 3; n++) {
      const listed = (await (await ask('GET', `/tasks?limit=1${cursor}`)).json()) as Listed;
      seen.push(...listed.data.map(({ text }) => text));
      cursor = `&cursor=${encodeURIComponent(listed.next_cursor ?? '')}`;
      expect(listed.next_cursor === null).toBe(n === 2);
    }
    expect(new Set(seen).size).toBe(3);
    const tags = (await (await ask('GET', '/tags')).json()) as { tags: unknown };
    expect(tags.tags).toContainEqual({ tag: 'urgent', open: 2, done: 0 });
    expect(await (await ask('GET', '/status')).json()).toMatchObject({ backend: 'embedded' });
  });

  it('lists the newest first when asked, page by page', async () => {
    const { utask, ask } = await served();
    for (const text of ['one', 'two', 'three', 'four', 'five']) await utask.add(text);
    const pagesOf = async (order: string): Promise<readonly string[]> => {
      const seen: string[] = [];
      let cursor = '';
      for (let n = 0; n < 3; n++) {
        const listed = (await (await ask('GET', `/tasks?order=${order}&limit=2${cursor}`)).json()) as Listed;
        seen.push(...listed.data.map(({ id }) => id));
        cursor = `&cursor=${encodeURIComponent(listed.next_cursor ?? '')}`;
      }
      return seen;
    };
    const oldest = await pagesOf('oldest');
    expect(new Set(oldest).size).toBe(5);
    expect(await pagesOf('newest')).toEqual(oldest.toReversed());
  });

  it('brings a deleted task back as it was, with its id', async () => {
    const { utask, ask } = await served();
    const { id } = await utask.add('precious', ['keep']);
    await utask.update(id, { done: true });
    await ask('DELETE', `/tasks/${id}`);
    const restored = await ask('POST', `/tasks/${id}/restore`);
    expect(await restored.json()).toMatchObject({ id, text: 'precious', tags: ['keep'], done: true });
    await utask.update(id, { text: 'changed since' });
    expect((await ask('POST', `/tasks/${id}/restore`)).status).toBe(200);
    expect(await utask.get(id)).toMatchObject({ text: 'changed since' });
    expect(await utask.check()).toMatchObject({ tasks: 1, missing: [], stale: [] });
    expect(await (await ask('GET', '/tags')).json()).toEqual({
      tags: [{ tag: 'keep', open: 0, done: 1 }],
      open: 0,
      done: 1,
    });
    expect((await ask('POST', `/tasks/${'0'.repeat(128)}/restore`)).status).toBe(404);
  });

  it('tells changes as they happen, goes on where a listener was, and says when it cannot', async () => {
    const { utask, ask } = await served();
    const listen = async (headers: Record<string, string> = {}) => {
      const live = await ask('GET', '/events', undefined, headers);
      const chunks = live.body!.getReader();
      let text = '';
      return {
        async until(wanted: string): Promise<string> {
          while (!text.includes(wanted)) {
            const { done, value } = await chunks.read();
            if (done) throw new Error(`the stream ended after ${text}`);
            text += new TextDecoder().decode(value as Uint8Array);
          }
          return text;
        },
        end: () => chunks.cancel(),
      };
    };
    const first = await listen();
    const start = /id: (\S+)/.exec(await first.until('id: '))?.[1] ?? '';
    await utask.add('live');
    expect(await first.until('"live"')).toContain('event: change');
    await first.end();
    await utask.add('while away');
    const second = await listen({ 'last-event-id': start });
    const caughtUp = await second.until('while away');
    expect(caughtUp).toContain('"live"');
    expect(caughtUp).not.toContain('event: reset');
    await second.end();
    const stranger = await listen({ 'last-event-id': '00000000-5' });
    await stranger.until('event: reset');
    await stranger.end();
    expect((await ask('GET', '/events?since=nonsense')).status).toBe(422);
  });

  it('says that its NATS server is not there yet, and goes on without a restart when it is', async () => {
    const nats = await NatsServer.start();
    onTestFinished(() => nats.stop());
    await nats.halt();
    const opened = await openUtaskApp(temporaryFolder(), { UTASK_NATS_URL: nats.url });
    onTestFinished(() => opened.close());
    expect(opened.problem).toMatchObject({ code: 'NATS_UNREACHABLE' });
    const { ask } = serving(opened.app);
    for (const path of ['/tasks', '/tags', '/status', '/events']) {
      const refused = await ask('GET', path);
      expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, '2']);
      expect(await refused.json()).toMatchObject({ code: 'NATS_UNREACHABLE' });
    }
    await nats.resume();
    expect((await ask('POST', '/tasks', { text: 'at last' })).status).toBe(201);
    expect(await (await ask('GET', '/status')).json()).toMatchObject({ backend: 'nats' });
  });

  it('refuses strangers, readers who write, and what cannot be', async () => {
    const { utask, server, ask } = await served();
    expect((await server.request('/api/utask/tasks')).status).toBe(401);
    expect((await ask('POST', '/tasks', { text: 'x' }, { authorization: 'Bearer reader' })).status).toBe(403);
    expect((await ask('GET', '/tasks/ffff0000')).status).toBe(404);
    const { id } = await utask.add('x');
    expect((await ask('GET', `/tasks/${id.slice(0, 3)}`)).status).toBeGreaterThanOrEqual(400);
    expect((await ask('POST', '/tasks', { text: '  ' })).status).toBeGreaterThanOrEqual(400);
  });

  it('is described in OpenAPI', async () => {
    const { utask } = await served();
    const document = openApiDocument([utaskApp(async () => utask)], { title: 'test', version: '1' });
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/utask/tasks', '/api/utask/events']));
  });
});
