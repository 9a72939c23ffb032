import { createLogger } from '@holdfast/http';
import { expect, it } from 'vitest';

import { ask, openTestHub, temporaryHome } from '../../test/hub.ts';
import { type HostedApp, loadApps } from '../apps.ts';
import { hubApps } from '../index.ts';
import { type Hub, openHub } from '../hub.ts';

/** An Idempotency-Key survives a restart: repeating the request returns the stored answer. */

interface Running {
  readonly hub: Hub;
  close(): Promise<void>;
}

async function start(home: string): Promise<Running> {
  const apps = await loadedApps(home);
  const hub = await openHub({
    home,
    origins: ['http://localhost'],
    logger: createLogger({ level: 'silent' }),
    apps: apps.map(({ app }) => app),
  });
  return {
    hub,
    async close() {
      hub.server.dispose();
      for (const app of apps) await app.close();
      await hub.close();
    },
  };
}

function loadedApps(home: string): Promise<readonly HostedApp[]> {
  return loadApps(home, {}, (what, error) => {
    throw new Error(what, { cause: error });
  });
}

async function headersFor({ accounts }: Hub, name: string): Promise<Record<string, string>> {
  await accounts.ensureOwner({ username: 'owner' });
  const { id } = await accounts.createUser({ username: name, roles: ['user'] });
  const { secret } = await accounts.createToken({ userId: id, name: 'test', scopes: ['write'] });
  return { authorization: `Bearer ${secret}`, 'idempotency-key': 'the-same-key' };
}

const add = (hub: Hub, text: string, headers: Record<string, string>) =>
  ask(hub, '/api/utask/tasks', { method: 'POST', body: { text }, headers });

it('a repetition after a restart gets the old answer, another request with the key is refused, another user is not', async () => {
  const home = temporaryHome();
  const first = await start(home);
  const [mine, theirs] = [await headersFor(first.hub, 'ada'), await headersFor(first.hub, 'bo')];
  const made = await add(first.hub, 'One', mine);
  expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null]);
  const task = await made.text();
  await first.close();

  const second = await start(home);
  const again = await add(second.hub, 'One', mine);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(await again.text()).toBe(task);
  expect(again.headers.get('location')).toBe(made.headers.get('location'));
  const other = await add(second.hub, 'Two', mine);
  expect([other.status, await other.json()]).toMatchObject([409, { code: 'IDEMPOTENCY_KEY_REUSED' }]);
  expect((await add(second.hub, 'One', theirs)).headers.get('idempotency-replayed')).toBeNull();
  const tasks = (await (await ask(second.hub, '/api/utask/tasks', { headers: mine })).json()) as { data: object[] };
  expect(tasks.data).toHaveLength(2);
  await second.close();
});

it('duplicates that come at the same time make one thing', async () => {
  const running = await start(temporaryHome());
  const headers = await headersFor(running.hub, 'ada');
  const all = await Promise.all(Array.from({ length: 10 }, () => add(running.hub, 'One', headers)));
  expect(new Set(await Promise.all(all.map((each) => each.text()))).size).toBe(1);
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 201));
  await running.close();
});

/** Routes whose answers are not stored, because the request or the answer contains a secret. */
const withSecrets = ['POST /api/users/', 'POST /api/account/tokens', 'POST /api/audiobooks/feeds'];

/** Routes that store the key in their own transaction, or for which repeating the request has no further effect. */
const byThemselves = [
  'POST /api/codex/notebooks/{notebook}/files',
  'POST /api/codex/notebooks/{notebook}/files/upload',
  'POST /api/codex/notebooks/{notebook}/attachments',
  'POST /api/codex/notebooks/{notebook}/daily',
];

it('every route that makes something takes a key, unless a secret would be kept', async () => {
  const hub = await openTestHub();
  const apps = await loadedApps(temporaryHome());
  const own = hubApps({
    accounts: hub.accounts,
    databases: hub.databases,
    activity: undefined as never,
    overviews: new Map(),
    folders: undefined as never,
  });
  const creating = [...own, ...apps.map(({ app }) => app)].flatMap(({ basePath, routes }) =>
    routes
      .filter((route) => route.method === 'POST' && Object.keys(route.responses).includes('201'))
      .map((route) => ({
        name: `${route.method} ${basePath}${route.path}`,
        takesKey: (route as { readonly idempotent?: boolean }).idempotent === true,
      })),
  );
  expect(creating.length).toBeGreaterThan(3);
  const without = creating.flatMap(({ name, takesKey }) => (takesKey ? [] : [name]));
  expect(without.toSorted()).toEqual([...withSecrets, ...byThemselves].toSorted());
  for (const app of apps) await app.close();
});
