import type { AttentionItem } from '@holdfast/operation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask, openTestHub, temporaryHome, tokenHeaders } from '../../test/hub.ts';
import { type HostedApp, loadApps } from '../apps.ts';
import type { Hub } from '../hub.ts';

let apps: readonly HostedApp[];
let hub: Hub;
let user: Headers;

interface Item extends AttentionItem {
  readonly key: string;
  readonly snoozed_until: string | null;
}

interface Inbox {
  readonly data: readonly Item[];
  readonly snoozed: number;
}

beforeAll(async () => {
  const home = temporaryHome();
  apps = await loadApps(home, {}, (what, error) => {
    throw new Error(what, { cause: error });
  });
  const overviews = new Map(apps.map(({ app, overview }) => [app.name, overview]));
  hub = await openTestHub({ home, apps: apps.map(({ app }) => app), overviews });
  user = await tokenHeaders(hub, 'user');
  for (const body of [
    { text: 'Pay the rent', due: '2026-01-02' },
    { text: 'Later', due: '2999-01-01' },
  ]) {
    await ask(hub, '/api/utask/tasks', { method: 'POST', body, headers: user });
  }
});
afterAll(async () => {
  for (const app of apps) await app.close();
});

async function inbox(headers = user, query = ''): Promise<Inbox> {
  return (await (await ask(hub, `/api/inbox${query}`, { headers })).json()) as Inbox;
}

async function rent(headers = user): Promise<Item | undefined> {
  return (await inbox(headers)).data.find(({ title }) => title === 'Pay the rent');
}

function snooze(key: string, until: string | null): Promise<Response> {
  return ask(hub, '/api/inbox/snooze', { method: 'POST', body: { key, until }, headers: user });
}

describe('the inbox', () => {
  it('lists what is due, not what comes later', async () => {
    const { data } = await inbox();
    expect(data.map(({ app, kind, title }) => [app, kind, title])).toEqual([['utask', 'overdue', 'Pay the rent']]);
  });

  it('refuses to snooze until a time that does not exist', async () => {
    expect((await snooze('any', '2026-13-45T99:99:99Z')).status).toBe(422);
  });

  it('hides a snoozed item from its user only, and shows it again on request', async () => {
    const { key = '' } = (await rent()) ?? {};
    expect((await snooze(key, '2999-01-01T00:00:00.000Z')).status).toBe(200);
    expect(await rent()).toBeUndefined();
    expect(await inbox(user, '?snoozed=true')).toMatchObject({ data: [{ key }], snoozed: 1 });
    expect(await rent(await tokenHeaders(hub, 'user'))).toMatchObject({ snoozed_until: null });
    await snooze(key, null);
    expect(await rent()).toMatchObject({ key });
  });

  it('offers actions only to those who may take them', async () => {
    expect(await rent(await tokenHeaders(hub, 'viewer'))).toMatchObject({ actions: [] });
    expect((await inbox(await tokenHeaders(hub, 'user', ['account:read', 'app:np:read']))).data).toEqual([]);
  });

  it('settles an item with its action, and brings it back with the undo of the action', async () => {
    const [action] = (await rent())?.actions ?? [];
    const send = ({ method, path, body }: { method: string; path: string; body: unknown }): Promise<Response> =>
      ask(hub, path, { method, body, headers: user });
    expect(action?.undo).toBeDefined();
    if (action === undefined || action.undo === null) return;
    expect((await send(action)).status).toBe(200);
    await expect.poll(() => rent()).toBeUndefined();
    expect((await send(action.undo)).status).toBe(200);
    await expect.poll(() => rent()).toMatchObject({ title: 'Pay the rent' });
  });
});
