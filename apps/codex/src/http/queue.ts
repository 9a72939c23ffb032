import { bytes, defineRoute, events, routesFor, sse, zodOf } from '@holdfast/http';
import { z } from 'zod';

import { eventObject, type EventView, READ } from '../operations/fields.ts';
import { showBatch } from '../operations/files.ts';
import { queueStatus } from '../operations/notebooks.ts';
import * as operations from '../operations/queue.ts';
import { changeFeed } from '../service/change-feed.ts';
import type { Codex } from '../service/codex.ts';
import { metrics, prometheusText } from '../service/metrics.ts';
import { waitLimits, waitOf } from './writes.ts';

/** Fixed paths come before `{id}`, so that the router does not read them as ids. */
export function queueRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(operations.listEvents, { method: 'GET', path: '/events' }),
    ...rawRoutes(codex),
    route(queueStatus, { method: 'GET', path: '/events/metrics' }),
    route(operations.queueHistory, { method: 'GET', path: '/events/metrics/history' }),
    route(showBatch, { method: 'GET', path: '/events/correlation/{correlation_id}' }),
    route(operations.commitNow, {
      method: 'POST',
      path: '/events/commit',
      query: ['wait'],
      from: ({ request }) => waitOf(request),
      acceptsHeaders: ['Prefer', 'Idempotency-Key'],
      limits: waitLimits,
    }),
    route(operations.showEvent, { method: 'GET', path: '/events/{id}' }),
    route(operations.waitForEvent, { method: 'POST', path: '/events/{id}/wait', query: ['wait'], limits: waitLimits }),
    route(operations.retryEvent, { method: 'POST', path: '/events/{id}/retry', query: ['wait'], limits: waitLimits }),
    route(operations.discardEvent, { method: 'POST', path: '/events/{id}/discard' }),
    route(operations.cancelEvent, { method: 'POST', path: '/events/{id}/cancel' }),
  ] as const;
}

function rawRoutes(codex: Codex) {
  const stream = defineRoute({
    method: 'GET',
    path: '/events/stream',
    permission: READ,
    summary: 'Stream every change to an event; resumes after Last-Event-ID',
    request: {
      query: z.object({ since: z.string().optional(), notebook_id: z.coerce.number<string>().int().optional() }),
    },
    responses: { 200: events(zodOf(eventObject, 'reply')) },
    handler: (input) => {
      const { notebook_id: wanted } = input.query;
      const feed = changeFeed(() => codex.store);
      if (wanted === undefined) return sse(input, { feed });
      return sse(input, { feed, filter: ({ data }) => (data as EventView).notebook_id === wanted });
    },
  });
  const prometheus = defineRoute({
    method: 'GET',
    path: '/events/metrics/prometheus',
    permission: READ,
    summary: 'Show queue metrics in Prometheus text format',
    responses: { 200: bytes('text/plain') },
    handler: () =>
      new Response(prometheusText(metrics(codex)), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
  });
  return [stream, prometheus] as const;
}
