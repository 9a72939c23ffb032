import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLogger, createServer, openApiDocument, type Principal } from '@holdfast/http';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openWithProject, temporaryFolder } from '../../test/harness.ts';
import { knownWorkspaces, registerWorkspace } from '../adapters/workspace.ts';
import { examine } from '../service/doctor.ts';
import { addDependency } from '../service/graph.ts';
import { inquire } from '../service/inquiries.ts';
import { showProject } from '../service/projects.ts';
import { undo } from '../service/restore.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { settingsFor } from '../service/run/settings.ts';
import { addTask, editTask } from '../service/tasks.ts';
import { Workspaces } from '../service/workspaces.ts';
import { listEvents } from '../store/events.ts';
import { ringmasterApp } from './index.ts';

async function served() {
  const home = temporaryFolder();
  const rm = await openWithProject();
  mkdirSync(join(rm.workspace.root, '.ringmaster'), { recursive: true });
  registerWorkspace(home, rm.workspace.root);
  const workspaces = new Workspaces(home);
  const permissions = new Set(['app:ringmaster:read', 'app:ringmaster:write']);
  const server = createServer({
    apps: [ringmasterApp(workspaces)],
    authenticate: (): Principal => ({ userId: 'u', name: 'ada', permissions, kind: 'token' }),
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'silent' }),
    origins: ['http://localhost'],
  });
  onTestFinished(async () => {
    server.dispose();
    await workspaces.close();
  });
  const workspace = workspaces.list()[0]?.id ?? '';
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.request(`/api/ringmaster${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const get = async <T>(path: string): Promise<T> =>
    (await (await ask('GET', `/workspaces/${workspace}${path}`)).json()) as T;
  const post = async (path: string, body?: unknown) => ask('POST', `/workspaces/${workspace}${path}`, body);
  return { home, rm, workspace, ask, get, post, permissions };
}

interface Listed {
  readonly data: readonly { readonly id: string; readonly is_ready: boolean }[];
  readonly next_cursor: string | null;
}

/** The first title is longer than the random part of an id, because a search covers ids too. */
const titles = ['juggling', 'two', 'three', 'four', 'five'];

async function addAll(rm: Ringmaster): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const title of titles) ids.push((await addTask(rm, { title })).id);
  return ids;
}

describe('the workspaces of a machine', () => {
  it('are added in a directory that exists and is not sensitive, by administrators only', async () => {
    const { rm, ask, permissions } = await served();
    const folder = join(rm.workspace.root, 'bakery');
    mkdirSync(join(folder, '.ssh'), { recursive: true });
    const add = async (path: string) => ask('POST', '/workspaces', { path, name: 'Bakery' });
    expect((await add(folder)).status).toBe(403);
    permissions.add('app:ringmaster:admin');
    for (const path of ['bakery', join(folder, 'nowhere'), join(folder, '.ssh'), '/root']) {
      expect(await (await add(path)).json(), path).toMatchObject({ code: 'WORKSPACE_FOLDER' });
    }
    const added = await add(folder);
    expect(added.status).toBe(201);
    expect(await added.json()).toMatchObject({ root: folder, projects: [{ name: 'Bakery' }], problem: null });
  });

  it('are those in which ringmaster was initialised, and no other directory can be asked for', async () => {
    const { home, rm, workspace, ask } = await served();
    registerWorkspace(home, rm.workspace.root);
    expect(knownWorkspaces(home)).toEqual([{ id: workspace, root: rm.workspace.root }]);
    expect(await (await ask('GET', '/workspaces')).json()).toMatchObject({
      data: [{ id: workspace, root: rm.workspace.root, projects: [{ name: expect.any(String) }], problem: null }],
    });
    for (const other of ['000000000000', '..', '%2e%2e%2f', encodeURIComponent(rm.workspace.root)]) {
      expect((await ask('GET', `/workspaces/${other}/status`)).status, other).toBe(404);
    }
  });

  it('follow their ringmaster.toml, and go on when one that was broken is mended', async () => {
    const { rm, workspace, ask, get } = await served();
    const path = join(rm.workspace.root, 'ringmaster.toml');
    const worker = (seconds: number): string =>
      `[[workers]]\nname = "c1"\ntype = "custom"\ncommand = "x"\ntimeout_seconds = ${seconds}\n`;
    expect((await get<{ data: unknown[] }>('/workers')).data).toHaveLength(1);
    writeFileSync(path, `[run]\nauto_merge = true\n${worker(60)}`);
    utimesSync(path, 1_800_000_000, 1_800_000_000);
    expect(await get('/projects/circus')).toMatchObject({ in_force: { auto_merge: true } });
    expect((await get<{ data: unknown[] }>('/workers')).data).toHaveLength(2);
    // Writes an unknown setting, but keeps the length and the modification time of the file.
    const { atime, mtime } = statSync(path);
    writeFileSync(path, `[run]\nauto_murge = true\n${worker(60)}`);
    utimesSync(path, atime, mtime);
    for (let n = 0; n < 2; n++) {
      const refused = await ask('GET', `/workspaces/${workspace}/status`);
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'CONFIG_INVALID' }]);
    }
    writeFileSync(path, `[storage]\ndb_path = ".ringmaster/other.db"\n${worker(600)}`);
    expect((await ask('GET', `/workspaces/${workspace}/status`)).status).toBe(404);
    rmSync(path);
    expect(await get('/projects/circus')).toMatchObject({ in_force: { auto_merge: false } });
  });

  it('one that cannot be opened says why, and the others work', async () => {
    const { home, workspace, ask } = await served();
    const broken = temporaryFolder();
    writeFileSync(join(broken, 'ringmaster.toml'), '[storage]\nspeed = 9\n');
    registerWorkspace(home, broken);
    const { data } = (await (await ask('GET', '/workspaces')).json()) as {
      data: { id: string; problem: string | null }[];
    };
    expect(data.filter(({ problem }) => problem === null)).toHaveLength(1);
    expect(data.find(({ problem }) => problem !== null)?.problem).toContain('speed');
    expect((await ask('GET', `/workspaces/${workspace}/status`)).status).toBe(200);
  });
});

describe('the settings of a project', () => {
  const path = '/projects/circus';

  it('are changed one by one and taken off again, by somebody who may say what is run, and count at once', async () => {
    const { rm, workspace, ask, get, permissions } = await served();
    const change = async (body: unknown) => ask('PATCH', `/workspaces/${workspace}${path}`, body);
    expect((await change({ auto_merge: true })).status).toBe(403);
    permissions.add('app:ringmaster:admin');
    const changed = await change({ auto_merge: true, test_command: ['make', 'test'], repository: '.' });
    expect(await changed.json()).toMatchObject({
      settings: { auto_merge: true, test_command: ['make', 'test'], repository: '.' },
      in_force: {
        auto_merge: true,
        test_command: ['make', 'test'],
        repository: '.',
        review: 'none',
        review_command: [],
      },
    });
    expect(settingsFor(rm, 'circus', 'w1')).toMatchObject({ autoMerge: true, testCommand: ['make', 'test'] });
    expect((await change({ auto_merge: null, repository: null })).status).toBe(200);
    expect(await get(path)).toMatchObject({
      settings: { test_command: ['make', 'test'] },
      in_force: { auto_merge: false },
    });
    expect(listEvents(rm.store.reader, { limit: 1 })).toMatchObject([
      { event_type: 'project_updated', entity_id: 'circus', actor_id: 'ada' },
    ]);
    await undo(rm);
    expect(showProject(rm, { project: 'circus' }).settings).toMatchObject({ auto_merge: true });
  });

  it('do not make a sensitive folder a repository, and the doctor reports one that became sensitive', async () => {
    const { rm, workspace, ask, permissions } = await served();
    permissions.add('app:ringmaster:admin');
    const { root } = rm.workspace;
    mkdirSync(join(root, '.ssh'));
    symlinkSync(join(root, '.ssh'), join(root, 'link'));
    mkdirSync(join(root, 'code'));
    const change = async (repository: string) => ask('PATCH', `/workspaces/${workspace}${path}`, { repository });
    for (const repository of ['.ssh', 'link', '/', '/root']) {
      expect((await change(repository)).status, repository).toBe(400);
    }
    expect((await change('code')).status).toBe(200);
    const problems = async () => (await examine(rm, { repair: false })).flatMap((finding) => finding.problems);
    expect(await problems()).toEqual([]);
    writeFileSync(join(root, 'code', 'id_rsa'), '');
    expect(await problems()).toEqual([expect.stringContaining('it contains credentials (id_rsa)')]);
    await rm.store.write('by hand', (tx) => tx.run("UPDATE projects SET settings = 'oops'"));
    expect(await problems()).toEqual([expect.stringContaining('circus: ')]);
  });

  it('are refused when they could not work', async () => {
    const { rm, workspace, ask, permissions } = await served();
    permissions.add('app:ringmaster:admin');
    const wrong = [
      { review: 'command' },
      { repository: 'nowhere' },
      { repository: '' },
      { test_command: 'make test' },
      { test_command: [''] },
      { automerge: true },
    ];
    for (const body of wrong) {
      expect((await ask('PATCH', `/workspaces/${workspace}${path}`, body)).status, JSON.stringify(body)).toBeOneOf([
        400, 422,
      ]);
    }
    expect((await ask('GET', `/workspaces/${workspace}/projects/none`)).status).toBe(404);
    expect(showProject(rm, { project: 'circus' }).settings).toEqual({});
    for (const stored of ['{"auto_merge":"yes"}', '[]', 'oops']) {
      await rm.store.write('by hand', (tx) => tx.run('UPDATE projects SET settings = ?', stored));
      expect(() => settingsFor(rm, 'circus', 'w1'), stored).toThrow(/settings|auto_merge/u);
    }
  });
});

describe('tasks over HTTP', () => {
  it('are added, changed in the name of the person, and refused when somebody else changed them', async () => {
    const { rm, workspace, ask, get, post } = await served();
    const task = (await (await post('/tasks', { title: 'Juggle' })).json()) as { id: string; version: number };
    const change = { title: 'Juggle five', version: task.version };
    expect((await ask('PATCH', `/workspaces/${workspace}/tasks/${task.id}`, change)).status).toBe(200);
    const stale = await ask('PATCH', `/workspaces/${workspace}/tasks/${task.id}`, change);
    expect([stale.status, await stale.json()]).toMatchObject([409, { code: 'TASK_STALE' }]);
    expect(await get(`/tasks/${task.id}`)).toMatchObject({ task: { title: 'Juggle five', status: 'ready' } });
    expect(listEvents(rm.store.reader, { limit: 1 }).at(-1)).toMatchObject({ actor_type: 'person', actor_id: 'ada' });
    expect((await ask('GET', `/workspaces/${workspace}/tasks/bd-none`)).status).toBe(404);
  });

  it('have titles of one line, and neither a NUL anywhere nor a field that nobody reads', async () => {
    const { rm, workspace, ask, post } = await served();
    expect(await (await post('/tasks', { title: ' Juggle \r\n\n with\u2028three ' })).json()).toMatchObject({
      title: 'Juggle with three',
    });
    const refused = [
      await post('/tasks', { title: 'Jug\0gle' }),
      await post('/tasks', { title: 'Juggle', depends_on: ['a\0b'] }),
      await ask('GET', `/workspaces/${workspace}/tasks?search=a%00b`),
      await ask('GET', `/workspaces/${workspace}/tasks/a%00b`),
      await post('/tasks', { title: 'Juggle', dependsOn: [] }),
      await post('/report', { token: 1, status: 'failed', class: 'infrastructure' }),
    ];
    for (const answer of refused) {
      const problem = (await answer.json()) as { code: string };
      expect([answer.status, problem.code]).toEqual([422, 'VALIDATION_FAILED']);
      expect(JSON.stringify(problem)).not.toContain(rm.workspace.root);
    }
  });

  it('are listed page by page, with what may begin, and drawn as a graph', async () => {
    const { rm, get } = await served();
    const ids = await addAll(rm);
    await addDependency(rm, { task: ids[0]!, depends_on: ids[1]! });
    const seen: string[] = [];
    let cursor = '';
    do {
      const listed: Listed = await get(`/tasks?limit=2${cursor}`);
      seen.push(...listed.data.map(({ id }) => id));
      cursor = listed.next_cursor === null ? '' : `&cursor=${encodeURIComponent(listed.next_cursor)}`;
    } while (cursor !== '');
    expect(seen.toSorted()).toEqual([...ids].sort());
    const { data } = await get<Listed>('/tasks?search=juggling');
    expect(data).toMatchObject([{ id: ids[0], is_ready: false, may_become: expect.arrayContaining(['done']) }]);
    await editTask(rm, { task: ids[4]!, status: 'done' });
    expect((await get<Listed>('/tasks?state=done')).data).toMatchObject([
      { id: ids[4], may_become: ['ready', 'draft', 'review'] },
    ]);
    expect((await get<Listed>('/tasks?state=open')).data).toHaveLength(ids.length - 1);
    expect(await get('/graph')).toMatchObject({ edges: [{ from: ids[0], to: ids[1], type: 'blocks' }] });
    expect(await get(`/tasks/${ids[0]}/why`)).toMatchObject({
      is_ready: false,
      holds: [expect.stringContaining(ids[1]!)],
    });
    expect(await get(`/tasks/${ids[0]}`)).toMatchObject({
      dependencies: [{ id: ids[1], type: 'blocks', title: 'two' }],
    });
  });
});

describe('a worker on another machine', () => {
  it('pulls a task, keeps it, reports it, and cannot report twice', async () => {
    const { rm, get, post } = await served();
    await addTask(rm, { title: 'only' });
    const claimed = (await (await post('/claim', { worker: 'w1' })).json()) as { token: number; task: { id: string } };
    const { token } = claimed;
    expect(await (await post('/claim', { worker: 'w1' })).json()).toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    expect(await (await post('/heartbeat', { token, progress: 'half' })).json()).toMatchObject({ cancel: false });
    expect(await get('/queue')).toMatchObject({ data: [{ task_id: claimed.task.id, worker_id: 'w1' }] });
    expect((await post(`/tasks/${claimed.task.id}/cancel`, {})).status).toBe(200);
    expect(await (await post('/heartbeat', { token })).json()).toMatchObject({ cancel: true });
    const report = { token, status: 'completed', output: 'all ok\n' };
    expect(await (await post('/report', report)).json()).toMatchObject({ status: 'done' });
    expect(await (await post('/claim', { worker: 'w1' })).json()).toMatchObject({
      task: null,
      reason: 'no unfinished task is left for workers',
    });
    const late = await post('/report', report);
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'STALE_TOKEN' }]);
    expect(await get('/workers')).toMatchObject({ data: [{ id: 'w1', attempts: 1, succeeded: 1 }] });
    expect(await get('/output')).toMatchObject({ data: [] });
    expect(await get('/metrics')).toMatchObject({ data: [{ succeeded: 1, failed: 0 }] });
  });
});

describe('a person', () => {
  it('makes a backup and finds it among the restore points', async () => {
    const { rm, get, post } = await served();
    expect(await get('/backups')).toMatchObject({ data: [] });
    expect((await post('/backups', {})).status).toBe(200);
    // An interrupted backup must not block others.
    writeFileSync(join(rm.workspace.filesPath, 'backups/ringmaster_cut.db.json'), '');
    expect(await get('/backups')).toMatchObject({ data: [{ revision: rm.store.database.revision() }] });
  });

  it('sees of what waits for others that it waits', async () => {
    const { rm, get } = await served();
    const { id: first } = await addTask(rm, { title: 'first' });
    const { id: second } = await addTask(rm, { title: 'second', depends_on: [first] });
    expect(await get(`/tasks/${first}`)).toMatchObject({
      dependents: [{ id: second, status: 'ready', is_held: true }],
    });
    expect(await get(`/tasks/${second}`)).toMatchObject({ dependencies: [{ id: first, is_held: false }] });
  });

  it('answers what was asked, and pauses workers', async () => {
    const { rm, workspace, ask, get, post } = await served();
    const task = await addTask(rm, { title: 'tent' });
    const asked = await inquire(rm, { task: task.id, kind: 'decision', question: 'Which?', options: ['red', 'blue'] });
    expect(await get('/inquiries')).toMatchObject({
      data: [{ task_id: asked.id, about_title: 'tent', options: ['red', 'blue'], answer: null }],
    });
    expect((await post(`/inquiries/${asked.id}/answer`, { answer: 'red' })).status).toBe(200);
    expect(await get('/inquiries')).toMatchObject({ data: [] });
    expect(await get('/inquiries?all=true')).toMatchObject({ data: [{ answer: 'red', answered_by: 'ada' }] });
    expect((await post(`/inquiries/${asked.id}/answer`, { answer: 'blue' })).status).toBe(400);
    const paused = await ask('PUT', `/workspaces/${workspace}/paused`, { paused: true });
    expect(await paused.json()).toMatchObject({ worker_id: null, paused_at: expect.any(String) });
    const worker = await ask('PUT', `/workspaces/${workspace}/workers/w1/paused`, { paused: true });
    expect(await worker.json()).toMatchObject({ worker_id: 'w1', paused_at: expect.any(String) });
  });

  it('sees what happens as it happens, and goes on where the connection was lost', async () => {
    const { rm, workspace, ask } = await served();
    const listen = async (headers: Record<string, string> = {}) => {
      const answer = await ask('GET', `/workspaces/${workspace}/events/live`, undefined, headers);
      const reader = answer.body!.getReader();
      onTestFinished(() => reader.cancel().catch(() => undefined));
      let text = '';
      return async (wanted: string): Promise<string> => {
        while (!text.includes(wanted)) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`the stream ended after ${text}`);
          text += new TextDecoder().decode(value);
        }
        return text;
      };
    };
    const first = await listen();
    const task = await addTask(rm, { title: 'seen' });
    const text = await first(`"entity_id":"${task.id}"`);
    const id = /id: (\d+)\nevent: event/u.exec(text)?.[1] ?? '';
    const missed = await addTask(rm, { title: 'missed' });
    const again = await listen({ 'last-event-id': id });
    expect(await again(`"entity_id":"${missed.id}"`)).not.toContain(`"entity_id":"${task.id}"`);
  });
});

it('every route is described', () => {
  const document = openApiDocument([ringmasterApp(undefined as never)], { title: 'test', version: '1' });
  expect(Object.keys(document.paths ?? {}).length).toBeGreaterThan(18);
});
