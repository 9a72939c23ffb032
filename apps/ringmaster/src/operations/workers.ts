import * as f from '@holdfast/operation';

import { parkKinds } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { workerTypes } from '../model/presets.ts';
import { defineOperation, listed, maybeText, PEOPLE_ONLY, READ, WRITE } from './fields.ts';

const workerObject = f.object({
  id: f.text(),
  name: f.text(),
  type: f.text(),
  status: f.text(),
  current_task_id: maybeText,
  command: f.text(),
  capabilities: f.list(f.text()),
  max_concurrent: f.integer(),
  timeout_seconds: f.integer(),
  parked_until: f.nullable(
    f.text('The worker gets no tasks before this time, because its service or program has a problem'),
  ),
  parked_kind: f.nullable(f.choice(parkKinds)),
  parked_reason: maybeText,
  paused_at: maybeText,
  last_active_at: maybeText,
  attempts: f.integer(),
  running: f.integer(),
  succeeded: f.integer(),
  failed: f.integer(),
  other: f.integer(),
  success_rate: f.nullable(f.number()),
  average_seconds: f.nullable(f.number()),
  iterations: f.integer(),
  cost_usd: f.nullable(f.number()),
  input_tokens: f.nullable(f.integer()),
  output_tokens: f.nullable(f.integer()),
});

export const parkedWorker = f.object({
  id: f.text(),
  kind: f.choice(parkKinds),
  until: f.text('Time of the next try'),
  reason: f.text(),
});
export type ParkedWorker = f.ValueOf<typeof parkedWorker>;

const newWorker = {
  worker: f.text('Worker id', { min: 1 }),
  name: f.optional(f.text('Display name')),
  type: f.withDefault(
    f.choice(workerTypes, 'Type of the worker: a coding agent, a custom program, or a worker that claims tasks itself'),
    'manual',
  ),
  command: f.withDefault(f.text('Program to run; empty for a worker that claims tasks itself'), ''),
  capabilities: f.optionalList(f.text('Capability of the worker')),
  max_concurrent: f.optional(f.integer('Maximum number of tasks at once', { min: 1, label: 'count' })),
  timeout_seconds: f.optional(f.integer('Time limit for one turn', { min: 1, label: 'seconds' })),
} as const;
export type NewWorker = f.GivenObject<typeof newWorker>;

export type ShownWorker = f.ValueOf<typeof workerObject>;

export const addWorker = defineOperation({
  name: 'worker.add',
  summary: 'Add a worker that is not in ringmaster.toml',
  permission: WRITE,
  input: newWorker,
  output: workerObject,
  errors: [ringmasterErrors.WORKER_EXISTS, ringmasterErrors.ID_INVALID],
  absent: { ...PEOPLE_ONLY, http: 'A worker runs a command on this machine' },
  run: async () => (await import('../service/workers.ts')).addWorker,
});

export const listWorkers = defineOperation({
  name: 'worker.list',
  summary: 'List workers with their results',
  permission: READ,
  input: {},
  output: f.pageOf(workerObject),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/workers.ts')).allWorkers),
});

export const pauseWorkers = defineOperation({
  name: 'worker.pause',
  summary: 'Pause or resume one worker or all workers; a paused worker gets no new tasks',
  permission: WRITE,
  input: {
    worker: f.optional(f.text('Worker id; default: all workers', { min: 1 })),
    paused: f.boolean('True to pause, false to resume'),
  },
  output: f.object({ worker_id: maybeText, status: maybeText, paused_at: maybeText }),
  errors: [ringmasterErrors.WORKER_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/workers.ts')).pauseWorkers,
});

export const workerOutput = defineOperation({
  name: 'worker.output',
  summary: 'Show the last lines that each running worker printed',
  permission: READ,
  input: { lines: f.withDefault(f.integer('Number of lines for each worker', { min: 1, max: 20, label: 'count' }), 3) },
  output: f.pageOf(f.object({ task_id: f.text(), lines: f.list(f.text()) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/logs.ts')).logTails),
});
