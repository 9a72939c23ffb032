import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { appOf, asAdmin, asReader, asWriter, postJson, sampleServer } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { createLogger } from './logger.ts';
import { runChecks } from './readiness.ts';

const CANARY = 'canary-7c1f0e';

describe('the log', () => {
  it('has one line for each request, with chosen fields only', async () => {
    const { server, lines } = sampleServer();
    await server.request('/api/np/plans/p1?limit=3', { headers: { ...asWriter, 'x-request-id': 'request-0001' } });
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        request_id: 'request-0001',
        method: 'GET',
        route: '/api/np/plans/{id}',
        status: 404,
        duration_ms: expect.any(Number),
        user_id: 'u2',
        msg: 'request',
      },
    ]);
  });

  it('never holds a secret, wherever it was sent and whatever happened', async () => {
    const boom = defineRoute({
      method: 'POST',
      path: '/boom/{id}',
      permission: 'np:write',
      summary: 'Fails and logs all it knows',
      request: { body: z.object({ password: z.string() }), query: z.object({ q: z.string() }) },
      responses: { 200: z.object({}) },
      handler: async ({ body, query, request, log }) => {
        const headers = Object.fromEntries(request.headers);
        log.info({ body, query, headers, ...body, nested: { ...body, deep: { token: CANARY } } }, 'careless');
        throw new Error(`Upstream refused "Authorization: Bearer ${CANARY}" and\ncookie: a=${CANARY}`);
      },
    });
    const { server, lines } = sampleServer({ apps: [appOf(boom)] });
    const secrets = { authorization: 'Bearer writer', cookie: `session=${CANARY}`, 'x-api-key': CANARY };
    const json = postJson({ password: CANARY }, { ...secrets, origin: 'http://localhost' });
    await server.request(`/boom/${CANARY}?q=${CANARY}`, json);
    await server.request(`/boom/1?token=${CANARY}`, json);
    await server.request(`/nowhere/${CANARY}?q=${CANARY}`, json);
    await server.request('/boom/1?q=1', { ...json, headers: { ...json.headers, authorization: `Bearer ${CANARY}` } });
    await server.request('/boom/1?q=1', { ...json, headers: { ...json.headers, host: `${CANARY}.example` } });
    await server.request('/boom/1?q=1', { ...json, body: `{"password":"${CANARY}"` });
    expect(lines.length).toBeGreaterThanOrEqual(8);
    expect(lines.join('')).toContain('careless');
    expect(lines.join('')).toContain('Upstream refused');
    expect(lines.join('')).not.toContain(CANARY);
  });

  it('keeps the causes of an error, but not its fields', () => {
    const lines: string[] = [];
    const log = createLogger({ destination: { write: (line) => void lines.push(line) } });
    const cause = Object.assign(new Error('inner'), { code: 'SQLITE_BUSY', parameters: [CANARY] });
    log.error({ err: new Error('outer', { cause }) }, 'failed');
    log.error({ err: 'just a text' }, 'failed');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      err: {
        type: 'Error',
        message: 'outer',
        stack: expect.any(String),
        cause: { code: 'SQLITE_BUSY', message: 'inner' },
      },
    });
    expect(lines.join('')).not.toContain(CANARY);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ err: { message: 'just a text' } });
  });
});

describe('metrics', () => {
  it('are for who may read the system', async () => {
    const { server } = sampleServer();
    const statuses = await Promise.all(
      [{}, asReader, asAdmin].map(async (headers) => (await server.request('/metrics', { headers })).status),
    );
    expect(statuses).toEqual([401, 403, 200]);
  });

  it('count by route template, so that addresses cannot make them grow', async () => {
    const { server } = sampleServer();
    for (let count = 0; count < 100; count++) {
      await server.request(`/api/np/plans/p${count}`, { headers: asReader });
      await server.request(`/nowhere/${count}`);
    }
    const text = await (await server.request('/metrics', { headers: asAdmin })).text();
    const name = 'holdfast_http_request_duration_seconds_count';
    expect(text).toContain(`${name}{method="GET",route="/api/np/plans/{id}",status="404"} 100`);
    expect(text).toContain(`${name}{method="GET",route="unmatched",status="404"} 100`);
    expect(text).toContain('holdfast_http_requests_in_flight 1');
    expect(text).toContain('holdfast_http_event_listeners 0');
    expect(text).toMatch(/holdfast_event_loop_lag_p99_seconds \d/);
    expect(text).not.toContain('/nowhere');
  });

  it('are counted for each server apart', async () => {
    const [one, other] = [sampleServer().server, sampleServer().server];
    await one.request('/healthz');
    expect(await other.registry.metrics()).not.toContain('route="/healthz"');
    expect(await one.registry.metrics()).toContain('route="/healthz"');
  });
});

describe('readiness', () => {
  const fine = { name: 'accounts', check: async () => [] };
  const broken = {
    name: 'np',
    check: async () => {
      throw new Error('disk full');
    },
  };

  it('names what works', async () => {
    const response = await sampleServer({ readiness: [fine] }).server.request('/readyz');
    expect(await response.json()).toEqual({ status: 'ready', checks: ['accounts'], warnings: [] });
  });

  it('names what works, but not as it should', async () => {
    const slow = { name: 'np', check: async () => ['the standby lags'] };
    const response = await sampleServer({ readiness: [fine, slow] }).server.request('/readyz');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ warnings: ['np: the standby lags'] });
  });

  it('names what does not, and tells why in the log only', async () => {
    const { server, lines } = sampleServer({ readiness: [fine, broken] });
    const response = await server.request('/readyz');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ code: 'NOT_READY', details: { failing: ['np'] } });
    expect(body).not.toContain('disk full');
    expect(lines.join('')).toContain('disk full');
  });

  it('does not wait for a check that hangs', async () => {
    const hanging = { name: 'hangs', check: () => new Promise<never>(() => undefined) };
    expect(await runChecks([hanging, fine], () => undefined, 20)).toEqual([
      { name: 'hangs', ok: false, warnings: [] },
      { name: 'accounts', ok: true, warnings: [] },
    ]);
  });

  it('health looks at nothing', async () => {
    const response = await sampleServer({ readiness: [broken] }).server.request('/healthz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});

it('a handler can log with the id of its request', async () => {
  const route = defineRoute({
    method: 'GET',
    path: '/log',
    permission: 'public',
    summary: 'Logs',
    responses: { 200: z.object({}) },
    handler: ({ log }) => {
      log.info({ plan: 'p1' }, 'noticed');
      return ok({});
    },
  });
  const { server, lines } = sampleServer({ apps: [appOf(route)] });
  await server.request('/log', { headers: { 'x-request-id': 'request-0002' } });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ request_id: 'request-0002', plan: 'p1', msg: 'noticed' });
});
