import { beforeEach, describe, expect, it } from 'vitest';

import { ask, cookieOf, openTestHub, PASSWORD } from '../../test/hub.ts';
import type { Hub } from '../hub.ts';

let hub: Hub;
beforeEach(async () => {
  // The clock stands still, so a slow request cannot outlast the delay after a wrong password.
  hub = await openTestHub({ clock: () => Date.UTC(2026, 0, 1) });
});

async function setUp(username = 'ada'): Promise<Response> {
  const { secret } = await hub.accounts.createSetupLink();
  return ask(hub, '/api/auth/setup', { method: 'POST', body: { secret, username, password: PASSWORD } });
}

const logIn = (name: string, password: string, headers: Record<string, string> = {}) =>
  ask(hub, '/api/auth/login', { method: 'POST', body: { name, password }, headers });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('the first start', () => {
  it('makes the owner by the one-time link, who is then signed in', async () => {
    expect(await (await ask(hub, '/api/auth/state')).json()).toEqual({
      needs_setup: true,
      user: null,
      has_oidc: false,
    });
    const response = await setUp();
    expect(response.status).toBe(200);
    const cookie = cookieOf(response) ?? '';
    const state = (await (await ask(hub, '/api/auth/state', { headers: { cookie } })).json()) as {
      user: { roles: string[] };
    };
    expect(state).toMatchObject({ needs_setup: false, user: { username: 'ada', roles: ['admin'] } });
  });

  it('uses a link once, and only the right one', async () => {
    const { secret } = await hub.accounts.createSetupLink();
    const redeem = (given: string) =>
      ask(hub, '/api/auth/setup', { method: 'POST', body: { secret: given, username: 'eve', password: PASSWORD } });
    const other = `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
    expect((await redeem(other)).status).toBeGreaterThanOrEqual(400);
    const both = await Promise.all([redeem(secret), redeem(secret)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('signing in', () => {
  beforeEach(async () => {
    await setUp();
  });

  it('answers an unknown user and a wrong password in the same words', async () => {
    const [unknown, wrong] = await Promise.all([logIn('nobody', PASSWORD), logIn('ada', 'wrong password here')]);
    expect([unknown.status, wrong.status]).toEqual([401, 401]);
    const [left, right] = (await Promise.all([unknown.json(), wrong.json()])) as { request_id: string }[];
    expect({ ...left, request_id: '' }).toEqual({ ...right, request_id: '' });
  });

  it('never keeps the session that a browser brought along (fixation)', async () => {
    const first = cookieOf(await logIn('ada', PASSWORD)) ?? '';
    const second = cookieOf(await logIn('ada', PASSWORD, { cookie: first })) ?? '';
    expect(second).not.toBe(first);
    const planted = 'holdfast_session=hfs_planted-by-somebody-else';
    expect(cookieOf(await logIn('ada', PASSWORD, { cookie: planted }))).not.toContain('planted');
    expect((await ask(hub, '/api/account/me', { headers: { cookie: planted } })).status).toBe(401);
  });

  it('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const cookie = (await logIn('ada', PASSWORD)).headers.getSetCookie()[0];
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\//);
  });

  it('slows down guessing, and lets a browser in that has known the password', async () => {
    const good = await logIn('ada', PASSWORD);
    const device = cookieOf(good, 'holdfast_device') ?? '';
    const codes: string[] = [];
    for (let guess = 0; guess < 15; guess++) codes.push(await codeOf(await logIn('ada', `guess number ${guess}`)));
    expect(new Set(codes.slice(-3)).size).toBe(1);
    expect(codes.at(-1)).not.toBe(codes[0]);
    const refused = await logIn('ada', PASSWORD);
    expect(refused.status).toBe(429);
    const { details } = (await refused.json()) as { details: { retry_after_ms: number } };
    expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(details.retry_after_ms / 1_000)));
    expect((await logIn('ada', PASSWORD, { cookie: device })).status).toBe(200);
  });

  it('ends: a signed-out session is worth nothing, nor is that of a disabled user', async () => {
    const cookie = cookieOf(await logIn('ada', PASSWORD)) ?? '';
    const me = () => ask(hub, '/api/account/me', { headers: { cookie } });
    expect((await me()).status).toBe(200);
    await ask(hub, '/api/auth/logout', { method: 'POST', headers: { cookie } });
    expect((await me()).status).toBe(401);
    const eve = await hub.accounts.createUser({ username: 'eve', password: PASSWORD, roles: ['user'] });
    const hers = cookieOf(await logIn('eve', PASSWORD)) ?? '';
    await hub.accounts.setStatus({ userId: eve.id, status: 'disabled' });
    expect((await ask(hub, '/api/account/me', { headers: { cookie: hers } })).status).toBe(401);
  });

  it('does not happen by a token in the address, or from another site', async () => {
    const cookie = cookieOf(await logIn('ada', PASSWORD)) ?? '';
    const { id } = await hub.accounts.findUser('ada');
    const { secret } = await hub.accounts.createToken({ userId: id, name: 'x', scopes: ['admin'] });
    expect((await ask(hub, `/api/account/me?token=${secret}&access_token=${secret}`)).status).toBe(400);
    const foreign = await hub.server.request('http://localhost/api/auth/logout', {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example', 'content-type': 'application/json' },
    });
    expect(foreign.status).toBe(403);
    const rebound = await hub.server.request('http://evil.example/api/account/me', {
      headers: { cookie, host: 'evil.example' },
    });
    expect(rebound.status).toBeGreaterThanOrEqual(400);
  });
});

describe('my account', () => {
  it('changes its password, lists and ends sessions, makes and ends tokens', async () => {
    const cookie = cookieOf(await setUp()) ?? '';
    const headers = { cookie };
    const change = (current: string) =>
      ask(hub, '/api/account/password', { method: 'POST', headers, body: { current, next: 'another good password' } });
    expect((await change('not my password')).status).toBe(401);
    const changed = await change(PASSWORD);
    expect(changed.status).toBe(204);
    const now = { cookie: cookieOf(changed) ?? '' };
    const sessions = (await (await ask(hub, '/api/account/sessions', { headers: now })).json()) as { data: object[] };
    expect(sessions.data).toHaveLength(1);
    expect(sessions.data[0]).toMatchObject({ is_current: true });
    const made = await ask(hub, '/api/account/tokens', {
      method: 'POST',
      headers: now,
      body: { name: 'ci', scopes: ['read'] },
    });
    expect(made.status).toBe(201);
    const { secret, id } = (await made.json()) as { secret: string; id: string };
    const asToken = { headers: { authorization: `Bearer ${secret}` } };
    expect((await ask(hub, '/api/account/me', asToken)).status).toBe(200);
    expect((await ask(hub, `/api/account/tokens/${id}`, { method: 'DELETE', headers: now })).status).toBe(204);
    expect((await ask(hub, '/api/account/me', asToken)).status).toBe(401);
  });
});
