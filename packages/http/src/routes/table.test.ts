import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { appOf, planApp, sampleServer } from '../../test/sample-app.ts';
import { type AnyRoute, type App, defineRoute, ok } from './route.ts';
import type { RouteContract } from './contract.ts';
import { routeTable } from './table.ts';

const base = {
  method: 'GET',
  path: '/x',
  permission: 'np:read',
  summary: 'x',
  responses: { 200: z.object({}) },
  handler: () => ok({}),
} as const;

function withRoute(change: Partial<Record<keyof RouteContract, unknown>>): App {
  return appOf({ ...base, ...change } as unknown as AnyRoute);
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'nothing thrown';
}

describe('a server does not start', () => {
  it.each([undefined, '', 'read', 'np:', ':read', 'PUBLIC', 'np: read', null, 42])(
    'with a route whose permission is %j',
    (permission) => {
      expect(codeOf(() => sampleServer({ apps: [withRoute({ permission })] }))).toBe('ROUTE_WITHOUT_PERMISSION');
    },
  );

  it('with a raw handler that names no permission, and says which one', () => {
    const hono = new Hono().get('/open', (c) => c.text('x')).get('/secret', (c) => c.text('y'));
    const apps = [{ ...appOf(), basePath: '/raw', raw: [{ hono, permissions: { 'GET /open': 'public' } as const }] }];
    expect(() => sampleServer({ apps })).toThrow(/GET \/raw\/secret.*declares no permission/);
    expect(codeOf(() => sampleServer({ apps }))).toBe('ROUTE_WITHOUT_PERMISSION');
  });

  it('with raw middleware that names no permission', () => {
    const hono = new Hono().use(async (_c, next) => next()).get('/open', (c) => c.text('x'));
    const apps = [{ ...appOf(), raw: [{ hono, permissions: { 'GET /open': 'public' } as const }] }];
    expect(codeOf(() => sampleServer({ apps }))).toBe('ROUTE_WITHOUT_PERMISSION');
  });

  it.each([
    ['a path without a slash', { path: 'x' }],
    ['a path with a pattern of its own', { path: '/x/:id' }],
    ['several segments in the middle', { path: '/{rest+}/x' }],
    ['a parameter named twice', { path: '/{id}/{id}' }],
    ['parameters other than those of the path', { path: '/{id}', request: { params: z.object({ key: z.string() }) } }],
    ['a credential in the query', { request: { query: z.object({ access_token: z.string() }) } }],
    ['a header with capitals', { request: { headers: z.object({ 'X-Name': z.string() }) } }],
    ['a body on GET', { request: { body: z.object({}) } }],
    ['a JSON body and an upload', { method: 'POST', request: { body: z.object({}), upload: { types: [] } } }],
    ['an idempotency key on PUT', { method: 'PUT', idempotent: true }],
    ['an idempotency key for nobody', { method: 'POST', idempotent: true, permission: 'public' }],
    ['no response', { responses: {} }],
    ['an error as a response', { responses: { 404: z.object({}) } }],
    ['a body where there is none', { responses: { 204: z.object({}) } }],
  ])('with %s', (_what, change) => {
    expect(codeOf(() => routeTable([withRoute(change)]))).toBe('ROUTE_INVALID');
  });

  it('with two routes that no request can tell apart', () => {
    const twins = appOf({ ...base, path: '/{id}' }, { ...base, path: '/{key}' });
    expect(codeOf(() => routeTable([twins]))).toBe('ROUTE_INVALID');
  });

  it('with two operations of the same name', () => {
    const route = { ...base, operationId: 'same' };
    expect(codeOf(() => routeTable([appOf(route, { ...route, path: '/y' })]))).toBe('ROUTE_INVALID');
  });
});

describe('the route table', () => {
  it('lists every route with its permission, those of the server itself included', () => {
    const { server } = sampleServer();
    const listed = server.routes.map(({ method, path, permission }) => `${method} ${path} ${permission}`);
    expect(listed).toContain('GET /metrics system:read');
    expect(listed).toContain('GET /healthz public');
    expect(listed).toContain('DELETE /api/np/plans/{id} np:admin');
    expect(listed).toHaveLength(4 + planApp().routes.length);
  });

  it('gives each operation an id', () => {
    expect(routeTable([planApp()]).map(({ operationId }) => operationId)).toContain('np_get_plans_id');
  });
});

it('a literal path wins over a parameter, in whatever order they are defined', async () => {
  const route = (path: string, name: string): AnyRoute =>
    defineRoute({
      method: 'GET',
      path,
      permission: 'public',
      summary: name,
      responses: { 200: z.string() },
      handler: () => ok(name),
    });
  const { server } = sampleServer({
    apps: [appOf(route('/a/{rest+}', 'rest'), route('/a/{id}', 'id'), route('/a/b', 'b'))],
  });
  const answers = await Promise.all(
    ['/a/b', '/a/c', '/a/c/d'].map(async (path) => (await server.request(path)).json()),
  );
  expect(answers).toEqual(['b', 'id', 'rest']);
});
