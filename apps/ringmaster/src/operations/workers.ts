import {
  boolean,
  type GivenObject,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  optionalList,
  pageOf,
  text,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, maybeText, PEOPLE_ONLY, READ, WRITE } from './fields.ts';

const workerObject = object({
  id: text(),
  name: text(),
  type: text(),
  status: text(),
  current_task_id: maybeText,
  command: text(),
  capabilities: list(text()),
  max_concurrent: integer(),
  timeout_seconds: integer(),
  parked_until: nullable(text('Until its rate limit ends')),
  paused_at: maybeText,
  last_active_at: maybeText,
  attempts: integer(),
  running: integer(),
  succeeded: integer(),
  failed: integer(),
  other: integer(),
  success_rate: nullable(number()),
  average_seconds: nullable(number()),
  iterations: integer(),
  cost_usd: nullable(number()),
  input_tokens: nullable(integer()),
  output_tokens: nullable(integer()),
});

const newWorker = {
  worker: text('Worker id', { min: 1 }),
  name: optional(text('Display name')),
  type: withDefault(text('claude-code, codex, aider, …'), 'manual'),
  command: withDefault(text('Program that it runs; empty for one that claims tasks itself'), ''),
  capabilities: optionalList(text('Something it can do')),
  max_concurrent: optional(integer('Number of tasks at once', { min: 1, label: 'count' })),
  timeout_seconds: optional(integer('Longest time for one turn', { min: 1, label: 'seconds' })),
} as const;
export type NewWorker = GivenObject<typeof newWorker>;

export type ShownWorker = ValueOf<typeof workerObject>;

export const addWorker = defineOperation({
  name: 'worker.add',
  summary: 'Add a worker that ringmaster.toml does not name',
  permission: WRITE,
  input: newWorker,
  output: workerObject,
  errors: [ringmasterErrors.WORKER_EXISTS, ringmasterErrors.ID_INVALID],
  absent: { ...PEOPLE_ONLY, http: 'A worker names a command that runs on this machine' },
  run: async () => (await import('../service/workers.ts')).addWorker,
});

export const listWorkers = defineOperation({
  name: 'worker.list',
  summary: 'List workers with their results',
  permission: READ,
  input: {},
  output: pageOf(workerObject),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/workers.ts')).allWorkers),
});

export const pauseWorkers = defineOperation({
  name: 'worker.pause',
  summary: 'Pause or resume a worker, or all: a paused worker gets no new tasks',
  permission: WRITE,
  input: { worker: optional(text('Worker id; default: all workers', { min: 1 })), paused: boolean('Pause, or resume') },
  output: object({ worker_id: maybeText, status: maybeText, paused_at: maybeText }),
  errors: [ringmasterErrors.WORKER_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/workers.ts')).pauseWorkers,
});

export const workerOutput = defineOperation({
  name: 'worker.output',
  summary: 'Show the last lines that each running worker printed',
  permission: READ,
  input: { lines: withDefault(integer('Lines of each worker', { min: 1, max: 20, label: 'count' }), 3) },
  output: pageOf(object({ task_id: text(), lines: list(text()) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/logs.ts')).logTails),
});
