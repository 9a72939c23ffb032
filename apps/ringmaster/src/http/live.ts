/** Event streams of a workspace and of worker output. */
import { defineRoute, type EventFeed, events, sse, type StreamEvent } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { READ } from '../operations/fields.ts';
import { followLog } from '../service/logs.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { allEvents, followEvents } from '../service/status.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { requestWorkspace } from './routes.ts';

const { LOG_NOT_FOUND, TASK_NOT_FOUND, WORKSPACE_NOT_FOUND } = ringmasterErrors;
const since = z.object({
  since: z.string().optional().meta({ description: 'Id of the last event that the client has seen' }),
});
const eventSchema = z.object({
  id: z.int(),
  event_type: z.string(),
  entity_type: z.string(),
  entity_id: z.string(),
  created_at: z.string(),
  actor_type: z.string(),
  actor_id: z.string().nullable(),
  data: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
});
const logPieceSchema = z.object({ iteration: z.int(), offset: z.int(), text: z.string() });

export function liveRoutes(workspaces: Workspaces) {
  const live = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/events/live',
    permission: READ,
    summary: 'Stream events as they happen, starting after the last one that the client has seen',
    request: { query: since },
    responses: { 200: events(eventSchema) },
    errors: [WORKSPACE_NOT_FOUND],
    handler: async (input) => sse(input, { feed: eventFeed(await requestWorkspace(workspaces, input)) }),
  });
  const log = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{task}/log/live',
    permission: READ,
    summary: 'Stream the output of a worker until the attempt ends',
    request: { query: since },
    responses: { 200: events(logPieceSchema) },
    errors: [WORKSPACE_NOT_FOUND, TASK_NOT_FOUND, LOG_NOT_FOUND],
    handler: async (input) =>
      sse(input, { feed: logFeed(await requestWorkspace(workspaces, input), input.params.task) }),
  });
  return [live, log] as const;
}

/** Ids come from the events table, so a client can resume days later without missing an event. */
function eventFeed(rm: Ringmaster): EventFeed {
  return {
    head: () => Promise.resolve(String(allEvents(rm, { limit: 1 }).at(-1)?.id ?? 0)),
    accepts: (id) => /^\d{1,15}$/u.test(id),
    async *open(last, signal): AsyncGenerator<StreamEvent, void, undefined> {
      for await (const { correlation_id: _, ...event } of followEvents(rm, { since: Number(last) }, signal)) {
        yield { id: String(event.id), event: 'event', data: event };
      }
    },
  };
}

/** Ids are `ITERATION-OFFSET`, where the offset is the end of the log piece. */
function logFeed(rm: Ringmaster, task: string): EventFeed {
  return {
    head: () => Promise.resolve('0-0'),
    accepts: (id) => /^\d{1,9}-\d{1,15}$/u.test(id),
    async *open(last, signal): AsyncGenerator<StreamEvent, void, undefined> {
      const [iteration = 0, offset = 0] = last.split('-').map(Number);
      const from = iteration === 0 ? undefined : { iteration, offset };
      for await (const piece of followLog(rm, { task, from }, signal)) {
        yield { id: `${piece.iteration}-${piece.offset}`, event: 'log', data: piece };
      }
      yield { id: last, event: 'end', data: null };
    },
  };
}
