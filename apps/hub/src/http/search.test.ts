import { mkdirSync, realpathSync } from 'node:fs';

import type { ActivityItem, FoundItem, Overview } from '@holdfast/operation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask, openTestHub, temporaryHome, tokenHeaders } from '../../test/hub.ts';
import { type HostedApp, loadApps } from '../apps.ts';
import type { Hub } from '../hub.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const slow: Overview = {
  find: never,
  inbox: never,
  activity: never,
  describe: never,
  demo: { create: never, remove: never },
};
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
    // Waits for the note index, which is updated shortly after the files are written.
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

describe('the activity of all applications', () => {
  it('says who did what, newest first, and only in applications that the caller may read', async () => {
    const headers = await tokenHeaders(hub, 'user');
    const body = { directory: temporaryHome() };
    mkdirSync(body.directory, { recursive: true });
    const started = await ask(hub, '/api/np/sessions', { method: 'POST', body, headers });
    expect(started.status).toBe(201);
    const read = async (as: Headers): Promise<readonly ActivityItem[]> =>
      ((await (await ask(hub, '/api/activity', { headers: as })).json()) as { data: ActivityItem[] }).data;
    const all = await read(headers);
    expect(all).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          app: 'np',
          text: 'started a plan in',
          title: realpathSync(body.directory),
          is_automatic: false,
        }),
        expect.objectContaining({ app: 'codex', text: 'created', title: 'paint.md', who: expect.any(String) }),
        expect.objectContaining({ app: 'utask', text: 'added', title: 'Paint the boat', who: null }),
      ]),
    );
    const times = all.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    const some = await read(await tokenHeaders(hub, 'user', ['account:read', 'app:codex:read']));
    expect(new Set(some.map(({ app }) => app))).toEqual(new Set(['codex']));
  });
});

describe('links between items', () => {
  it('name the target, and the target lists what links to it', async () => {
    const headers = await tokenHeaders(hub, 'admin');
    const target = (await search('blue', headers)).data[0]?.path ?? '';
    const text = `Read http://localhost:4870${target} first`;
    await ask(hub, '/api/utask/tasks', { method: 'POST', body: { text }, headers });
    const note = { path: 'plan.md', content: `See http://localhost:4870${target}.` };
    await ask(hub, '/api/codex/notebooks/1/files?wait=30', { method: 'POST', body: note, headers });
    const linksOf = async (path: string, as: Headers) =>
      (await (await ask(hub, `/api/links?${new URLSearchParams({ path }).toString()}`, { headers: as })).json()) as {
        readonly target: FoundItem | null;
        readonly linked_from: readonly FoundItem[];
      };
    await expect
      .poll(async () =>
        (await linksOf(target, headers)).linked_from.map(({ app, kind }) => `${app} ${kind}`).toSorted(),
      )
      .toEqual(['codex note', 'utask task']);
    expect((await linksOf(target, headers)).target).toMatchObject({ kind: 'note', title: 'Paint', path: target });
    const other = await tokenHeaders(hub, 'user', ['account:read', 'app:utask:read']);
    expect(await linksOf(target, other)).toMatchObject({ target: null, linked_from: [] });
    for (const path of ['/plans/none', '/books/authors', '/ringmaster/x/tasks/y', '/notebooks/1/files/none', '/']) {
      expect((await linksOf(path, headers)).target, path).toBe(null);
    }
  });
});
