import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { appOf, asWriter, postJson, sampleServer } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { clientAddress, TrustedProxies } from './client-address.ts';
import { parseJson } from './body.ts';
import { readQuery } from './query.ts';

const echo = defineRoute({
  method: 'POST',
  path: '/echo/{id}',
  permission: 'public',
  summary: 'Echoes',
  request: {
    params: z.object({ id: z.coerce.number<string>().int() }),
    query: z.object({ tag: z.union([z.string(), z.array(z.string())]).optional() }),
    headers: z.object({ 'x-count': z.coerce.number<string>().optional() }),
    body: z.strictObject({ title: z.string().min(2), list: z.array(z.object({ n: z.number() })).default([]) }),
  },
  responses: { 200: z.unknown() },
  limits: { bodyBytes: 200 },
  handler: ({ params, query, headers, body }) => ok({ params, query, headers, body }),
});
const bare = defineRoute({
  method: 'POST',
  path: '/bare',
  permission: 'public',
  summary: 'Takes nothing',
  responses: { 200: z.object({}) },
  handler: () => ok({}),
});
const optional = defineRoute({
  method: 'POST',
  path: '/optional',
  permission: 'public',
  summary: 'Needs nothing',
  request: { body: z.strictObject({ day: z.string().default('today') }) },
  responses: { 200: z.unknown() },
  handler: ({ body }) => ok(body),
});
const { server } = sampleServer({ apps: [appOf(echo, bare, optional)] });

describe('a request', () => {
  it('reaches the handler as its schemas make it', async () => {
    const init = postJson({ title: 'ab' }, { 'x-count': '3', 'x-other': 'hidden' });
    const response = await server.request('/echo/7?tag=a&tag=b&other=1', init);
    expect(await response.json()).toEqual({
      params: { id: 7 },
      query: { tag: ['a', 'b'] },
      headers: { 'x-count': 3 },
      body: { title: 'ab', list: [] },
    });
  });

  it('that fits nowhere is told every place at once, with a pointer to each', async () => {
    const init = postJson({ title: 'a', list: [{ n: 1 }, { n: 'x' }], 'odd/key': 1 }, { 'x-count': 'many' });
    const response = await server.request('/echo/seven', init);
    expect(response.status).toBe(422);
    const problem = (await response.json()) as { code: string; errors: { in: string; path: string; code: string }[] };
    expect(problem.code).toBe('VALIDATION_FAILED');
    expect(problem.errors.map((error) => `${error.in} ${error.path} ${error.code}`).sort()).toEqual([
      'body /list/1/n invalid_type',
      'body /odd~1key unrecognized_keys',
      'body /title too_small',
      'headers /x-count invalid_type',
      'params /id invalid_type',
    ]);
  });

  it('with thousands of faults gets a short list', async () => {
    const { server: wide } = sampleServer({
      apps: [appOf({ ...echo, limits: { bodyBytes: 1_000_000 } })],
    });
    const init = postJson({ title: 'ab', list: Array.from({ length: 5_000 }, () => ({ n: 'x' })) });
    const problem = (await (await wide.request('/echo/1', init)).json()) as { errors: unknown[] };
    expect(problem.errors).toHaveLength(50);
  });
});

describe('a body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', ''])(
    'of type "%s" is not taken for JSON',
    async (type) => {
      const response = await server.request('/echo/1', {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}',
      });
      expect(response.status).toBe(415);
    },
  );

  it('in another encoding is not taken', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-16' };
    expect((await server.request('/echo/1', { method: 'POST', headers, body: '{}' })).status).toBe(415);
  });

  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/merge-patch+json'])(
    'of type "%s" is',
    async (type) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: '{"title":"ab"}' };
      expect((await server.request('/echo/1', init)).status).toBe(200);
    },
  );

  it('of a form is refused even where no body is read', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' };
    expect((await server.request('/bare', init)).status).toBe(415);
    expect((await server.request('/bare', { method: 'POST' })).status).toBe(200);
  });

  it.each([
    ['broken', '{"title":'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('that is %s is 400', async (_what, body) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const response = await server.request('/echo/1', init);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'BODY_NOT_JSON' });
  });

  it.each([
    ['a prototype', '{"title":"ab","__proto__":{"admin":true}}'],
    ['a prototype, escaped', String.raw`{"title":"ab","\u005f_proto__":{"admin":true}}`],
    ['a constructor', '{"title":"ab","constructor":{"prototype":{"admin":true}}}'],
  ])('that sets %s is refused, and told which key', async (_what, body) => {
    const response = await server.request('/echo/1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: expect.stringMatching(/The key (?:__proto__|constructor\.prototype) is not allowed/u),
    });
  });

  it('that is missing is told so', async () => {
    expect((await server.request('/echo/1', postJson(''))).status).toBe(422);
    expect((await server.request('/echo/1', { method: 'POST' })).status).toBe(415);
  });

  it('may be left out where it need not say anything, but not be a form', async () => {
    const response = await server.request('/optional', { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([200, { day: 'today' }]);
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };
    expect((await server.request('/optional', { method: 'POST', headers: form })).status).toBe(415);
  });

  it('that announces too much is refused without being read', async () => {
    const init = postJson({ title: 'x'.repeat(300) });
    const response = await server.request('/echo/1', {
      ...init,
      headers: { ...init.headers, 'content-length': '312' },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'BODY_TOO_LARGE', details: { limit_bytes: 200 } });
  });

  it('that announces nothing is counted', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(50).fill(0x20));
        if (pulled === 1_000) controller.close();
      },
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
    const response = await server.request('/echo/1', init as RequestInit);
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });
});

describe('an upload', () => {
  const { server: plans } = sampleServer();
  const send = (path: string, bytes: number, type: string = 'application/octet-stream') =>
    plans.request(`/api/np/files/${path}`, {
      method: 'POST',
      headers: { ...asWriter, 'content-type': type },
      body: new Uint8Array(bytes),
    });

  it('comes as a stream, and its path may have several segments', async () => {
    expect(await (await send('a/b%20c/d.bin', 1_000)).json()).toEqual({ rest: 'a/b c/d.bin', bytes: 1_000 });
  });

  it('ends at its limit', async () => {
    expect((await send('a', 1_001)).status).toBe(413);
  });

  it('of another type is refused', async () => {
    expect((await send('a', 1, 'text/html')).status).toBe(415);
  });
});

describe('a request id', () => {
  it.each(['abcdefgh', 'a.b_c-d:'.slice(0, 7) + 'xx', 'f'.repeat(64)])('%s is kept', async (id) => {
    const response = await server.request('/healthz', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toBe(id);
  });

  it.each(['short', 'f'.repeat(65), 'with space', 'new"line', '<script>x'])('"%s" is replaced', async (id) => {
    const response = await server.request('/healthz', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}-[0-9a-z]{4,}$/);
  });
});

describe('the address of the client', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '::1']);
  it.each([
    ['192.0.2.1', '1.1.1.1', '192.0.2.1'],
    ['10.0.0.1', null, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '198.51.100.7, 10.0.0.9', '198.51.100.7'],
    ['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['::ffff:192.0.2.1', '1.1.1.1', '192.0.2.1'],
    ['::1', '2001:db8::5', '2001:db8::5'],
    ['10.0.0.1', 'unknown, 6.6.6.6x', '10.0.0.1'],
  ])('%s, forwarded for %s, is %s', (peer, forwardedFor, expected) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(expected);
  });
});

it.each(['10.0.0.0/', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::1/129', 'proxy.example', ''])(
  'a proxy address "%s" is refused',
  (address) => {
    expect(() => new TrustedProxies([address])).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }) as Error);
  },
);

it('a query keeps every value under its name', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const named = pairs.map(([name, value]) => [`n${name}`, value] as [string, string]);
      const read = readQuery(`http://x/?${new URLSearchParams(named).toString()}#f`);
      const expected = new Map<string, string[]>();
      for (const [name, value] of new URLSearchParams(new URLSearchParams(named).toString())) {
        expected.set(name, [...(expected.get(name) ?? []), value]);
      }
      expect(new Map(Object.entries(read).map(([name, value]) => [name, [value].flat()]))).toEqual(expected);
    }),
  );
});

it('JSON never yields an object with another prototype', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      let value: unknown;
      try {
        value = parseJson(text);
      } catch {
        return;
      }
      expect(JSON.stringify(value)).not.toContain('"__proto__":');
    }),
  );
});
