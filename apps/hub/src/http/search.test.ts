import { mkdirSync } from 'node:fs';

import type { FoundItem, Overview } from '@holdfast/operation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask, openTestHub, temporaryHome, tokenHeaders } from '../../test/hub.ts';
import { type HostedApp, loadApps } from '../apps.ts';
import type { Hub } from '../hub.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const slow: Overview = { find: never, inbox: never };
let apps: readonly HostedApp[];
let hub: Hub;

beforeAll(async () => {
  const home = temporaryHome();
  mkdirSync(home, { recursive: true });
  apps = await loadApps(home, {}, (what, error) => {
    throw new Error(what, { cause: error });
  });
  const overviews = new Map(apps.map(({ app, overview }) => [app.name, overview]));
  hub = await openTestHub({ home, apps: apps.map(({ app }) => app), overviews });
  const headers = await tokenHeaders(hub, 'admin');
  for (const text of ['Paint the boat', 'Repaint the fence', 'Buy milk']) {
    await ask(hub, '/api/utask/tasks', { method: 'POST', body: { text }, headers });
  }
  await ask(hub, '/api/codex/notebooks', { method: 'POST', body: { name: 'notes' }, headers });
  const note = { path: 'paint.md', content: '# Paint\n\nBlue, for the boat.' };
  await ask(hub, '/api/codex/notebooks/1/files?wait=30', { method: 'POST', body: note, headers });
});
afterAll(async () => {
  for (const app of apps) await app.close();
});

interface Found {
  readonly data: readonly FoundItem[];
  readonly unavailable: readonly string[];
}

async function search(q: string, headers: Headers, on = hub): Promise<Found> {
  return (await (await ask(on, `/api/search?${new URLSearchParams({ q }).toString()}`, { headers })).json()) as Found;
}

describe('the search of all applications', () => {
  it('ranks items of different applications in one list', async () => {
    // The note index is updated shortly after the files are written.
    const user = await tokenHeaders(hub, 'user');
    await expect.poll(async () => (await search('blue', user)).data).toHaveLength(1);
    const { data, unavailable } = await search('paint', await tokenHeaders(hub, 'user'));
    expect(data.map(({ app, title }) => [app, title])).toEqual([
      ['codex', 'Paint'],
      ['utask', 'Paint the boat'],
      ['utask', 'Repaint the fence'],
    ]);
    expect(data[0]?.path).toMatch(/^\/notebooks\/1\/files\/.+/u);
    expect(unavailable).toEqual([]);
  });

  it('shows only applications that the caller may read', async () => {
    const { data } = await search('paint', await tokenHeaders(hub, 'user', ['account:read', 'app:codex:read']));
    expect(data.map(({ app }) => app)).toEqual(['codex']);
  });

  it('includes changes at once: new, changed and deleted tasks', async () => {
    const headers = await tokenHeaders(hub, 'user');
    const added = await ask(hub, '/api/utask/tasks', { method: 'POST', body: { text: 'Zebra crossing' }, headers });
    const { id } = (await added.json()) as { readonly id: string };
    await expect.poll(async () => (await search('zebra', headers)).data.map((item) => item.id)).toEqual([id]);
    await ask(hub, `/api/utask/tasks/${id}`, { method: 'DELETE', headers });
    await expect.poll(async () => (await search('zebra', headers)).data).toEqual([]);
  });

  it('answers without an application that does not answer, and names it', async () => {
    const other = await openTestHub({ overviews: new Map([['np', slow]]), apps: apps.map(({ app }) => app) });
    const { data, unavailable } = await search('paint', await tokenHeaders(other, 'user'), other);
    expect({ data, unavailable }).toEqual({ data: [], unavailable: ['np'] });
  });

  it('rejects an empty search', async () => {
    const response = await ask(hub, '/api/search?q=', { headers: await tokenHeaders(hub, 'user') });
    expect(response.status).toBe(422);
  });
});
