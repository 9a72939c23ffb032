import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { RawClient } from '../../test/raw-client.ts';
import { planApp, sampleServer } from '../../test/sample-app.ts';
import { listen, type Listening } from '../server/listen.ts';
import type { Server } from '../server/server.ts';
import { loadSite } from './site.ts';

const INDEX = '<!doctype html><title>Holdfast</title><script type="module" src="/assets/app-DiwrgTda.js"></script>';
const SCRIPT = 'console.log("hello");'.repeat(50);
const SECRET = 'the secret outside of the site';

let folder: string;
let site: string;
let server: Server;
let listening: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
  site = join(folder, 'site');
  await mkdir(join(site, 'assets'), { recursive: true });
  await mkdir(join(site, '.git'));
  await writeFile(join(folder, 'secret.txt'), SECRET);
  await writeFile(join(site, 'index.html'), INDEX);
  await writeFile(join(site, 'assets', 'app-DiwrgTda.js'), SCRIPT);
  await writeFile(join(site, 'assets', 'app-DiwrgTda.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(site, 'assets', 'app-DiwrgTda.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(site, 'frame.html'), '<!doctype html><title>Frame</title>');
  await writeFile(join(site, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(site, 'a name with ümlaut.txt'), 'umlaut');
  await writeFile(join(site, '.env'), SECRET);
  await writeFile(join(site, '.git', 'config'), SECRET);
  await symlink(join(folder, 'secret.txt'), join(site, 'link.txt'));
  await symlink(folder, join(site, 'up'));
  const loaded = await loadSite({ folder: site, pages: ['/', '/plans', '/plans/{id}', '/keys/{rest+}'] });
  ({ server } = sampleServer({ apps: [planApp()], site: loaded }));
  listening = await listen(server, { port: 0 });
});
afterAll(async () => {
  await listening.close(100);
  await rm(folder, { recursive: true });
});

describe('a file of the site', () => {
  it('with a hash in its name is kept for ever', async () => {
    const response = await server.request('/assets/app-DiwrgTda.js');
    expect(await response.text()).toBe(SCRIPT);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('vary')).toBe('accept-encoding');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['', null],
  ])('to a client that accepts "%s" comes as %s', async (accepted, expected) => {
    const response = await server.request('/assets/app-DiwrgTda.js', { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(expected);
    if (expected === 'br') expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toBe(SCRIPT);
  });

  it('that the client has is not sent again', async () => {
    const etag = (await server.request('/logo.svg')).headers.get('etag') ?? '';
    const again = await server.request('/logo.svg', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('with a name that has to be escaped is found', async () => {
    expect(await (await server.request('/a%20name%20with%20%C3%BCmlaut.txt')).text()).toBe('umlaut');
  });

  it('that could hold scripts may not run them', async () => {
    const response = await server.request('/logo.svg');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('has no compressed forms under names of their own', async () => {
    expect((await server.request('/assets/app-DiwrgTda.js.br')).status).toBe(404);
  });
});

describe('a page', () => {
  it.each(['/', '/plans', '/plans/p1', '/keys/s/1/task/2', '/plans?filter=x'])(
    '%s is the index, asked for each time',
    async (path) => {
      const response = await server.request(path);
      expect(await response.text()).toBe(INDEX);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it('may embed another document, which has inline styles, but loads only scripts from here', async () => {
    expect((await server.request('/')).headers.get('content-security-policy')).toContain("frame-src 'self'");
    const { headers } = await server.request('/frame.html');
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    const fetches = policy.filter((rule) => rule.includes('-src '));
    expect(fetches).toEqual(["default-src 'none'", "script-src 'self'", "style-src 'unsafe-inline'"]);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('may load only what comes from here, and be framed by nobody', async () => {
    const { headers } = await server.request('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it.each([
    '/plan',
    '/plans/p1/x',
    '/keys',
    '/index.html',
    '/assets/',
    '/assets/missing.js',
    '/api/np/nowhere',
    '/Plans',
  ])('%s is none', async (path) => {
    const response = await server.request(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('says itself that there is none to somebody who came by an address, and not below /api', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const mistyped = await server.request('/plan', { headers });
    expect([mistyped.status, mistyped.headers.get('content-type'), await mistyped.text()]).toEqual([
      404,
      'text/html; charset=utf-8',
      INDEX,
    ]);
    expect((await server.request('/api/np/nowhere', { headers })).headers.get('content-type')).toContain('problem');
  });

  it('takes no other method', async () => {
    expect((await server.request('/plans', { method: 'POST' })).status).toBe(404);
    expect(await (await server.request('/plans', { method: 'HEAD' })).text()).toBe('');
  });
});

describe('traversal: never a byte that is not part of the site', () => {
  const ups = [
    '..',
    '%2e%2e',
    '%2E%2e',
    '.%2e',
    '%252e%252e',
    '..%00',
    '..;',
    '....',
    '%c0%ae%c0%ae',
    '．．',
    '..\\',
    '%uff0e%uff0e',
  ];
  const separators = ['/', '%2f', '%5c', '\\', '%252f', '//', '/./', '%c0%af', '∕'];
  const targets = ['secret.txt', 'site/../secret.txt', 'site/.env', '.env', 'etc/passwd', 'link.txt', 'up/secret.txt'];
  const starts = ['/', '/assets/', '/plans/', '/keys/', '/assets/app-DiwrgTda.js/', '//', '/site/'];
  const corpus = starts.flatMap((start) =>
    ups.flatMap((up) =>
      separators.flatMap((separator) =>
        targets.flatMap((target) => [1, 3].map((times) => start + (up + separator).repeat(times) + target)),
      ),
    ),
  );
  const named = [
    '/link.txt',
    '/up/secret.txt',
    '/up/site/index.html',
    '/.env',
    '/.git/config',
    '/%2eenv',
    '/assets/../.env',
  ];

  it(`${corpus.length + named.length} addresses asked of the server`, async () => {
    for (const path of [...corpus, ...named]) {
      if (!URL.canParse(`http://localhost${path}`)) continue;
      const response = await server.request(`http://localhost${path}`);
      const text = await response.text();
      expect(text, path).not.toContain(SECRET);
      expect(text, path).not.toContain('root:');
      if (response.status === 200) expect([INDEX, SCRIPT], path).toContain(text);
    }
  });

  it('the worst of them, unchanged, over a socket', async () => {
    const raw = [
      ...named,
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..\\..\\secret.txt',
      '/\\..\\secret.txt',
      '//../secret.txt',
      '../secret.txt',
      `http://127.0.0.1:${listening.port}/../secret.txt`,
    ];
    for (const target of raw) {
      const client = new RawClient(listening.port);
      client.send(`GET ${target} HTTP/1.1\nHost: 127.0.0.1:${listening.port}\nConnection: close\n\n`);
      await client.closed();
      expect(client.received, target).toMatch(/^HTTP\/1.1 (?:400|404) /);
      expect(client.received, target).not.toContain(SECRET);
    }
  });

  it('a file that appears afterwards is not served', async () => {
    await writeFile(join(site, 'late.txt'), 'late');
    expect((await server.request('/late.txt')).status).toBe(404);
  });
});

describe('the table lists the site', () => {
  it('as public pages and files, without what is hidden', () => {
    const listed = server.routes.filter(({ app }) => app === 'site').map(({ path, kind }) => `${kind} ${path}`);
    expect(listed.sort()).toEqual([
      'file /a%20name%20with%20%C3%BCmlaut.txt',
      'file /assets/app-DiwrgTda.js',
      'file /frame.html',
      'file /logo.svg',
      'page /',
      'page /keys/{rest+}',
      'page /plans',
      'page /plans/{id}',
    ]);
  });
});

it('a folder that is not a site is refused', async () => {
  await expect(loadSite({ folder: join(folder, 'missing'), pages: [] })).rejects.toMatchObject({
    code: 'SITE_INVALID',
  });
  await expect(loadSite({ folder: join(site, 'assets'), pages: [] })).rejects.toThrow(/no index\.html/);
  await expect(loadSite({ folder: site, pages: ['plans'] })).rejects.toMatchObject({ code: 'SITE_INVALID' });
});
