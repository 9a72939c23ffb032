import {
  flag,
  integer,
  nullable,
  object,
  operationsOf,
  optional,
  optionalList,
  pageFields,
  pageOf,
  text,
} from '@holdfast/operation';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { createClient } from '../client/index.ts';
import { openApiDocument } from '../openapi/document.ts';
import { defineApp } from '../routes/route.ts';
import { createServer } from '../server/server.ts';
import { routesFor } from './bind-route.ts';

type Calls = unknown[];
const defineOperation = operationsOf<Calls>();
const item = object({ id: text(), parent: nullable(text()) }, { id: 'Item' });

const add = defineOperation({
  name: 'item.add',
  summary: 'Add an item',
  permission: 'app:test:write',
  input: { box: text('Box'), title: text('Title', { max: 5 }), count: optional(integer('Count')), by: text('Author') },
  output: item,
  run: async () => (calls, input, caller) => {
    calls.push({ ...input, caller: caller.name, via: caller.via });
    return { id: 'i1', parent: null, secret: 1 };
  },
});

const list = defineOperation({
  name: 'item.list',
  summary: 'List items',
  permission: 'app:test:read',
  input: { ...pageFields, tags: optionalList(text('Tag')), all: flag('Archived ones too'), number: integer('Number') },
  output: pageOf(item),
  run: async () => (calls, input) => {
    calls.push(input);
    return { data: [{ id: 'i1', parent: null }], next_cursor: null };
  },
});

const remove = defineOperation({
  name: 'item.remove',
  summary: 'Remove an item',
  permission: 'app:test:write',
  input: { id: text('Item') },
  output: object({}),
  run: async () => () => ({}),
});

const calls: Calls = [];
const route = routesFor<Calls>(() => calls);
const routes = [
  route(add, {
    method: 'POST',
    path: '/boxes/{box}/items',
    status: 201,
    location: ({ id }, { params }) => `/boxes/${params['box']}/items/${id}`,
    omit: ['by'],
    from: ({ principal }) => ({ by: principal?.name ?? '' }),
  }),
  route(list, { method: 'GET', path: '/pages/{number}' }),
  route(remove, { method: 'DELETE', path: '/items/{id}', status: 204 }),
] as const;
const app = defineApp({ name: 'test', basePath: '/api/test', routes });
const info = { title: 'Test', version: '1' };
const server = createServer({
  apps: [app],
  info,
  origins: ['http://localhost'],
  authenticate: () => ({
    userId: 'u1',
    name: 'ada',
    kind: 'token' as const,
    permissions: new Set(['app:test:read', 'app:test:write']),
  }),
});
const client = createClient<typeof routes>('/api/test', (input, init) => server.request(input as string, init));

describe('a route bound to an operation', () => {
  it('takes fields from path and body, and others from the request itself', async () => {
    calls.length = 0;
    const { status, data } = await client.POST('/boxes/{box}/items', { params: { box: 'b' }, body: { title: 'x' } });
    expect({ status, data }).toEqual({ status: 201, data: { id: 'i1', parent: null } });
    expect(calls).toEqual([{ box: 'b', title: 'x', by: 'ada', caller: 'ada', via: 'POST /boxes/{box}/items' }]);
    expectTypeOf(data).toEqualTypeOf<{ readonly id: string; readonly parent: string | null }>();
  });

  it('rejects unknown fields and NUL, and names the field', async () => {
    const post = (body: unknown) =>
      client.POST('/boxes/{box}/items', { params: { box: 'b' }, body: body as { title: string } });
    await expect(post({ title: 'x', by: 'eve' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(post({ title: 'a\0' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(post({ title: 'too long' })).rejects.toThrow(/body\/title/);
  });

  it('reads numbers, flags and single values of a list from the address', async () => {
    calls.length = 0;
    await client.GET('/pages/{number}', { params: { number: 3 }, query: { tags: ['a'], all: true, limit: 9_999 } });
    expect(calls).toEqual([{ number: 3, tags: ['a'], all: true, limit: 1_000 }]);
  });

  it('answers without a body where the operation has no output', async () => {
    expect(await client.DELETE('/items/{id}', { params: { id: 'x' } })).toMatchObject({ status: 204 });
  });

  it('is described in OpenAPI with its fields', () => {
    const document = openApiDocument([app], info);
    const written = JSON.stringify(document);
    expect(written).toContain('"Archived ones too"');
    expect(written).toContain('#/components/schemas/Item');
  });
});
