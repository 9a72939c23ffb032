import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { becomeOwner, openBrowser } from '../../../web/test/bare-browser.ts';
import { temporaryHome } from '../../test/hub.ts';
import { behindNginx, fetchSecurely, folderFor, freePort, guidePath } from '../../test/nginx.ts';
import { CLIENT_ID, CLIENT_SECRET, FormBrowser, startOidcServer } from '../../test/oidc-server.ts';
import { command, commandLater, serve, tokenFor } from '../../test/server-process.ts';

const codeIn = (stderr: string) => (JSON.parse(stderr) as { error: { code: string } }).error.code;

describe('sign-in through nginx with the configuration of the guide', () => {
  const SECRET = 'f00dfeedf00dfeedf00dfeed';

  /** Returns the second nginx block in the guide, with this test's files. */
  function location(folder: string): string {
    const [, recipe = ''] = [...readFileSync(guidePath, 'utf8').matchAll(/```nginx\n(.*?)```/gsu)].map(
      ([, text]) => text ?? '',
    );
    const passwords = join(folder, 'htpasswd');
    const hash = execFileSync('openssl', ['passwd', '-apr1', 'of nginx'], { encoding: 'utf8' }).trim();
    writeFileSync(passwords, `ada:${hash}\nbo:${hash}\n`);
    return recipe.replace('/etc/nginx/holdfast.htpasswd', passwords).replace('the content of proxy-secret', SECRET);
  }

  const proxied = async () => {
    const secretFile = (folder: string): string => {
      writeFileSync(join(folder, 'proxy-secret'), `${SECRET}\n`);
      return join(folder, 'proxy-secret');
    };
    const home = temporaryHome();
    return behindNginx({
      home,
      location: location(folderFor(home)),
      serverOptions: (folder) => ['--user-header', 'Remote-User', '--proxy-secret-file', secretFile(folder)],
    });
  };
  const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:of nginx`).toString('base64')}` });
  const userIn = (text: string) => (JSON.parse(text) as { user: { username: string; roles: string[] } | null }).user;

  it('nginx names the user, who gets a session; a header that the client forges is replaced or refused', async () => {
    const { home, url, upstream, ca } = await proxied();
    tokenFor(home);
    command(home, ['user', 'add', 'ada', '--role', 'user'], 'a fine long password\n');
    const state = `${url}/api/auth/state`;
    const signedIn = await fetchSecurely(state, { ca, headers: basic('ada') });
    expect(userIn(signedIn.text)).toBeNull();
    command(home, ['user', 'password', 'owner'], 'another long password\n');
    const known = await fetchSecurely(state, { ca, headers: basic('ada') });
    expect(userIn(known.text)).toMatchObject({ username: 'ada', roles: ['user'] });
    const cookie = known.cookies[0]?.split(';')[0] ?? '';
    expect(cookie).toMatch(/^__Host-holdfast_session=/u);
    const me = (headers: Readonly<Record<string, string>>) =>
      fetchSecurely(`${url}/api/account/me`, { ca, headers: { cookie, ...headers } });
    expect((await me(basic('ada'))).status).toBe(200);
    // A session is invalid when nginx names another user.
    expect((await me(basic('bo'))).status).toBe(401);
    const forged = { ...basic('bo'), 'remote-user': 'owner', 'x-holdfast-proxy-secret': SECRET };
    expect(userIn((await fetchSecurely(state, { ca, headers: forged })).text)).toMatchObject({
      username: 'bo',
      roles: ['viewer'],
    });
    expect((await fetchSecurely(state, { ca, headers: { 'remote-user': 'owner' } })).status).toBe(401);
    const direct = await fetch(`${upstream}/api/auth/state`, { headers: { 'remote-user': 'owner' } });
    expect([direct.status, await direct.json()]).toMatchObject([403, { code: 'PROXY_HEADER_REFUSED' }]);
    expect((await fetch(`${upstream}/`, { headers: { 'remote-user': 'owner' } })).status).toBe(403);
    const events = command(home, ['audit', '--type', 'login_ok', '--json']);
    const found = (JSON.parse(events.stdout) as { data: { username: string; via?: string }[] }).data;
    expect(found.map(({ username, via }) => [username, via])).toEqual([
      ['bo', 'proxy'],
      ['ada', 'proxy'],
    ]);
  });

  it.each([
    ['no trusted proxy', ['--user-header', 'Remote-User']],
    ['no secret', ['--user-header', 'Remote-User', '--trusted-proxy', '127.0.0.1']],
    ['a missing secret file', ['--user-header', 'X', '--trusted-proxy', '::1', '--proxy-secret-file', 'none']],
    ['a header that is none', ['--user-header', 'a b', '--trusted-proxy', '::1']],
  ])('%s is refused at the start', (_, args) => {
    const { code, stderr } = command(temporaryHome(), ['serve', '--json', ...args]);
    expect([code, codeIn(stderr)]).toEqual([2, 'SIGN_IN_CONFIG_INVALID']);
  });
});

describe('sign-in through a real OpenID Connect provider', () => {
  afterEach(() => vi.useRealTimers());

  const users = {
    '1': { preferred_username: 'ada', email: 'ada@example.org', email_verified: true, groups: ['holdfast-admins'] },
    '2': { preferred_username: 'bo@example.org', email: 'bo@example.org', email_verified: false, groups: ['family'] },
    '3': { preferred_username: 'cy', groups: ['strangers'] },
  };
  const roleOptions = ['--oidc-role', 'admin=holdfast-admins', '--oidc-role', 'user=family', '--oidc-scope', 'openid'];
  const withGroups = ['profile', 'email', 'groups'].flatMap((scope) => ['--oidc-scope', scope]);

  /** A server with an OpenID Connect provider, but still without an owner. */
  async function unclaimed(...options: readonly string[]) {
    const home = temporaryHome();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const { issuer } = await startOidcServer({ redirectUris: [`${url}/api/auth/oidc/callback`], users });
    const secret = join(folderFor(home), 'oidc-secret');
    writeFileSync(secret, CLIENT_SECRET);
    const client = ['--oidc-issuer', issuer, '--oidc-client-id', CLIENT_ID, '--oidc-client-secret-file', secret];
    const { setup_url: setupUrl } = await serve(home, '--port', `${port}`, ...client, ...options);
    return { home, url, setupUrl };
  }

  async function started(...options: readonly string[]) {
    const { home, url } = await unclaimed(...options);
    tokenFor(home);
    command(home, ['user', 'password', 'owner'], 'another long password\n');
    return { home, url };
  }

  const meOf = async (browser: FormBrowser, url: string) => {
    const response = await browser.send(`${url}/api/account/me`);
    return response.status === 200 ? ((await response.json()) as { user: object }).user : response.status;
  };
  const refusedIn = (home: string) => {
    const { stdout } = command(home, ['audit', '--type', 'login_failed', '--json']);
    return (JSON.parse(stdout) as { data: { via: string; reason: string; subject?: string }[] }).data;
  };
  const errorOf = (response: Response) =>
    new URL(response.headers.get('location') ?? '', 'http://x').searchParams.get('error');

  it('creates accounts with roles from the claims, and recognises the user again', async () => {
    const { url, home } = await started(...roleOptions, ...withGroups);
    const start = `${url}/api/auth/oidc/start?next=/plans`;
    const ada = new FormBrowser();
    const back = await ada.send(await ada.signIn(start, '1', url));
    expect([back.status, back.headers.get('location')]).toEqual([303, '/plans']);
    expect(await meOf(ada, url)).toMatchObject({ username: 'ada', email: 'ada@example.org', roles: ['admin'] });
    const bo = new FormBrowser();
    await bo.send(await bo.signIn(start, '2', url));
    // The provider has not verified the address, so the account does not get it.
    expect(await meOf(bo, url)).toMatchObject({ username: 'bo', email: null, roles: ['user'] });
    const again = new FormBrowser();
    await again.send(await again.signIn(start, '1', url));
    expect(await meOf(again, url)).toEqual(await meOf(ada, url));
    const stranger = new FormBrowser();
    const refused = await stranger.send(await stranger.signIn(start, '3', url));
    expect([errorOf(refused), await meOf(stranger, url)]).toEqual(['OIDC_NO_ROLE', 401]);
    expect(refusedIn(home)).toMatchObject([{ reason: 'OIDC_NO_ROLE', subject: '3', ip: '127.0.0.1', user_id: null }]);
    const { stdout } = command(home, ['audit', '--type', 'login_ok', '--json']);
    expect((JSON.parse(stdout) as { data: { via?: string }[] }).data.map(({ via }) => via)).toEqual([
      'oidc',
      'oidc',
      'oidc',
    ]);
  });

  it('refuses an answer that this browser did not ask for, a changed state, a used code and a foreign return', async () => {
    const { url, home } = await started();
    const start = `${url}/api/auth/oidc/start`;
    const [ada, eve] = [new FormBrowser(), new FormBrowser()];
    const callback = await ada.signIn(start, '1', url);
    expect(errorOf(await eve.send(callback))).toBe('OIDC_SIGN_IN_FAILED');
    await eve.signIn(start, '2', url);
    // Eve has started a sign-in too, but the provider's answer belongs to Ada's browser.
    expect(errorOf(await eve.send(callback))).toBe('OIDC_SIGN_IN_FAILED');
    const pending = ada.cookie(url, 'holdfast_oidc') ?? '';
    const forged = new FormBrowser();
    forged.setCookie(url, 'holdfast_oidc', `${pending.slice(0, -2)}xx`);
    expect(errorOf(await forged.send(callback))).toBe('OIDC_SIGN_IN_FAILED');
    const changed = new URL(callback);
    changed.searchParams.set('state', 'another');
    const careless = new FormBrowser();
    careless.setCookie(url, 'holdfast_oidc', pending);
    expect(errorOf(await careless.send(changed.href))).toBe('OIDC_SIGN_IN_FAILED');
    expect((await ada.send(callback)).headers.get('location')).toBe('/');
    const replayed = new FormBrowser();
    replayed.setCookie(url, 'holdfast_oidc', pending);
    expect(errorOf(await replayed.send(callback))).toBe('OIDC_SIGN_IN_FAILED');
    // The audit log has the five refusals. They contain no secrets, and no user, because nobody has proven who they
    // are.
    const refusals = refusedIn(home);
    expect(refusals).toHaveLength(5);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ via: 'oidc', reason: 'OIDC_SIGN_IN_FAILED', user_id: null });
      expect(refusal).not.toHaveProperty('subject');
    }
    for (const secret of [...new URL(callback).searchParams.values(), pending]) {
      expect(JSON.stringify(refusals)).not.toContain(secret);
    }
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil']) {
      expect((await ada.send(`${start}?next=${encodeURIComponent(next)}`)).status).toBe(422);
    }
  });

  it('a wrong clock has a code; a provider that is down lets the server start and answers with a code', async () => {
    const { url, home } = await started();
    for (const minutes of [-30, 30, 24 * 60]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
      const browser = new FormBrowser();
      const back = await browser.send(await browser.signIn(`${url}/api/auth/oidc/start`, '1', url));
      expect([minutes, errorOf(back)]).toEqual([minutes, 'OIDC_CLOCK_WRONG']);
      vi.useRealTimers();
    }
    expect(refusedIn(home).map(({ reason }) => reason)).toEqual(Array.from({ length: 3 }, () => 'OIDC_CLOCK_WRONG'));
    const down = ['--oidc-issuer', `http://127.0.0.1:${await freePort()}`, '--oidc-client-id', CLIENT_ID];
    const other = await serve(temporaryHome(), '--port', '0', ...down);
    const response = await new FormBrowser().send(`${other.url}/api/auth/oidc/start`);
    expect(errorOf(response)).toBe('OIDC_UNREACHABLE');
    // The log says why.
    expect(String(await once(other.child.stderr!, 'data'))).toContain('does not answer (ECONNREFUSED)');
  });

  it('a disabled account is refused, and the audit log names it', async () => {
    const { url, home } = await started();
    const start = `${url}/api/auth/oidc/start`;
    const ada = new FormBrowser();
    await ada.send(await ada.signIn(start, '1', url));
    command(home, ['user', 'disable', 'ada']);
    const again = new FormBrowser();
    expect(errorOf(await again.send(await again.signIn(start, '1', url)))).toBe('ACCOUNT_DISABLED');
    expect(refusedIn(home)).toMatchObject([{ reason: 'ACCOUNT_DISABLED', subject: '1', username: 'ada' }]);
    expect(command(home, ['audit', '-n', '1']).stdout).toMatch(/via oidc; ACCOUNT_DISABLED; subject 1/u);
  });

  it.each([
    ['another name of the provider', (issuer: string) => issuer.replace('127.0.0.1', 'localhost'), 'OIDC_ISSUER_WRONG'],
    ['a URL below the issuer', (issuer: string) => `${issuer}/elsewhere`, 'OIDC_ISSUER_WRONG'],
    ['plain HTTP to another machine', () => 'http://id.example', 'SIGN_IN_CONFIG_INVALID'],
    ['text that is no URL', () => 'id.example', 'SIGN_IN_CONFIG_INVALID'],
  ])('as issuer, %s is refused at the start', async (_, wrong, code) => {
    const { issuer } = await startOidcServer({ redirectUris: ['http://127.0.0.1/x'], users });
    const args = ['serve', '--json', '--port', '0', '--oidc-client-id', CLIENT_ID, '--oidc-issuer', wrong(issuer)];
    const ended = await commandLater(temporaryHome(), args);
    expect([ended.code, codeIn(ended.stderr)]).toEqual([2, code]);
  });

  it.each([
    ['no issuer', ['--oidc-client-id', CLIENT_ID]],
    [
      'an unknown role',
      ['--oidc-client-id', CLIENT_ID, '--oidc-issuer', 'https://id.example', '--oidc-role', 'king=x'],
    ],
    [
      'no openid scope',
      ['--oidc-client-id', CLIENT_ID, '--oidc-issuer', 'https://id.example', '--oidc-scope', 'email'],
    ],
  ])('settings with %s are refused at the start', (_, args) => {
    const { code, stderr } = command(temporaryHome(), ['serve', '--json', ...args]);
    expect([code, codeIn(stderr)]).toEqual([2, 'SIGN_IN_CONFIG_INVALID']);
  });

  it('in a browser: an account with a password is linked once, and then opens without the password', async () => {
    const { url, setupUrl } = await unclaimed();
    const browser = await openBrowser();
    try {
      const [owner, other] = [await browser.newPage(), await browser.newPage()];
      const atProvider = async (page: typeof owner): Promise<void> => {
        await page.locator('input[name=login]').fill('1');
        await page.locator('input[name=password]').fill('any');
        await page.locator('button[type=submit]').click();
        await page.getByText('Authorize').first().waitFor();
        await page.locator('button[type=submit]').click();
      };
      const signIn = async (page: typeof owner): Promise<void> => {
        await page.goto(`${url}/tasks`);
        await page.getByRole('link', { name: 'Sign in with OpenID Connect' }).click();
      };
      await becomeOwner(owner, setupUrl);
      await signIn(other);
      await atProvider(other);
      await other.getByRole('alert').getByText('not linked').waitFor();
      await owner.goto(`${url}/account`);
      await owner.getByRole('button', { name: 'Link account' }).click();
      await atProvider(owner);
      await owner.getByRole('button', { name: 'Unlink account' }).waitFor();
      await signIn(other);
      await other.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
      expect(new URL(other.url()).pathname).toBe('/tasks');
      await other.goto(`${url}/audit`);
      await other.getByText('through OpenID Connect').first().waitFor();
      expect(await other.getByText('OpenID Connect linked').count()).toBeGreaterThan(0);
      await other.getByText('through OpenID Connect; IDENTITY_NOT_LINKED; subject 1').waitFor();
      await owner.reload();
      await owner.getByRole('button', { name: 'End all other sessions' }).click();
      await owner.getByText('Ended 1 session').waitFor();
      await other.goto(`${url}/tasks`);
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    } finally {
      await browser.close();
    }
  });
});
