import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';

import { NumberedFeed } from '../../test/numbered-feed.ts';
import { planApp, type PlanRoutes, Plans, sampleServer } from '../../test/sample-app.ts';
import type { RouteContract } from '../routes/contract.ts';
import { listen, type Listening } from '../server/listen.ts';
import { createClient, ProblemError } from './index.ts';

let listening: Listening;
const plans = new Plans();
beforeAll(async () => {
  const { server } = sampleServer({ apps: [planApp(plans, new NumberedFeed())] });
  listening = await listen(server, { port: 0 });
});
afterAll(() => listening.close(100));

function client(token: string = 'writer') {
  const authorised: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  return createClient<PlanRoutes>(`${listening.url}/api/np`, authorised);
}

describe('the client', () => {
  it('asks the application itself for its route `/`', () => {
    const root = createClient<readonly [RouteContract<'GET', '/'>]>('/api/users');
    expect(root.url('/')).toBe('/api/users');
  });

  it('knows what each route takes and gives', async () => {
    const np = client();
    const made = await np.POST('/plans', { body: { title: 'One' } });
    expectTypeOf(made).toEqualTypeOf<{
      readonly status: 201;
      readonly data: { id: string; title: string; revision: number };
      readonly etag: string | null;
    }>();
    expect(made).toEqual({ status: 201, data: { id: 'p1', title: 'One', revision: 1 }, etag: '"r1"' });
    const { data } = await np.GET('/plans/{id}', { params: { id: made.data.id } });
    expect(data.title).toBe('One');
    const list = await np.GET('/plans', { query: { limit: 5, tag: 'x' } });
    expectTypeOf(list.data.next_cursor).toEqualTypeOf<string | null>();
    expect(list.data.data).toHaveLength(1);
    expect((await np.GET('/plans')).data.data).toHaveLength(1);
  });

  it('refuses at compile time what the server would refuse', () => {
    const np = client();
    // @ts-expect-error there is no such route
    void (() => np.GET('/nowhere'));
    // @ts-expect-error this route has no such method
    void (() => np.DELETE('/plans'));
    // @ts-expect-error the parameter is missing
    void (() => np.GET('/plans/{id}'));
    // @ts-expect-error the body has no title
    void (() => np.POST('/plans', { body: {} }));
    // @ts-expect-error the route takes no body
    void (() => np.GET('/plans', { body: {} }));
    // @ts-expect-error the limit is a number
    void (() => np.GET('/plans', { query: { limit: {} } }));
    expect(np).toBeDefined();
  });

  it('sends preconditions and idempotency keys', async () => {
    const np = client();
    const made = await np.POST('/plans', { body: { title: 'Two' }, idempotencyKey: 'k-1' });
    const again = await np.POST('/plans', { body: { title: 'Two' }, idempotencyKey: 'k-1' });
    expect(again.data).toEqual(made.data);
    const params = { id: made.data.id };
    await np.PUT('/plans/{id}', { params, body: { title: 'Changed' }, ifMatch: made.etag ?? '' });
    const stale = np.PUT('/plans/{id}', { params, body: { title: 'Lost' }, ifMatch: made.etag ?? '' });
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    const known = await np.GET('/plans/{id}', { params, ifNoneMatch: '"r2"' });
    expect(known).toMatchObject({ status: 304, data: undefined });
  });

  it('throws what went wrong, with code, hint and request id', async () => {
    const error = await client()
      .GET('/plans/{id}', { params: { id: 'p999' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 404,
      code: 'PLAN_NOT_FOUND',
      message: 'There is no plan "p999"',
      hint: 'List the plans.',
      requestId: expect.any(String),
    });
  });

  it('tells an unreachable server from one that answers, and from a caller that gave up', async () => {
    const nowhere = createClient<PlanRoutes>('http://127.0.0.1:1/api/np');
    await expect(nowhere.GET('/hello')).rejects.toMatchObject({ status: 0, code: 'UNREACHABLE' });
    await expect(client().GET('/hello', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('escapes what it puts into addresses', () => {
    const np = client();
    expect(np.url('/plans/{id}', { params: { id: 'a/b?c#d e' } })).toMatch(/\/plans\/a%2Fb%3Fc%23d%20e$/);
    expect(np.url('/plans', { query: { limit: 2, tag: 'a&b' } })).toMatch(/\/plans\?limit=2&tag=a%26b$/);
    for (const id of ['', '.', '..']) expect(() => np.url('/plans/{id}', { params: { id } })).toThrow(TypeError);
  });

  it('gives what is not JSON as it came', async () => {
    const { data } = await client().GET('/events');
    expectTypeOf(data).toEqualTypeOf<Response>();
    const reader = data.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array)).toContain('retry:');
    await reader?.cancel();
  });
});

it('is small, and nothing of the server comes with it', async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  const inputs = Object.keys(result.metafile.inputs).map((path) => path.slice(path.lastIndexOf('/src/')));
  expect(inputs.sort()).toEqual(['/src/client/index.ts']);
  expect(result.outputFiles[0]?.contents.byteLength).toBeLessThan(2_000);
  expect(gzipSync(result.outputFiles[0]?.contents ?? '').byteLength).toBeLessThan(1_200);
});
