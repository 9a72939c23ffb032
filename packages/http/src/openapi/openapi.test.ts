import { defineErrors } from '@holdfast/base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { appOf, planApp, sampleServer } from '../../test/sample-app.ts';
import { defineContract, defineRoute } from '../routes/route.ts';
import { undocumented } from '../../test/testing/documented.ts';
import { openApiDocument } from './document.ts';

const info = { title: 'Sample', version: '1.2.3' };
const document = openApiDocument([planApp()], info);

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

describe('the OpenAPI document', () => {
  it('is what the server serves, to everybody', async () => {
    const response = await sampleServer().server.request('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('is the same each time it is made', () => {
    expect(JSON.stringify(openApiDocument([planApp()], info))).toBe(JSON.stringify(document));
  });

  it('describes every route of the table', () => {
    const { server } = sampleServer();
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId, 'x-permission': permission }]) =>
        [method.toUpperCase(), path, permission, operationId].join(' '),
      ),
    );
    const listed = server.routes.map(({ method, path, permission, operationId }) =>
      [method, path.replace('+}', '}'), permission, operationId].join(' '),
    );
    expect(described.sort()).toEqual(listed.sort());
  });

  it('has an answer for every reference in it', () => {
    for (const ref of refsIn(document)) {
      const found = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
      expect(found, ref).toBeDefined();
    }
  });

  it('says for each operation what it takes, gives and may refuse', () => {
    const operation = document.paths['/api/np/plans']?.['post'];
    expect(operation).toMatchObject({
      operationId: 'np_post_plans',
      tags: ['np'],
      security: [{ session: [] }, { token: [] }],
      'x-permission': 'np:write',
      parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['title'], properties: { title: { minLength: 1, maxLength: 100 } } },
          },
        },
      },
      responses: {
        201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Plan' } } } },
        401: { $ref: '#/components/responses/Unauthenticated' },
        403: { $ref: '#/components/responses/Forbidden' },
        default: { $ref: '#/components/responses/Problem' },
      },
    });
    const list = document.paths['/api/np/plans']?.['get'];
    expect(list?.parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['limit', false],
      ['cursor', false],
      ['tag', false],
    ]);
    expect(list?.parameters?.[0]).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, default: 50 } });
    expect(document.paths['/api/np/plans/{id}']?.['get']?.responses['404']).toMatchObject({
      description: '`PLAN_NOT_FOUND`: There is no such plan.',
    });
    expect(document.paths['/api/np/hello']?.['get']?.security).toEqual([]);
    expect(document.paths['/api/np/events']?.['get']?.responses['200']).toMatchObject({
      content: { 'text/event-stream': { schema: { type: 'object', required: ['key'] } } },
    });
  });

  it('leaves answers open to new fields', () => {
    expect(document.components.schemas['Plan']).toEqual({
      type: 'object',
      required: ['id', 'title', 'revision'],
      properties: {
        id: { type: 'string' },
        title: { type: 'string' },
        revision: expect.objectContaining({ type: 'integer' }),
      },
    });
  });
});

it('a schema that is sent in another form than it is received has two names, in whatever order routes come', () => {
  const Task = z.object({ title: z.string(), done: z.boolean().default(false) }).meta({ id: 'Task' });
  const read = defineContract({
    method: 'GET',
    path: '/t',
    permission: 'public',
    summary: 'x',
    responses: { 200: Task },
  });
  const write = defineContract({
    method: 'POST',
    path: '/t',
    permission: 'public',
    summary: 'x',
    request: { body: Task },
    responses: { 200: z.object({}) },
  });
  for (const routes of [
    [read, write],
    [write, read],
  ]) {
    const { components } = openApiDocument([{ ...appOf(), routes }], info);
    expect(components.schemas['Task']).toMatchObject({ required: ['title', 'done'] });
    expect(components.schemas['TaskInput']).toMatchObject({ required: ['title'] });
  }
});

it('a schema that JSON cannot carry is named by its route', () => {
  const route = defineContract({
    method: 'GET',
    path: '/t',
    permission: 'public',
    summary: 'x',
    responses: { 200: z.object({ at: z.date() }) },
  });
  expect(() => openApiDocument([{ ...appOf(), routes: [route] }], info)).toThrow(/GET \/t of test has a schema/);
});

describe('what the document says of refusals and headers', () => {
  const busy = defineErrors({ IT_IS_FULL: { kind: 'unavailable', means: 'No room.', hint: 'Wait.' } });
  const route = defineRoute({
    method: 'GET',
    path: '/things/{id}',
    permission: 'public',
    summary: 'A thing',
    responses: { 200: z.object({}) },
    errors: [busy.IT_IS_FULL],
    acceptsHeaders: ['Range', 'If-None-Match'],
    handler: ({ params }) => {
      if (params.id === 'full') throw busy.IT_IS_FULL('full');
      if (params.id === 'odd') throw new Error('odd');
      return { status: 200, body: {} };
    },
  });
  const app = { ...appOf(route), statuses: { IT_IS_FULL: 429 } };
  const own = openApiDocument([app], info);
  const { server } = sampleServer({ apps: [app] });
  const silence = async (path: string, headers: Record<string, string> = {}): Promise<string | undefined> =>
    undocumented(own, new Request(`http://localhost${path}`, { headers }), await server.request(path, { headers }));

  it('has the statuses of the application, and the headers that a route accepts with their answers', () => {
    const operation = own.paths['/things/{id}']?.['get'];
    expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '304', '416', '422', '429', 'default']);
    expect(operation?.parameters?.map(({ name }) => name)).toEqual(['id', 'Range', 'If-None-Match']);
  });

  it('is compared with real answers by tests', async () => {
    expect(await silence('/things/1')).toBeUndefined();
    expect(await silence('/things/full')).toBeUndefined();
    expect(await silence('/things/1', { 'if-match': '"x"' })).toContain('accepts If-Match');
    expect(await silence('/things/odd')).toContain('500 INTERNAL');
    expect(await silence('/elsewhere')).toBeUndefined();
  });
});
