import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryHome } from '../../test/hub.ts';
import { behindNginx, certificate, fetchSecurely, folderFor, freePort, issuedCertificate } from '../../test/nginx.ts';
import { command, serve, serveWith, tokenFor } from '../../test/server-process.ts';

function configured(home: string, toml: string): string {
  const path = join(folderFor(home), 'holdfast.toml');
  writeFileSync(path, toml);
  return path;
}

it('holdfast.toml configures the server; the environment overrides it, and an option overrides both', async () => {
  const home = temporaryHome();
  const [inFile, inEnvironment, inOption] = [await freePort(), await freePort(), await freePort()];
  const config = configured(home, `port = ${inFile}\nhome = "elsewhere"\n`);
  const env = { HOLDFAST_HOME: '', HOLDFAST_CONFIG: config };
  const fromFile = await serveWith(env, '');
  expect(fromFile.url).toBe(`http://127.0.0.1:${inFile}`);
  expect(readFileSync(join(dirname(config), 'elsewhere', 'accounts.db')).length).toBeGreaterThan(0);
  const fromEnvironment = await serveWith({ HOLDFAST_CONFIG: config, HOLDFAST_PORT: `${inEnvironment}` }, home);
  expect(fromEnvironment.url).toBe(`http://127.0.0.1:${inEnvironment}`);
  fromEnvironment.child.kill('SIGTERM');
  await fromEnvironment.ended;
  const fromOption = await serveWith({ HOLDFAST_PORT: `${inEnvironment}` }, home, '--port', `${inOption}`);
  expect(fromOption.url).toBe(`http://127.0.0.1:${inOption}`);
});

it.each([
  ['an unknown key', 'host = "127.0.0.1"\nprot = 1\n', ':2: unknown key "prot". Did you mean "port"?'],
  ['a value of the wrong type', '\n\nport = "many"\n', ':3: port: '],
  ['text that is not TOML', 'port = = 1\n', ':1: '],
])('%s in holdfast.toml is refused with its line', (_, toml, message) => {
  const home = temporaryHome();
  const { code, stderr } = command(home, ['serve', '--json', '--config', configured(home, toml)]);
  expect(code).toBe(2);
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
  expect([error.code, error.message.includes(`holdfast.toml${message}`)]).toEqual(['SERVER_CONFIG_INVALID', true]);
});

it('an address that is no webhook is refused without repeating it', () => {
  const home = temporaryHome();
  const toml = 'inbox_webhook = "https://ann:secret@example.org/"\n';
  const { code, stderr } = command(home, ['serve', '--json', '--config', configured(home, toml)]);
  expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'SERVER_CONFIG_INVALID' } }]);
  expect(stderr).not.toContain('secret');
});

it('a configuration file that is named must exist', () => {
  const { code, stderr } = command(temporaryHome(), ['serve', '--json', '--config', 'none.toml']);
  expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'SERVER_CONFIG_INVALID' } }]);
});

describe('TLS', () => {
  it('serves with a certificate and its key', async () => {
    const home = temporaryHome();
    const { cert, key } = certificate(folderFor(home), 'own');
    const { url } = await serve(home, '--port', '0', '--tls-cert', cert, '--tls-key', key);
    expect(url).toMatch(/^https:/);
    expect((await fetchSecurely(`${url}/healthz`, { ca: cert })).status).toBe(200);
  });

  it('a missing file, a file that is not PEM and a key of another certificate are refused', () => {
    const home = temporaryHome();
    const folder = folderFor(home);
    const { cert, key } = certificate(folder, 'own');
    const other = certificate(folder, 'other');
    const text = join(folder, 'text');
    writeFileSync(text, 'not a certificate');
    const codes = [
      [join(folder, 'none.pem'), key],
      [text, key],
      [cert, other.key],
    ].map(([certFile = '', keyFile = '']) => {
      const { code, stderr } = command(home, ['serve', '--json', '--tls-cert', certFile, '--tls-key', keyFile]);
      return [code, (JSON.parse(stderr) as { error: { code: string } }).error.code];
    });
    expect(codes).toEqual(codes.map(() => [2, 'TLS_FILE_INVALID']));
  });
});

describe('for phones in the local network', () => {
  it('serves at the address that the certificate covers, to devices that trust its root certificate', async () => {
    const home = temporaryHome();
    const { cert, key, root } = issuedCertificate(folderFor(home), 'IP:127.0.0.1');
    const { url } = await serve(
      home,
      '--lan',
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--tls-cert',
      cert,
      '--tls-key',
      key,
    );
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
    expect((await fetchSecurely(`${url}/healthz`, { ca: root })).status).toBe(200);
  });

  it('serves at the name in the certificate if it does not cover the address, and prints a QR code', async () => {
    const home = temporaryHome();
    const { cert, key, root } = issuedCertificate(folderFor(home), 'DNS:localhost');
    const options = ['--lan', '--host', '127.0.0.1', '--port', '0', '--tls-cert', cert, '--tls-key', key];
    const { url } = await serve(home, ...options);
    expect(url).toMatch(/^https:\/\/localhost:\d+$/u);
    expect((await fetchSecurely(`${url}/api/auth/state`, { ca: root })).status).toBe(200);
  });

  it('without a certificate is refused with the command that creates one', () => {
    const { code, stderr } = command(temporaryHome(), ['serve', '--lan', '--host', '127.0.0.1', '--json']);
    const { error } = JSON.parse(stderr) as { error: { code: string; hint: string } };
    expect([code, error.code, error.hint]).toEqual([2, 'LISTEN_UNPROTECTED', expect.stringContaining('mkcert')]);
  });
});

describe('behind nginx with the configuration of the guide', () => {
  it('a browser signs in over TLS with a secure cookie, and the session has the address that nginx saw', async () => {
    const { home, url, ca } = await behindNginx();
    tokenFor(home);
    command(home, ['user', 'add', 'ada'], 'a fine long password\n');
    const body = { name: 'ada', password: 'a fine long password' };
    const headers = { origin: url, 'x-forwarded-for': '203.0.113.9' };
    const signedIn = await fetchSecurely(`${url}/api/auth/login`, { ca, method: 'POST', body, headers });
    expect([signedIn.status, signedIn.cookies[0]]).toEqual([200, expect.stringMatching(/Secure/u)]);
    const cookie = signedIn.cookies[0]?.split(';')[0] ?? '';
    const sessions = await fetchSecurely(`${url}/api/account/sessions`, { ca, headers: { cookie } });
    expect([sessions.text.includes('127.0.0.1'), sessions.text.includes('203.0.113.9')]).toEqual([true, false]);
  });

  it('a change reaches an open event stream at once, and an upload larger than the default of nginx arrives', async () => {
    const { home, url, ca } = await behindNginx();
    const authorization = `Bearer ${tokenFor(home)}`;
    const changed = new Promise<string>((done, fail) => {
      const stream = request(`${url}/api/utask/events`, { ca: readFileSync(ca), headers: { authorization } });
      stream.on('error', fail);
      stream.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!text.includes('Through the proxy')) return;
          stream.destroy();
          done(text);
        });
      });
      stream.end();
    });
    const body = { text: 'Through the proxy' };
    const headers = { authorization };
    expect((await fetchSecurely(`${url}/api/utask/tasks`, { ca, method: 'POST', body, headers })).status).toBe(201);
    expect(await changed).toContain('Through the proxy');
    const notebooks = `${url}/api/codex/notebooks`;
    const made = await fetchSecurely(notebooks, { ca, method: 'POST', body: { name: 'notes' }, headers });
    const { id } = JSON.parse(made.text) as { id: string };
    const large = { path: 'large.md', content: 'x'.repeat(3 * 1024 * 1024) };
    const upload = await fetchSecurely(`${notebooks}/${id}/files`, { ca, method: 'POST', body: large, headers });
    expect(upload.status).toBe(202);
  });
});
