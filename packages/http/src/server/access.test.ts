import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';

import {
  ADMIN,
  appOf,
  asAdmin,
  asReader,
  asWriter,
  authenticate,
  planApp,
  READER,
  sampleServer,
  WRITER,
} from '../../test/sample-app.ts';
import type { Authenticate } from '../request/principal.ts';
import { accessMatrix, walk, type WalkingRole } from '../../test/testing/index.ts';

const rawHono = new Hono()
  .use('/guarded/*', async (_c, next) => next())
  .get('/guarded/feed', (c) => c.text('feed'))
  .get('/open', (c) => c.text('open'))
  .get('/broken', () => {
    throw new Error('secret of the raw application');
  });
const raw = {
  ...appOf(),
  name: 'raw',
  basePath: '/raw',
  raw: [
    {
      hono: rawHono,
      permissions: {
        'ALL /guarded/*': 'np:admin',
        'GET /guarded/feed': 'np:read',
        'GET /open': 'public',
        'GET /broken': 'public',
      } as const,
    },
  ],
};

const roles: readonly WalkingRole[] = [
  { name: 'nobody', headers: {}, permissions: undefined },
  { name: 'reader', headers: asReader, permissions: READER.permissions },
  { name: 'writer', headers: asWriter, permissions: WRITER.permissions },
  { name: 'admin', headers: asAdmin, permissions: ADMIN.permissions },
];

describe('every route with every role', () => {
  const { server } = sampleServer();
  it.each(
    accessMatrix(server.routes, roles).map((step) => ({
      name: `${step.entry.method} ${step.entry.path} as ${step.role.name}: ${step.expected}`,
      step,
    })),
  )('$name', async ({ step }) => {
    expect(await walk(server, step)).toBe(step.expected);
  });
});

describe('who may not pass', () => {
  it('is told to authenticate, and how', async () => {
    const response = await sampleServer().server.request('/api/np/plans');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="holdfast"');
    expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED', type: '/errors#UNAUTHENTICATED' });
  });

  it('is told that the token itself is the problem', async () => {
    const headers = { authorization: 'Bearer wrong' };
    const response = await sampleServer().server.request('/api/np/plans', { headers });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="holdfast", error="invalid_token"');
  });

  it('is told which permission is missing', async () => {
    const response = await sampleServer().server.request('/api/np/plans/p1', { method: 'DELETE', headers: asWriter });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'FORBIDDEN', details: { permission: 'np:admin' } });
  });

  it('learns nothing about the body or the thing before', async () => {
    const response = await sampleServer().server.request('/api/np/plans/../plans/p99', { method: 'DELETE', body: '{' });
    expect(response.status).toBe(401);
  });
});

/** See Audiobookshelf's CVE-2025-25205: parts of the URL that do not select the route must not influence the check. */
describe('no way of writing a protected address avoids its check', () => {
  const { server } = sampleServer();
  const variants = [
    '/api/np/plans?r=/healthz',
    '/api/np/plans?/api/np/hello',
    '/api/np/plans#/healthz',
    '/api/np/%70lans',
    '/api/np/%2570lans',
    '/api/np//plans',
    '//api/np/plans',
    '/api/np/plans/',
    '/api/np/plans;/healthz',
    '/api/np/hello/../plans',
    '/api/np/hello/%2e%2e/plans',
    '/api/np/hello/..%2fplans',
    String.raw`/api/np/hello\..\plans`,
    '/API/NP/PLANS',
    '/api/np/plans%00',
    '/api/np/plans%0a',
    '/api/np/plans.json',
    '/api/np/./plans',
  ];
  it.each(variants)('%s', async (path) => {
    const response = await server.request(`http://localhost${path}`);
    expect([401, 404]).toContain(response.status);
  });
});

describe('a raw application', () => {
  const { server } = sampleServer({ apps: [raw, planApp()] });

  it('needs the permissions of every handler that sees the request', async () => {
    const statuses = await Promise.all(
      [{}, asReader, asWriter, asAdmin].map(
        async (headers) => (await server.request('/raw/guarded/feed', { headers })).status,
      ),
    );
    expect(statuses).toEqual([401, 403, 403, 200]);
  });

  it('gets request id and security headers like everything else', async () => {
    const response = await server.request('/raw/open');
    expect(await response.text()).toBe('open');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  it('answers its errors as problems, without telling what went wrong', async () => {
    const response = await server.request('/raw/broken');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret of the raw');
  });

  it('cannot be extended past the check after the server was made', async () => {
    const hono = new Hono().get('/known', (c) => c.text('known'));
    const late = { ...raw, raw: [{ hono, permissions: { 'GET /known': 'public' } as const }] };
    const { server: started } = sampleServer({ apps: [late] });
    hono.get('/smuggled', (c) => c.text('smuggled'));
    expect((await started.request('/raw/smuggled')).status).toBe(404);
  });
});

describe('authentication', () => {
  it('is never shown the address, so it cannot take a token from there', async () => {
    const seen = vi.fn<Authenticate>(authenticate);
    const { server } = sampleServer({ authenticate: seen });
    await server.request('/api/np/plans?limit=3', { headers: asReader });
    expect(seen).toHaveBeenCalledOnce();
    expect(Object.keys(seen.mock.calls[0]?.[0] ?? {})).toEqual(['headers', 'isSecure', 'proxyUser']);
  });

  it('is not asked on public routes unless the handler asks', async () => {
    const seen = vi.fn<Authenticate>(authenticate);
    await sampleServer({ authenticate: seen }).server.request('/api/np/hello', { headers: asReader });
    expect(seen).not.toHaveBeenCalled();
  });
});
