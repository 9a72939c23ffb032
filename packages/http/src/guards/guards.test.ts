import { describe, expect, it } from 'vitest';

import { asReader, asWriter, ORIGIN, postJson, sampleServer } from '../../test/sample-app.ts';

async function codeOf(response: Response | Promise<Response>): Promise<string> {
  const body = (await (await response).json()) as { code?: string };
  return body.code ?? 'no problem';
}

describe('DNS rebinding: a Host that is not ours is refused before anything else', () => {
  const { server } = sampleServer({ origins: [ORIGIN, 'http://127.0.0.1:4870', 'https://holdfast.example'] });
  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1',
    '127.0.0.1:4871',
    'localhost:80.evil',
    '',
    'localhost@evil',
  ])('Host: %s', async (host) => {
    const response = await server.request('/healthz', { headers: { host } });
    expect(response.status).toBe(421);
    expect(await codeOf(response)).toBe('HOST_NOT_ALLOWED');
  });

  it.each(['localhost', '127.0.0.1:4870', 'HOLDFAST.example'])('Host: %s is ours', async (host) => {
    expect((await server.request('/healthz', { headers: { host } })).status).toBe(200);
  });

  it('an Origin has to be the one of that very Host, not just any of ours', async () => {
    const headers = { host: '127.0.0.1:4870', origin: 'https://holdfast.example' };
    expect((await server.request('/healthz', { headers })).status).toBe(403);
  });
});

describe('CSRF: what another site sends with our cookies is refused', () => {
  const { server } = sampleServer();
  const refused: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['a form of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a browser that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another server on this machine', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }],
    ['only Sec-Fetch-Site tells', { 'sec-fetch-site': 'cross-site' }],
    ['only Origin tells', { origin: 'http://evil.example' }],
    ['TLS of the same name', { origin: 'https://localhost' }],
    ['neither header, but cookies', {}],
  ];
  it.each(refused)('%s', async (_who, headers) => {
    const init = postJson({ title: 'x' }, { cookie: 'session=reader', ...headers });
    const response = await server.request('/api/np/plans', init);
    expect(response.status).toBe(403);
    expect(await codeOf(response)).toBe('CROSS_ORIGIN_REFUSED');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is guarded even where nothing answers it', async (method) => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await codeOf(server.request('/api/np/nowhere', { method, headers }))).toBe('CROSS_ORIGIN_REFUSED');
  });

  it('our own page may', async () => {
    const init = postJson({ title: 'x' }, { ...asReader, 'sec-fetch-site': 'same-origin' });
    expect(await codeOf(server.request('/api/np/plans', init))).toBe('FORBIDDEN');
  });

  it('a program with a token and neither header may', async () => {
    expect((await server.request('/api/np/plans', postJson({ title: 'x' }, asWriter))).status).toBe(201);
  });

  it('a read by a script of another origin is refused, a link from there is not', async () => {
    const byScript = { ...asReader, origin: 'https://evil.example' };
    expect((await server.request('/api/np/plans', { headers: byScript })).status).toBe(403);
    const byLink = { cookie: 'session=reader', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await server.request('/api/np/plans', { headers: byLink })).status).toBe(200);
  });

  it('a stream is guarded like a write: a page of another server on this machine cannot open it', async () => {
    const headers = { cookie: 'session=reader', 'sec-fetch-site': 'same-site' };
    expect(await codeOf(server.request('/api/np/events', { headers }))).toBe('CROSS_ORIGIN_REFUSED');
    expect(server.streams.size).toBe(0);
  });

  it('there is no CORS: nobody else is ever allowed to read', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const response = await server.request('/api/np/hello', { method, headers: { origin: ORIGIN } });
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('credentials in the address', () => {
  it.each(['token=writer', 'access_token=writer', 'API_KEY=x', 'a=1&%74oken=x', 'jwt=1', 'password=hunter2'])(
    '?%s is refused wherever it is sent, with or without a valid one in the headers',
    async (query) => {
      const { server } = sampleServer();
      for (const path of ['/api/np/plans', '/healthz', '/nowhere']) {
        const response = await server.request(`${path}?${query}`, { headers: asWriter });
        expect(response.status).toBe(400);
        expect(await codeOf(response)).toBe('TOKEN_IN_URL');
      }
    },
  );
});

describe('security headers', () => {
  it('are on answers, errors and what does not exist', async () => {
    const { server } = sampleServer();
    for (const path of ['/healthz', '/api/np/plans', '/nowhere', '/openapi.json']) {
      const { headers } = await server.request(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('ask for TLS where the client came over TLS', async () => {
    const { server } = sampleServer({ origins: ['https://holdfast.example'] });
    const response = await server.request('https://holdfast.example/healthz');
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('answers with data are kept by nobody in between', async () => {
    const response = await sampleServer().server.request('/api/np/plans', { headers: asReader });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('origins', () => {
  it.each(['localhost', 'http://x/path', 'http://x/', 'ftp://x', 'http://u:p@x', '*', 'http://*.example'])(
    '%s is not one',
    (origin) => {
      expect(() => sampleServer({ origins: [origin] })).toThrow(/is not an origin/);
    },
  );
});
