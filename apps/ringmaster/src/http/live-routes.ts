import { defineRoute, events, type EventFeed, ok, sse, type StreamEvent } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { allEvents, followEvents, type RingmasterEvent } from '../service/events.ts';
import { followLog, readLogs } from '../service/logs.ts';
import type { Workspaces } from '../service/workspaces.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { requestWorkspace, readPermission } from './request-workspace.ts';
import { eventSchema, logPieceSchema } from './schemas.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND];
const logErrors = [...errors, ringmasterErrors.TASK_NOT_FOUND, ringmasterErrors.LOG_NOT_FOUND];
const PAGE = 500;

export function liveRoutes(workspaces: Workspaces) {
  const list = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/events',
    permission: readPermission,
    summary: 'What happened: the newest, or the first after an event',
    request: {
      query: z.object({
        since: z.coerce.number().int().optional(),
        entity: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(PAGE).default(100),
      }),
    },
    responses: { 200: z.object({ data: z.array(eventSchema) }) },
    errors,
    handler: async (input) => {
      return ok({ data: allEvents(await requestWorkspace(workspaces, input), input.query).map(shownEvent) });
    },
  });
  const live = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/events/live',
    permission: readPermission,
    summary: 'What happens, as it happens; goes on after the last event that was seen',
    request: { query: z.object({ since: z.string().optional() }) },
    responses: { 200: events(eventSchema) },
    errors,
    handler: async (input) => sse(input, { feed: eventFeed(await requestWorkspace(workspaces, input)) }),
  });
  return [list, live, ...logRoutes(workspaces)] as const;
}

function logRoutes(workspaces: Workspaces) {
  const log = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{id}/log',
    permission: readPermission,
    summary: 'What a worker printed: the last turn, or all turns of an attempt',
    request: { query: z.object({ attempt: z.coerce.number().int().optional() }) },
    responses: { 200: z.object({ data: z.array(logPieceSchema) }) },
    errors: logErrors,
    handler: async (input) => {
      const rm = await requestWorkspace(workspaces, input);
      return ok({ data: [...readLogs(rm, { task: input.params.id, attempt: input.query.attempt })] });
    },
  });
  const live = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{id}/log/live',
    permission: readPermission,
    summary: 'The same as it is printed, until the attempt has ended',
    request: { query: z.object({ since: z.string().optional() }) },
    responses: { 200: events(logPieceSchema) },
    errors: logErrors,
    handler: async (input) => sse(input, { feed: logFeed(await requestWorkspace(workspaces, input), input.params.id) }),
  });
  return [log, live] as const;
}

function shownEvent({ before: _before, after: _after, correlation_id: _id, ...event }: RingmasterEvent) {
  return event;
}

/** Numbered by the events table itself, so a listener that was away for days misses nothing. */
function eventFeed(rm: Ringmaster): EventFeed {
  return {
    head: () => Promise.resolve(String(allEvents(rm, { limit: 1 }).at(-1)?.id ?? 0)),
    accepts: (id) => /^\d{1,15}$/u.test(id),
    async *open(since, signal): AsyncGenerator<StreamEvent, void, undefined> {
      for await (const event of followEvents(rm, { since: Number(since) }, signal)) {
        yield { id: String(event.id), event: 'event', data: shownEvent(event) };
      }
    },
  };
}

/** `ITERATION-OFFSET`: where the piece ends. */
function logFeed(rm: Ringmaster, task: string): EventFeed {
  return {
    head: () => Promise.resolve('0-0'),
    accepts: (id) => /^\d{1,9}-\d{1,15}$/u.test(id),
    async *open(since, signal): AsyncGenerator<StreamEvent, void, undefined> {
      const [iteration = 0, offset = 0] = since.split('-').map(Number);
      const from = iteration === 0 ? undefined : { iteration, offset };
      for await (const piece of followLog(rm, { task, from }, signal)) {
        yield { id: `${piece.iteration}-${piece.offset}`, event: 'log', data: piece };
      }
      yield { id: since, event: 'end', data: null };
    },
  };
}
