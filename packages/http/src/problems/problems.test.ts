import { defineErrors } from '@holdfast/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { appOf, asWriter, postJson, sampleServer } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { problemOf, problemText } from './problem.ts';

const sampleErrors = defineErrors({
  IT_FAILED: { kind: 'failed', means: 'x', hint: 'Mend it.' },
  IT_IS_WRONG: { kind: 'usage', means: 'x', hint: 'Correct it.' },
  IT_IS_GONE: { kind: 'not_found', means: 'x', hint: 'Find it.' },
  IT_CLASHES: { kind: 'conflict', means: 'x', hint: 'Choose.' },
  IT_IS_BUSY: { kind: 'unavailable', means: 'x', hint: 'Wait.' },
});

function serverThrowing(thrown: () => unknown, statuses: Readonly<Record<string, number>> = {}) {
  const route = defineRoute({
    method: 'GET',
    path: '/boom',
    permission: 'public',
    summary: 'Throws',
    responses: { 200: z.object({}) },
    handler: () => {
      throw thrown();
    },
  });
  return sampleServer({ apps: [{ ...appOf(route), ...(statuses === undefined ? {} : { statuses }) }] });
}

describe('what a handler throws becomes a problem', () => {
  it.each([
    ['IT_FAILED', 500],
    ['IT_IS_WRONG', 400],
    ['IT_IS_GONE', 404],
    ['IT_CLASHES', 409],
    ['IT_IS_BUSY', 503],
  ] as const)('%s → %i', async (code, status) => {
    const { server } = serverThrowing(() => sampleErrors[code]('It did.', { details: { tries: 3 } }));
    const response = await server.request('/boom', { headers: { 'x-request-id': 'request-0001' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toBe('request-0001');
    expect(await response.json()).toEqual({
      type: `/errors#${code}`,
      title: `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`,
      status,
      detail: 'It did.',
      code,
      hint: sampleErrors[code].definition.hint,
      request_id: 'request-0001',
      details: { tries: 3 },
    });
  });

  it('says when to try again', async () => {
    const { server, lines } = serverThrowing(() => sampleErrors.IT_IS_BUSY('Busy'));
    expect((await server.request('/boom')).headers.get('retry-after')).toBe('2');
    await server.request('/boom');
    expect(
      lines.filter((line) => line.includes('"error"')),
      'and is logged once, not with every try',
    ).toHaveLength(1);
    const told = serverThrowing(() => sampleErrors.IT_IS_BUSY('Busy', { details: { retry_after_seconds: 6.2 } }));
    expect((await told.server.request('/boom')).headers.get('retry-after')).toBe('7');
  });

  it('has the status that the composition root gives to a code of another package', async () => {
    const { server } = serverThrowing(() => sampleErrors.IT_IS_BUSY('Busy'), { IT_IS_BUSY: 429 });
    const response = await server.request('/boom');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('2');
  });
});

describe('something unexpected', () => {
  const secret = 'SQLITE: no such table at /home/ada/secret.db';
  it.each([
    ['an error', () => new TypeError(secret)],
    ['a text', () => secret],
    ['a cause of ours', () => sampleErrors.IT_FAILED('It failed', { cause: new Error(secret) })],
  ])('%s is not told to the client, but logged with its stack', async (_what, thrown) => {
    const { server, lines } = serverThrowing(thrown);
    const response = await server.request('/boom');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    const logged = lines.join('');
    expect(logged).toContain(secret);
    expect(logged).toContain(response.headers.get('x-request-id'));
  });

  it('is INTERNAL, and names the request in the log', async () => {
    const response = await serverThrowing(() => new Error(secret)).server.request('/boom');
    expect(await response.json()).toMatchObject({
      code: 'INTERNAL',
      detail: 'The server failed to handle this request',
      request_id: response.headers.get('x-request-id'),
    });
  });

  it('a body that does not fit its schema is a bug of ours, not an answer', async () => {
    const route = defineRoute({
      method: 'GET',
      path: '/odd',
      permission: 'public',
      summary: 'x',
      responses: { 200: z.object({ count: z.number() }) },
      handler: () => ok({ count: 'many' as unknown as number }),
    });
    const { server, lines } = sampleServer({ apps: [appOf(route)] });
    expect((await server.request('/odd')).status).toBe(500);
    expect(lines.join('')).toContain('does not match its schema');
  });
});

describe('nothing that was sent comes back as HTML', () => {
  const corpus = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</title><svg/onload=alert(1)>',
    '<!--<iframe src=javascript:alert(1)>-->',
    '&lt;b&gt;',
  ];
  it.each(corpus)('%s', async (hostile) => {
    const { server } = sampleServer();
    const answers = await Promise.all([
      server.request(`/api/np/plans/${encodeURIComponent(hostile)}`, { headers: asWriter }),
      server.request(`/${encodeURIComponent(hostile)}`),
      server.request('/api/np/plans', postJson({ title: 1, [hostile]: hostile }, asWriter)),
      server.request(`/api/np/plans?limit=${encodeURIComponent(hostile)}`, { headers: asWriter }),
      server.request('/api/np/plans', postJson(hostile, asWriter)),
    ]);
    for (const response of answers) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text()).not.toMatch(/[<>&]/);
    }
  });

  it('whatever the message, the text has no character that HTML knows, and means the same', () => {
    fc.assert(
      fc.property(fc.string(), (message) => {
        const problem = problemOf(sampleErrors.IT_FAILED(message), 'request-1');
        const text = problemText(problem);
        expect(text).not.toMatch(/[<>&]/);
        expect(JSON.parse(text)).toEqual(problem);
      }),
    );
  });
});

it('a method that an address does not have gets 405 and the ones it has', async () => {
  const response = await sampleServer().server.request('/api/np/plans', { method: 'DELETE', headers: asWriter });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, POST, HEAD');
});
