import { createLogger, createServer, openApiDocument, type Principal, type Server } from '@holdfast/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, archiveSession, readLog, setGoal, startSession, updateTasks } from '../index.ts';
import { npApp } from './index.ts';

const reader: Principal = { userId: 'u', name: 'reader', permissions: new Set(['app:np:read']), kind: 'token' };
const writer: Principal = { ...reader, name: 'writer', permissions: new Set(['app:np:read', 'app:np:write']) };

const principals: Readonly<Record<string, Principal>> = { 'Bearer ok': reader, 'Bearer write': writer };

async function served() {
  const harness = await openHarness();
  const { np, directory } = harness;
  const server = createServer({
    apps: [npApp(np)],
    authenticate: ({ headers }) => principals[headers.get('authorization') ?? ''],
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'silent' }),
    origins: ['http://localhost'],
  });
  onTestFinished(() => server.dispose());
  const { session } = await startSession(np, { directory, cmd: 'np s' });
  return { ...harness, server, sid: session.sid };
}

async function get(server: Server, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return server.request(`/api/np${path}`, { headers: { authorization: 'Bearer ok', ...headers } });
}

interface Listed {
  readonly data: readonly { readonly seq: number }[];
  readonly next_cursor: string | null;
}

async function list(server: Server, path: string): Promise<Listed> {
  return (await (await get(server, path)).json()) as Listed;
}

describe('np over HTTP', () => {
  it('lists sessions page by page and shows a plan, with a tag that changes with it', async () => {
    const { np, server, sid, call } = await served();
    await setGoal(np, { ...call, title: 'Ship', description: '' });
    await addTasks(np, { ...call, tasks: [{ title: 'One', description: 'x' }] });
    await startSession(np, { directory: '/elsewhere', cmd: 'np s' });
    const first = await list(server, '/sessions?limit=1');
    expect(first.data).toHaveLength(1);
    const second = await list(server, `/sessions?limit=1&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
    expect(second).toMatchObject({
      data: [{ session: { sid }, goal: { title: 'Ship' }, counts: { pending: 1 } }],
      next_cursor: null,
    });
    const plan = await get(server, `/sessions/${sid}`);
    const { tasks } = (await plan.json()) as { tasks: { id: string }[] };
    expect(tasks).toMatchObject([{ title: 'One', status: 'pending', version: 1 }]);
    const etag = plan.headers.get('etag') ?? '';
    expect((await get(server, `/sessions/${sid}`, { 'if-none-match': etag })).status).toBe(304);
    await updateTasks(np, { ...call, updates: [{ id: tasks[0]!.id, status: 'completed' }] });
    expect((await get(server, `/sessions/${sid}`, { 'if-none-match': etag })).status).toBe(200);
  });

  it('changes a plan with the fields and errors that commands have, for those who may write', async () => {
    const { np, server, sid } = await served();
    const send = (method: string, path: string, body: unknown, token = 'write') =>
      server.request(`/api/np/sessions/${sid}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await send('POST', '/tasks', { tasks: [] }, 'ok')).status).toBe(403);
    expect((await send('PUT', '/goal', { title: 'Ship' })).status).toBe(200);
    expect(await (await send('PUT', '/goal', { title: 'Again' })).json()).toMatchObject({ code: 'GOAL_EXISTS' });
    const added = await send('POST', '/tasks', { tasks: [{ title: 'One' }, { title: 'Two', description: 'x' }] });
    const { tasks, next } = (await added.json()) as { tasks: { id: string }[]; next: unknown[] };
    expect(next).toHaveLength(2);
    const update = { id: tasks[0]!.id, status: 'failed' };
    expect(await (await send('PATCH', '/tasks', { updates: [update] })).json()).toMatchObject({
      code: 'REASON_REQUIRED',
    });
    const updated = await send('PATCH', '/tasks', { updates: [{ ...update, reason: 'no access' }], plan: true });
    expect(await updated.json()).toMatchObject({
      counts: { failed: 1, pending: 1 },
      plan: { goal: { title: 'Ship' }, tasks: [{ status: 'failed', reason: 'no access' }, { status: 'pending' }] },
    });
    expect((await send('POST', `/tasks/${tasks[1]!.id}/move`, { to: 1 })).status).toBe(200);
    const claimed = await send('POST', `/tasks/${tasks[1]!.id}/claim`, { actor: 'ada', for: '30m' });
    expect(await claimed.json()).toMatchObject({
      tasks: [{ actor: 'ada', claimed_until: expect.any(String) as string }],
    });
    const done = { updates: [{ id: tasks[1]!.id, status: 'completed' }] };
    const refused = await send('PATCH', '/tasks', done);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'TASK_CLAIMED' }]);
    expect((await send('PATCH', '/tasks', { ...done, actor: 'ada' })).status).toBe(200);
    expect((await send('POST', `/tasks/${tasks[1]!.id}/release`, { actor: 'ada' })).status).toBe(200);
    expect((await send('POST', '/archive', {})).status).toBe(200);
    const { events } = await readLog(np, { sid }, { limit: 20 });
    const move = { type: 'task_moved', cmd: 'POST /sessions/{sid}/tasks/{id}/move', actor: 'writer' };
    expect(events).toContainEqual(expect.objectContaining(move));
  });

  it('finds sessions by directory, goal or id, however many others there are', async () => {
    const { np, server, sid, call } = await served();
    await setGoal(np, { ...call, title: 'Ship the Dashboard', description: '' });
    for (let n = 0; n < 9; n++) await startSession(np, { directory: `/other/${n}`, cmd: 'np s' });
    for (const search of ['dashBOARD', sid.toLowerCase()]) {
      const { data } = await list(server, `/sessions?limit=4&search=${search}`);
      expect(data).toMatchObject([{ session: { sid } }]);
    }
    const found: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const part: Listed = await list(
        server,
        `/sessions?limit=4&search=other${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(part.data.length).toBeLessThanOrEqual(4);
      found.push(...part.data);
      cursor = part.next_cursor;
    }
    expect(found).toHaveLength(9);
    expect((await list(server, '/sessions?search=nowhere')).data).toEqual([]);
  });

  it('gives the log backwards too, page by page', async () => {
    const { np, server, sid, call } = await served();
    await addTasks(np, { ...call, tasks: ['a', 'b', 'c', 'd'].map((title) => ({ title, description: '' })) });
    const seen: number[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const part: Listed = await list(server, `/sessions/${sid}/events?order=newest&limit=2${from}`);
      seen.push(part.data.map(({ seq }) => seq));
      cursor = part.next_cursor;
    }
    expect(seen).toEqual([[4, 3], [2, 1], [0]]);
  });

  it('gives the log in pages and the export as a file', async () => {
    const { np, server, sid, call } = await served();
    await addTasks(np, { ...call, tasks: ['a', 'b', 'c'].map((title) => ({ title, description: '' })) });
    const first = await list(server, `/sessions/${sid}/events?limit=2`);
    expect(first.data.map(({ seq }) => seq)).toEqual([0, 1]);
    const rest = await list(server, `/sessions/${sid}/events?limit=9&cursor=${first.next_cursor}`);
    expect(rest.data.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(rest.next_cursor).toBeNull();
    const markdown = await get(server, `/sessions/${sid}/export`);
    expect(markdown.headers.get('content-disposition')).toContain(`np-${sid}.md`);
    expect(await markdown.text()).toContain('## Tasks (0 of 3 done)');
    expect(await (await get(server, `/sessions/${sid}/export?format=json`)).json()).toMatchObject({
      format: 'np-session',
    });
  });

  it('tells changes as they happen, and goes on from where a listener was', async () => {
    const { np, server, sid, call } = await served();
    const since = await np.store.revision();
    await startSession(np, { directory: '/elsewhere', cmd: 'np s' });
    await addTasks(np, { ...call, tasks: [{ title: 'while away', description: '' }] });
    const live = await get(server, `/events?sid=${sid}`, { 'last-event-id': String(since) });
    const chunks = live.body!.getReader();
    let text = '';
    const until = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) {
        const { done, value } = await chunks.read();
        if (done) throw new Error(`the stream ended after ${text}`);
        text += new TextDecoder().decode(value);
      }
    };
    await until('while away');
    expect(text).not.toContain('elsewhere');
    await archiveSession(np, call);
    await until('session_archived');
    expect(text).toContain('event: change');
    await chunks.cancel();
  });

  it('refuses strangers, unknown sessions and ids that are none', async () => {
    const { server } = await served();
    expect((await server.request('/api/np/sessions')).status).toBe(401);
    const missing = await get(server, '/sessions/none');
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect((await get(server, '/events?since=x')).status).toBe(422);
  });

  it('is described in OpenAPI with the fields that the store validates', async () => {
    const { np } = await served();
    const document = openApiDocument([npApp(np)], { title: 'test', version: '1' });
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/np/sessions', '/api/np/events']));
    expect(JSON.stringify(document)).toContain('"created_seq"');
  });
});
