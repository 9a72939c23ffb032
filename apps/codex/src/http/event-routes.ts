import { readPage, SECOND } from '@holdfast/base';
import { bytes, defineRoute, events, ok, pageQuery, sse } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import { EVENT_STATUSES, type FileEvent } from '../model/event.ts';
import { cancelEvent, discardEvent, eventOf, retryEvent } from '../service/event-actions.ts';
import type { Codex } from '../service/codex.ts';
import { metrics, prometheusText } from '../service/metrics.ts';
import { eventsOfBatch, listEvents } from '../store/events.ts';
import { eventFeed } from './event-feed.ts';
import { batchView } from './batch-view.ts';
import { publishOne } from './publishing.ts';
import { queueErrors } from './route-errors.ts';
import { batchSchema, eventPage, eventSchema, metricsSchema, numberParameter, waitedSchema } from './schemas.ts';
import { eventView } from './views.ts';
import { finished, waitLimits } from './waiting.ts';

const read = 'app:codex:read';
const write = 'app:codex:write';
const params = z.object({ id: numberParameter });
const timeout = z.coerce.number<string>().min(0).max(300).default(30).meta({ description: 'Seconds' });

/** Fixed names stand before `{id}`, so that none of them is taken for an id. */
export function eventRoutes(codex: Codex) {
  return [...overviewRoutes(codex), ...singleRoutes(codex)] as const;
}

function overviewRoutes(codex: Codex) {
  const list = defineRoute({
    method: 'GET',
    path: '/events',
    permission: read,
    summary: 'Events, the newest first',
    request: {
      query: z.object({
        ...pageQuery,
        cursor: numberParameter.optional(),
        notebook_id: numberParameter.optional(),
        status: z.enum(EVENT_STATUSES).optional(),
      }),
    },
    responses: { 200: eventPage },
    handler: async ({ query: { cursor, limit, notebook_id, status } }) => {
      const readEvents = (count: number) =>
        listEvents(codex.store.reader, { notebookId: notebook_id, status, before: cursor, limit: count });
      const page = await readPage(limit, readEvents, (last) => String(last.id));
      return ok({ ...page, data: page.data.map(eventView) });
    },
  });
  const live = defineRoute({
    method: 'GET',
    path: '/events/stream',
    permission: read,
    summary: 'Every change of an event as it happens; resumes after Last-Event-ID',
    request: { query: z.object({ since: z.string().optional(), notebook_id: numberParameter.optional() }) },
    responses: { 200: events(eventSchema) },
    handler: (input) => {
      const { notebook_id: wanted } = input.query;
      const feed = eventFeed(() => codex.store);
      if (wanted === undefined) return sse(input, { feed });
      return sse(input, { feed, filter: ({ data }) => (data as FileEvent).notebook_id === wanted });
    },
  });
  const counts = defineRoute({
    method: 'GET',
    path: '/events/metrics',
    permission: read,
    summary: 'How the queue is doing',
    responses: { 200: metricsSchema },
    handler: () => ok(metrics(codex)),
  });
  const collected = defineRoute({
    method: 'GET',
    path: '/events/metrics/prometheus',
    permission: read,
    summary: 'The same figures for a collector',
    responses: { 200: bytes('text/plain') },
    handler: () =>
      new Response(prometheusText(metrics(codex)), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
  });
  const batch = defineRoute({
    method: 'GET',
    path: '/events/correlation/{correlation_id}',
    permission: read,
    summary: 'All events of a batch, in order',
    responses: { 200: batchSchema },
    errors: [codexErrors.EVENT_NOT_FOUND],
    handler: ({ params: { correlation_id } }) => {
      const found = eventsOfBatch(codex.store.reader, correlation_id);
      if (found.length === 0) throw codexErrors.EVENT_NOT_FOUND(`There is no batch ${correlation_id}`);
      return ok(batchView(correlation_id, found));
    },
  });
  return [list, live, counts, collected, batch] as const;
}

function singleRoutes(codex: Codex) {
  const errors = [codexErrors.EVENT_NOT_FOUND];
  const commit = defineRoute({
    method: 'POST',
    path: '/events/commit',
    permission: write,
    summary: 'Commit to git what was asked for so far; answers when it is done',
    request: {
      body: z.strictObject({ notebook_id: z.int(), message: z.string().max(10_000).optional() }),
      query: z.object({ timeout }),
    },
    responses: { 200: z.object({ commit_sha: z.string().nullable(), event_id: z.int() }) },
    errors: [...queueErrors, codexErrors.GIT_PAUSED, codexErrors.GIT_UNAVAILABLE, codexErrors.WAIT_TIMEOUT],
    acceptsHeaders: ['Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { notebook_id, message } = input.body;
      const request = { type: 'batch_commit', message } as const;
      const event = await publishOne(codex, input, notebook_id, () => request);
      const asked = { ...input, query: { sync: 'true', timeout: input.query.timeout } };
      const done = await finished(codex, { ...asked, request: input.request, signal: input.signal }, event);
      if (done === undefined) throw codexErrors.WAIT_TIMEOUT(`The commit of event ${event.id} is not done yet`);
      return ok({ commit_sha: done.commit_sha, event_id: event.id });
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/events/{id}',
    permission: read,
    summary: 'The state of an event',
    request: { params },
    responses: { 200: eventSchema },
    errors,
    handler: ({ params: { id } }) => ok(eventView(eventOf(codex.store.reader, id))),
  });
  const wait = defineRoute({
    method: 'POST',
    path: '/events/{id}/wait',
    permission: read,
    summary: 'Answers when the event is done, or after the time with its state and timed_out: true',
    request: { params, query: z.object({ timeout }) },
    responses: { 200: waitedSchema },
    errors,
    limits: waitLimits,
    handler: async ({ params: { id }, query, signal }) => {
      const waited = await codex.wait(id, query.timeout * SECOND, signal);
      if (waited === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${id}`);
      return ok({ ...eventView(waited.event), timed_out: waited.timedOut });
    },
  });
  return [commit, show, wait, ...actionRoutes(codex)] as const;
}

function actionRoutes(codex: Codex) {
  return [
    actionRoute(codex, '/events/{id}/retry', 'Try a failed event again', retryEvent),
    actionRoute(codex, '/events/{id}/discard', 'Give a failed event up', discardEvent),
    actionRoute(codex, '/events/{id}/cancel', 'Take back an event that has not begun', cancelEvent),
  ] as const;
}

function actionRoute<Path extends '/events/{id}/retry' | '/events/{id}/discard' | '/events/{id}/cancel'>(
  codex: Codex,
  path: Path,
  summary: string,
  act: typeof retryEvent,
) {
  return defineRoute({
    method: 'POST',
    path,
    permission: write,
    summary,
    request: { params },
    responses: { 200: eventSchema },
    errors: [codexErrors.EVENT_NOT_FOUND, codexErrors.EVENT_STATE, codexErrors.EVENT_OVERTAKEN],
    handler: async (input) => {
      const event = await act(codex, input.params.id);
      codex.lanes.wake(event.notebook_id);
      return ok(eventView(event));
    },
  });
}
