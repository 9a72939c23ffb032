import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { ask, openTestHub, temporaryHome, tokenHeaders } from '../../test/hub.ts';
import { type HostedApp, loadApps } from '../apps.ts';
import type { Hub } from '../hub.ts';

const home = temporaryHome();
const root = join(home, '..', 'files');
const folder = join(root, 'Holdfast demo');
let apps: readonly HostedApp[];
let hub: Hub;
let headers: Headers;

beforeAll(async () => {
  mkdirSync(home, { recursive: true });
  mkdirSync(root);
  apps = await loadApps(home, {}, (what, error) => {
    throw new Error(what, { cause: error });
  });
  const overviews = new Map(apps.map(({ app, overview }) => [app.name, overview]));
  hub = await openTestHub({ home, apps: apps.map(({ app }) => app), overviews, folderRoots: [root] });
  headers = await tokenHeaders(hub, 'admin');
});
afterAll(async () => {
  for (const app of apps) await app.close();
});

const all = { apps: ['np', 'utask', 'codex', 'audiobooks', 'ringmaster'] };

async function read<T>(path: string): Promise<T> {
  return (await (await ask(hub, path, { headers })).json()) as T;
}

async function titles(path: string, field: string): Promise<readonly unknown[]> {
  const { data } = await read<{ readonly data: readonly Record<string, unknown>[] }>(path);
  return data.map((item) => item[field]);
}

/** Returns everything that people see of the demo. */
async function everything(): Promise<readonly unknown[]> {
  return [
    ...(await titles('/api/np/sessions?state=all', 'sid')),
    ...(await titles('/api/utask/tasks?state=all', 'text')),
    ...(await titles('/api/codex/notebooks', 'name')),
    ...(await titles('/api/audiobooks/books', 'title')),
    ...(await titles('/api/ringmaster/workspaces', 'root')),
  ];
}

it('adds a plan, tasks, a notebook, a book and a project, and removes exactly these', async () => {
  await ask(hub, '/api/utask/tasks', { method: 'POST', body: { text: 'My own task' }, headers });
  const before = await everything();
  const created = await ask(hub, '/api/system/demo', { method: 'POST', body: all, headers });
  expect(await created.json()).toEqual({ folder, apps: all.apps });
  const during = await everything();
  expect(during).toHaveLength(before.length + 7);
  expect(during).toEqual(
    expect.arrayContaining(['My own task', 'Demo notebook', 'First steps', join(folder, 'Tree house')]),
  );
  const [book] = (await read<{ readonly data: readonly { readonly duration_ms: number }[] }>('/api/audiobooks/books'))
    .data;
  expect(book).toMatchObject({ duration_ms: 16_000 });
  expect((await ask(hub, '/api/system/demo', { method: 'POST', body: all, headers })).status).toBe(409);
  const removed = await ask(hub, '/api/system/demo', { method: 'DELETE', headers });
  expect(await removed.json()).toEqual({ kept: [] });
  expect(await everything()).toEqual(before);
  expect(readdirSync(root)).toEqual([]);
  expect(await read('/api/system/demo')).toEqual({ folder: null, apps: [] });
});

it('keeps files that a person has added or changed, and removes the rest', async () => {
  const user = await tokenHeaders(hub, 'user');
  expect((await ask(hub, '/api/system/demo', { method: 'POST', body: all, headers: user })).status).toBe(403);
  await ask(hub, '/api/system/demo', { method: 'POST', body: { apps: ['codex', 'ringmaster'] }, headers });
  const mine = join(folder, 'Notebook', 'Mine.md');
  writeFileSync(mine, 'Mine\n');
  const changed = join(folder, 'Notebook', 'Lake.md');
  writeFileSync(changed, '# Lake\n\nThe boat is green.\n');
  const removed = await ask(hub, '/api/system/demo', { method: 'DELETE', headers });
  const { kept } = (await removed.json()) as { readonly kept: readonly string[] };
  expect(kept.toSorted()).toEqual([changed, mine]);
  expect([existsSync(mine), existsSync(changed), readdirSync(folder)]).toEqual([true, true, ['Notebook']]);
  expect(await titles('/api/codex/notebooks', 'name')).toEqual([]);
  const again = await ask(hub, '/api/system/demo', { method: 'POST', body: all, headers });
  expect(await again.json()).toMatchObject({ code: 'DEMO_EXISTS' });
});
