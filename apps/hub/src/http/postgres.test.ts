import { sharedServer, TestServer } from '@holdfast/postgres/test-server';
import { expect, it, onTestFinished } from 'vitest';

import { ask, openTestHub, tokenHeaders } from '../../test/hub.ts';

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Two servers on one PostgreSQL database, as on two machines: each has its own data home. */
async function openPair() {
  const HOLDFAST_STORE = `${(await sharedServer()).address()}?installation=hub-${process.pid}-${Date.now()}`;
  const env = { HOLDFAST_STORE };
  return Promise.all([openTestHub({ env }), openTestHub({ env })]);
}

it('two servers share accounts: a token of one works at the other until it is revoked', async () => {
  const [one, two] = await openPair();
  const headers = await tokenHeaders(one, 'admin');
  expect((await ask(two, '/api/system/databases', { headers })).status).toBe(200);
  const user = (await one.accounts.listUsers({ limit: 9 })).items.find(({ username }) => username.startsWith('admin'));
  await one.accounts.setStatus({ userId: user!.id, status: 'disabled' });
  expect((await ask(two, '/api/system/databases', { headers })).status).toBe(401);
});

it('two servers that start at once share the key of pending sign-ins, so each can finish those of the other', async () => {
  const [one, two] = await openPair();
  const [key, other] = await Promise.all([one.accounts.sealingKey(), two.accounts.sealingKey()]);
  expect(key).toHaveLength(32);
  expect(other).toEqual(key);
});

it('readiness names a missing standby and a missing primary', async () => {
  const primary = await TestServer.start();
  onTestFinished(() => primary.stop());
  const hub = await openTestHub({ env: { HOLDFAST_STORE: primary.address() } });
  const failing = async () => {
    const body = (await (await ask(hub, '/readyz')).json()) as { readonly details?: { readonly failing: string[] } };
    return body.details?.failing ?? [];
  };
  expect(await failing()).toEqual([]);
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.run('SELECT pg_reload_conf()');
  await expect.poll(failing).toEqual(['standby']);
  await primary.stop();
  await expect.poll(failing).toEqual(['accounts', 'standby']);
});

it('the dashboard shows the keys and commits of a database on PostgreSQL, and refuses to back it up as a file', async () => {
  const [hub] = await openPair();
  const headers = await tokenHeaders(hub, 'admin');
  const get = async (path: string) => (await (await ask(hub, path, { headers })).json()) as Listed;
  const { data } = await get('/api/system/databases');
  expect(data.map(({ name, kind, problem }) => [name, kind, problem])).toEqual([
    ['np', 'keyspace', null],
    ['audiobooks', 'keyspace', null],
    ['accounts', 'keyspace', null],
  ]);
  expect((await get('/api/system/databases/accounts/keys')).data.length).toBeGreaterThan(3);
  const commits = (await get('/api/system/databases/accounts/commits')).data;
  expect(commits[0]).toMatchObject({ database: 'accounts', revision: data[2]!['revision'] });
  const post = (path: string, body: unknown) => ask(hub, path, { method: 'POST', headers, body });
  const refused = await post('/api/system/databases/accounts/backups', {});
  expect(await refused.json()).toMatchObject({ code: 'STORE_NOT_A_FILE' });
});
