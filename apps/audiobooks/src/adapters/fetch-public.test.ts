import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provideLocally, type ProviderServer } from '../../test/provider-server.ts';
import { fetchPublic, isPublicAddress, type Network } from './fetch-public.ts';

const LIMIT = 1_000;
const hosts = ['openlibrary.org', 'archive.org', '*.us.archive.org'];

const redirect = (to: string) => (_request: unknown, response: ServerResponse) =>
  void response.writeHead(302, { location: to }).end();
const body =
  (bytes: Uint8Array, headers = {}) =>
  (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, headers).end(bytes);

let server: ProviderServer;
beforeAll(async () => {
  server = await provideLocally(
    new Map([
      ['openlibrary.org/plain', body(Buffer.from('hello'))],
      ['openlibrary.org/zipped', body(gzipSync('hello'), { 'content-encoding': 'gzip' })],
      ['openlibrary.org/bomb', body(gzipSync(Buffer.alloc(10_000_000)).subarray(0), { 'content-encoding': 'gzip' })],
      ['openlibrary.org/small-bomb', body(gzipSync(Buffer.alloc(LIMIT * 50)), { 'content-encoding': 'gzip' })],
      ['openlibrary.org/brotli', body(Buffer.from('x'), { 'content-encoding': 'br' })],
      ['openlibrary.org/large', body(Buffer.alloc(LIMIT + 1))],
      ['openlibrary.org/moved', redirect('https://ia8.us.archive.org/there')],
      ['ia8.us.archive.org/there', body(Buffer.from('moved'))],
      ['openlibrary.org/elsewhere', redirect('https://evil.example/')],
      ['openlibrary.org/unsafe', redirect('http://openlibrary.org/plain')],
      ['openlibrary.org/by-address', redirect('https://127.0.0.1/')],
      ['openlibrary.org/port', redirect('https://openlibrary.org:8443/plain')],
      ['openlibrary.org/loop', redirect('/loop')],
      ['openlibrary.org/busy', (_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end()],
      ['openlibrary.org/silent', () => undefined],
    ]),
  );
});
afterAll(() => server.close());

const read = (path: string, changes: Partial<Network> = {}, timeoutMs = 10_000) =>
  fetchPublic(
    { url: `https://openlibrary.org/${path}`, hosts, limitBytes: LIMIT, signal: AbortSignal.timeout(timeoutMs) },
    { ...server.network, ...changes },
  );
const text = async (path: string) => Buffer.from((await read(path)) ?? []).toString();

describe('a request to a provider', () => {
  it('returns the body, decompressed, also after a redirect to an allowed host', async () => {
    expect(await text('plain')).toBe('hello');
    expect(await text('zipped')).toBe('hello');
    expect(await text('moved')).toBe('moved');
    expect(await read('missing')).toBeUndefined();
  });

  it.each(['elsewhere', 'unsafe', 'by-address', 'port', 'loop'])('does not follow the redirect %s', async (path) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
  });

  it.each(['large', 'bomb', 'small-bomb', 'brotli'])('refuses the body %s', async (path) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
  });

  it('asks no other host and no other protocol', async () => {
    for (const url of [
      'https://evil.example/',
      'http://openlibrary.org/',
      'https://us.archive.org.evil.example/',
      'x',
    ]) {
      const signal = AbortSignal.timeout(5_000);
      await expect(fetchPublic({ url, hosts, limitBytes: LIMIT, signal }, server.network)).rejects.toMatchObject({
        code: 'PROVIDER_INVALID',
      });
    }
  });

  it('connects to no private address, even if only one of several is private', async () => {
    const before = server.asked.length;
    const lookup = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await expect(read('plain', { lookup, isAllowed: isPublicAddress })).rejects.toMatchObject({
      code: 'PROVIDER_INVALID',
      message: 'openlibrary.org has an address that is not public.',
    });
    expect(server.asked.length).toBe(before);
  });

  it('reports a busy, a silent and an unreachable provider', async () => {
    await expect(read('busy')).rejects.toMatchObject({ details: { status: 429, retry_after_seconds: 7 } });
    await expect(read('silent', {}, 200)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: 'openlibrary.org did not answer in time.',
    });
    await expect(read('plain', { port: 1 })).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  });
});

describe('a public address', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:1.1.1.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
