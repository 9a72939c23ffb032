import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';
import { expect, it } from 'vitest';

import { temporaryHome } from '../../test/hub.ts';
import { command, get, serve, serveWith, tokenFor } from '../../test/server-process.ts';

const createToken = (url: string, token: string, name: string) =>
  fetch(`${url}/api/account/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, scopes: ['read'] }),
  });

it('serves on loopback, tells where as its first line, and stops when asked', async () => {
  const { url, setup_url, child, ended } = await serve(temporaryHome(), '--port', '0');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(setup_url).toMatch(/\/setup#hfo_/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

it('refuses to listen beyond loopback in the clear', () => {
  const { code, stderr } = command(temporaryHome(), ['serve', '--host', '0.0.0.0', '--port', '0', '--json']);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/TLS|proxy/);
});

it('tokens work with and without a running server, and make the owner if there is none', async () => {
  const home = temporaryHome();
  const before = tokenFor(home);
  const { url } = await serve(home, '--port', '0');
  const during = tokenFor(home);
  for (const token of [before, during]) expect((await get(`${url}/api/account/me`, token)).status).toBe(200);
  const { stdout } = command(home, ['token', 'list', '--json']);
  const [first] = (JSON.parse(stdout) as { data: { id: string }[] }).data;
  command(home, ['token', 'revoke', first?.id ?? '']);
  const statuses = await Promise.all(
    [before, during].map(async (token) => (await get(`${url}/api/account/me`, token)).status),
  );
  expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 401]);
});

it('users are added, listed, disabled and given passwords from the command line', () => {
  const home = temporaryHome();
  tokenFor(home);
  expect(command(home, ['user', 'add', 'ada', '--role', 'viewer'], 'a fine long password\n').code).toBe(0);
  expect(command(home, ['user', 'add', 'ada'], 'a fine long password\n').code).toBe(4);
  expect(command(home, ['user', 'add', 'bob'], 'short\n').code).toBe(2);
  expect(command(home, ['user', 'disable', 'ada']).stdout).toContain('disabled');
  expect(command(home, ['user', 'password', 'nobody'], 'a fine long password\n').code).toBe(3);
  expect(command(home, ['user', 'list']).stdout).toMatch(/ada\s+viewer\s+disabled/);
  const events = command(home, ['audit', '--user', 'ada', '--json']);
  expect((JSON.parse(events.stdout) as { data: { type: string }[] }).data.map(({ type }) => type)).toEqual([
    'user_disabled',
    'user_created',
  ]);
  expect(command(home, ['audit', '--type', 'user_disabled']).stdout).toMatch(/user_disabled\s+cli\s+ada/);
  expect(command(home, ['audit', '--since', 'yesterday']).code).toBe(2);
});

it('survives kill -9 in the middle of requests: what was answered is there after the restart', async () => {
  const home = temporaryHome();
  const token = tokenFor(home);
  const first = await serve(home, '--port', '0');
  const answered: string[] = [];
  const writing = (async () => {
    for (let index = 0; ; index++) {
      const response = await createToken(first.url, token, `token ${index}`);
      if (response.status === 201) answered.push(`token ${index}`);
    }
  })().catch(() => undefined);
  while (answered.length < 20) await new Promise((wake) => setTimeout(wake, 5));
  first.child.kill('SIGKILL');
  await writing;
  const second = await serve(home, '--port', '0');
  const found = (await (await get(`${second.url}/api/account/tokens`, token)).json()) as { data: { name: string }[] };
  const names = new Set(found.data.map(({ name }) => name));
  expect(answered.filter((name) => !names.has(name))).toEqual([]);
});

it('the log holds no token, cookie, password or address, however much is logged and whatever goes wrong', async () => {
  const home = temporaryHome();
  const token = tokenFor(home);
  const password = 'a fine long password';
  command(home, ['user', 'add', 'ada'], `${password}\n`);
  const { url, child, ended } = await serve(home, '--port', '0', '--log', 'debug');
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  const signIn = (typed: string) =>
    fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ name: 'ada', password: typed }),
    });
  const cookie = (await signIn(password)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(cookie).toMatch(/^holdfast_session=./);
  await signIn('a wrong password of mine');
  await fetch(`${url}/api/account/me`, { headers: { cookie } });
  await fetch(`${url}/api/account/me?token=${token}`);
  await fetch(`${url}/no/such/place-${token}`);
  await get(`${url}/api/account/me`, token);
  await get(`${url}/api/account/me`, `${token}x`);
  child.kill('SIGTERM');
  await ended;
  expect(log.split('\n').filter((line) => line.includes('"request"')).length).toBeGreaterThanOrEqual(7);
  const secrets = [token, cookie.split('=')[1] ?? '', password, 'a wrong password of mine', 'place-'];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

const addOnce = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/api/utask/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k-1' },
    body: JSON.stringify({ text: 'Only once' }),
  });

it('an Idempotency-Key survives kill -9: the repetition gets the first answer and makes nothing', async () => {
  const home = temporaryHome();
  const token = tokenFor(home);
  const first = await serve(home, '--port', '0');
  const made = await (await addOnce(first.url, token)).text();
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await serve(home, '--port', '0');
  const again = await addOnce(second.url, token);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(await again.text()).toBe(made);
  const tasks = (await (await get(`${second.url}/api/utask/tasks`, token)).json()) as { data: object[] };
  expect(tasks.data).toHaveLength(1);
});

it('killed after the work and before its answer was kept, a repetition does the work and is then kept', async () => {
  const home = temporaryHome();
  const token = tokenFor(home);
  const first = await serveWith({ HOLDFAST_FAILPOINT: 'http.idempotency.done:1' }, home, '--port', '0');
  await expect(addOnce(first.url, token)).rejects.toThrow('fetch failed');
  await first.ended;
  const second = await serve(home, '--port', '0');
  const replayed = [await addOnce(second.url, token), await addOnce(second.url, token)].map(({ status, headers }) => [
    status,
    headers.get('idempotency-replayed'),
  ]);
  expect(replayed).toEqual([
    [201, null],
    [201, 'true'],
  ]);
});

it('a locked database is a 503 that says so, reads go on, and it recovers by itself', async () => {
  const home = temporaryHome();
  const token = tokenFor(home);
  const { url } = await serve(home, '--port', '0');
  const intruder = new Connection(join(home, 'accounts.db'));
  intruder.exec('BEGIN IMMEDIATE');
  const put = () => createToken(url, token, 'second');
  const [refused, read] = await Promise.all([put(), get(`${url}/api/account/me`, token)]);
  expect(read.status).toBe(200);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'STORE_BUSY', hint: expect.any(String) as string });
  intruder.exec('ROLLBACK');
  intruder.close();
  expect((await put()).status).toBe(201);
});
