import { describe, expect, it } from 'vitest';

import { asAdmin, asReader, asWriter, planApp, Plans, postJson, sampleServer } from '../../test/sample-app.ts';
import { cookieJar, readCookie } from './cookies.ts';
import { contentTag, optionalMatch, revisionOfTag, revisionTag } from './etag.ts';

function serverWithPlan() {
  const plans = new Plans();
  plans.create('First');
  return { plans, ...sampleServer({ apps: [planApp(plans)] }) };
}

const PLAN = '/api/np/plans/p1';

describe('an answer', () => {
  it('holds only what its schema names', async () => {
    const { server } = serverWithPlan();
    const response = await server.request(PLAN, { headers: asReader });
    expect(await response.json()).toEqual({ id: 'p1', title: 'First', revision: 1 });
  });

  it('says where the new thing is', async () => {
    const { server } = serverWithPlan();
    const response = await server.request('/api/np/plans', postJson({ title: 'Second' }, asWriter));
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/api/np/plans/p2');
  });

  it('without a body has none', async () => {
    const { server } = serverWithPlan();
    const response = await server.request(PLAN, { method: 'DELETE', headers: asAdmin });
    expect(response.status).toBe(204);
    expect(response.headers.get('content-type')).toBeNull();
    expect(await response.text()).toBe('');
  });

  it('to HEAD has the headers of GET and no body', async () => {
    const { server } = serverWithPlan();
    const response = await server.request(PLAN, { method: 'HEAD', headers: asReader });
    expect(response.headers.get('etag')).toBe('"r1"');
    expect(await response.text()).toBe('');
  });
});

describe('a list', () => {
  it('comes in an envelope with a cursor, in pages of a limited size', async () => {
    const plans = new Plans();
    for (let count = 0; count < 300; count++) plans.create(`Plan ${count}`);
    const { server } = sampleServer({ apps: [planApp(plans)] });
    const sizes = await Promise.all(
      ['', '?limit=3', '?limit=100000'].map(async (query) => {
        const response = await server.request(`/api/np/plans${query}`, { headers: asReader });
        const body = (await response.json()) as { data: unknown[]; next_cursor: null };
        expect(body.next_cursor).toBeNull();
        return body.data.length;
      }),
    );
    expect(sizes).toEqual([50, 3, 200]);
  });

  it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'cursor=', `cursor=${'x'.repeat(1_025)}`])(
    '?%s is 422',
    async (query) => {
      const response = await sampleServer().server.request(`/api/np/plans?${query}`, { headers: asReader });
      expect(response.status).toBe(422);
    },
  );
});

describe('If-None-Match', () => {
  it.each(['"r1"', 'W/"r1"', '"x", "r1"', '*'])('%s: the client has it already', async (tag) => {
    const { server } = serverWithPlan();
    const response = await server.request(PLAN, { headers: { ...asReader, 'if-none-match': tag } });
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe('"r1"');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(await response.text()).toBe('');
  });

  it.each(['"r2"', 'r1', '"R1"'])('%s: it does not', async (tag) => {
    const { server } = serverWithPlan();
    expect((await server.request(PLAN, { headers: { ...asReader, 'if-none-match': tag } })).status).toBe(200);
  });
});

describe('If-Match', () => {
  const put = (headers: Readonly<Record<string, string>>) => ({
    ...postJson({ title: 'Changed' }, { ...asWriter, ...headers }),
    method: 'PUT',
  });

  it('missing on a write that could overwrite: 428', async () => {
    const response = await serverWithPlan().server.request(PLAN, put({}));
    expect(response.status).toBe(428);
    expect(await response.json()).toMatchObject({ code: 'PRECONDITION_REQUIRED' });
  });

  it.each(['"r0"', 'W/"r1"', 'r1', '""'])('%s is not what is there: 412, and nothing changes', async (tag) => {
    const { server, plans } = serverWithPlan();
    const response = await server.request(PLAN, put({ 'if-match': tag }));
    expect(response.status).toBe(412);
    expect(await response.json()).toMatchObject({ code: 'PRECONDITION_FAILED', details: { current_etag: '"r1"' } });
    expect(plans.get('p1').title).toBe('First');
  });

  it.each(['"r1"', '*', '"r7", "r1"'])('%s is: the change happens and has a new tag', async (tag) => {
    const response = await serverWithPlan().server.request(PLAN, put({ 'if-match': tag }));
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"r2"');
  });

  it('of two writers that read the same, one wins', async () => {
    const { server } = serverWithPlan();
    const both = await Promise.all([1, 2].map(() => server.request(PLAN, put({ 'if-match': '"r1"' }))));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  it('on something that does not exist never matches', () => {
    const headers = new Headers({ 'if-match': '*' });
    expect(() => optionalMatch({ headers })?.assert(undefined)).toThrow(/changed/);
    expect(optionalMatch({ headers: new Headers() })).toBeUndefined();
  });
});

it('tags are strong, and a revision can be read back from its own', () => {
  expect(revisionOfTag(revisionTag(42))).toBe(42);
  expect(revisionOfTag(contentTag('x'))).toBeUndefined();
  expect(contentTag('x')).toMatch(/^"[\w-]{27}"$/);
  expect(contentTag('x')).toBe(contentTag(new TextEncoder().encode('x')));
  expect(contentTag('x')).not.toBe(contentTag('y'));
});

describe('a cookie', () => {
  it('over TLS belongs to this host alone', () => {
    const jar = cookieJar({ name: 'session', isSecure: true });
    expect(jar.set('abc', 60)).toBe('__Host-session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure');
    expect(jar.clear()).toBe('__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  });

  it('without TLS is still out of reach of scripts and other sites', () => {
    const jar = cookieJar({ name: 'session', isSecure: false, sameSite: 'Strict' });
    expect(jar.set('abc', 60.9)).toBe('session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Strict');
  });

  it('cannot smuggle attributes', () => {
    const jar = cookieJar({ name: 'session', isSecure: true });
    for (const value of ['a;b', 'a b', 'a\r\nSet-Cookie: x', 'a,b', 'a"b'])
      expect(() => jar.set(value, 1)).toThrow(TypeError);
  });

  it('is read by its whole name, and not at all when there are two', () => {
    expect(readCookie('a=1; session=x=y; b=2', 'session')).toBe('x=y');
    expect(readCookie('xsession=1; session2=2', 'session')).toBeUndefined();
    expect(readCookie('session=planted; session=real', 'session')).toBeUndefined();
    expect(readCookie(null, 'session')).toBeUndefined();
  });
});
