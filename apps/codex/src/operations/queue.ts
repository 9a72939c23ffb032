import {
  boolean,
  choice,
  integer,
  list,
  nullable,
  number,
  object,
  operationsOf,
  optional,
  pageFields,
  pageOf,
  text,
  time,
  withDefault,
  type ObjectValue,
} from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import { EVENT_STATUSES } from '../model/event.ts';
import type { Codex } from '../service/codex.ts';
import { eventObject, notebookField, queueErrors, READ, waitField, WRITE } from './fields.ts';

const defineOperation = operationsOf<Codex>();
const id = integer('Id of the event', { min: 0, label: 'event' });
const eventInput = { id } as const;
export type EventInput = ObjectValue<typeof eventInput>;
const NOT_BY_AGENTS = 'An agent sees failures in the answers to its own operations';
const errors = [codexErrors.EVENT_NOT_FOUND, codexErrors.EVENT_STATE, codexErrors.EVENT_OVERTAKEN] as const;

const listEventsInput = {
  notebook: optional(text('Only operations in this notebook', { min: 1, label: 'notebook' })),
  status: optional(choice(EVENT_STATUSES, 'Only operations with this status')),
  ...pageFields,
} as const;
export type ListEventsInput = ObjectValue<typeof listEventsInput>;

export const listEvents = defineOperation({
  name: 'event.list',
  summary: 'Show the operations in the queue, newest first',
  permission: READ,
  input: listEventsInput,
  output: pageOf(eventObject),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: NOT_BY_AGENTS },
  run: async () => (await import('../service/events.ts')).listEvents,
});

export const showEvent = defineOperation({
  name: 'event.show',
  summary: 'Show one operation in the queue',
  permission: READ,
  input: eventInput,
  output: eventObject,
  errors: [codexErrors.EVENT_NOT_FOUND],
  absent: { mcp: 'The tool `wait` shows the state of an event' },
  run: async () => (await import('../service/events.ts')).showEvent,
});

const waitForEventInput = {
  id,
  wait: withDefault(number('Seconds to wait', { min: 0, max: 300, label: 'seconds' }), 30),
} as const;
export type WaitForEventInput = ObjectValue<typeof waitForEventInput>;

export const waitForEvent = defineOperation({
  name: 'event.wait',
  summary: 'Wait until a queued operation finishes',
  description: 'On timeout, returns the current event with `timed_out: true`.',
  permission: READ,
  input: waitForEventInput,
  output: object({ ...eventObject.fields, timed_out: boolean() }),
  errors: [codexErrors.EVENT_NOT_FOUND],
  run: async () => (await import('../service/events.ts')).waitForEvent,
});

const retryEventInput = { id, wait: waitField } as const;
export type RetryEventInput = ObjectValue<typeof retryEventInput>;

export const retryEvent = defineOperation({
  name: 'event.retry',
  summary: 'Retry a failed operation',
  permission: WRITE,
  input: retryEventInput,
  output: eventObject,
  errors,
  absent: { mcp: NOT_BY_AGENTS },
  run: async () => (await import('../service/events.ts')).retryEvent,
});

export const discardEvent = defineOperation({
  name: 'event.discard',
  summary: 'Discard a failed operation',
  permission: WRITE,
  input: eventInput,
  output: eventObject,
  errors,
  absent: { mcp: NOT_BY_AGENTS },
  run: async () => (await import('../service/events.ts')).discardEvent,
});

export const cancelEvent = defineOperation({
  name: 'event.cancel',
  summary: 'Cancel an operation that has not started',
  permission: WRITE,
  input: eventInput,
  output: eventObject,
  errors,
  absent: { mcp: NOT_BY_AGENTS },
  run: async () => (await import('../service/events.ts')).cancelEvent,
});

const commitNowInput = {
  notebook: notebookField,
  message: optional(text('First line of the commit message', { max: 10_000, label: 'text' })),
  wait: withDefault(number('Seconds to wait for the commit', { min: 0, max: 300, label: 'seconds' }), 30),
} as const;
export type CommitNowInput = ObjectValue<typeof commitNowInput>;

export const commitNow = defineOperation({
  name: 'queue.commit',
  summary: 'Commit everything queued so far to git',
  permission: WRITE,
  input: commitNowInput,
  output: object({ commit_sha: nullable(text()), event_id: integer() }),
  errors: [...queueErrors, codexErrors.GIT_PAUSED, codexErrors.GIT_UNAVAILABLE, codexErrors.WAIT_TIMEOUT],
  run: async () => (await import('../service/events.ts')).commitNow,
});

const series = list(nullable(number()), { summary: 'Maximum in each interval; null if nothing was measured' });

const queueHistoryInput = {
  minutes: withDefault(integer('Minutes to look back', { min: 1, max: 1_440 }), 60),
} as const;
export type QueueHistoryInput = ObjectValue<typeof queueHistoryInput>;

export const queueHistory = defineOperation({
  name: 'queue.history',
  summary: 'Show throughput and waiting times of the queue over time',
  description:
    'Throughput is counted from the events. The server samples waiting times every five seconds and keeps them in ' +
    'memory for a day; a restart clears them.',
  permission: READ,
  input: queueHistoryInput,
  output: object({
    at: list(time(), { summary: 'Start of each interval; all lists have the same length' }),
    throughput_per_minute: list(number(), { summary: 'Operations completed' }),
    pending: series,
    oldest_pending_seconds: series,
    git_lag_seconds: series,
  }),
  absent: { cli: 'Only a server samples the queue', mcp: 'Only people look at plots' },
  run: async () => (await import('../service/metrics.ts')).queueHistory,
});
