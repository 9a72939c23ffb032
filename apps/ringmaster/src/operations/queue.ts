import {
  boolean,
  choice,
  type GivenObject,
  integer,
  nullable,
  number,
  object,
  optional,
  pageOf,
  text,
} from '@holdfast/operation';

import { failureClasses, reportStatuses } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { allOf, defineOperation, PEOPLE_ONLY, project, taskId, taskObject, WRITE } from './fields.ts';

const token = integer('Token that claim returned', { min: 1 });
const leaseSeconds = optional(
  number('Lease duration: send the next heartbeat within this time', { min: 0.05, label: 'seconds' }),
);
const OUTPUT_MAX = 16 * 1024 * 1024;
const tokenErrors = [ringmasterErrors.ATTEMPT_NOT_FOUND, ringmasterErrors.STALE_TOKEN] as const;

export const claimTask = defineOperation({
  name: 'queue.claim',
  summary: 'Claim the best task for a worker, or explain why no task is available',
  description: 'Heartbeats and the report need the token. The token becomes invalid when the lease expires.',
  permission: WRITE,
  input: {
    worker: text('Name of the worker, which is added if it does not exist', { min: 1 }),
    project,
    pid: optional(integer('Id of the process that will do the work', { min: 1 })),
    lease_seconds: leaseSeconds,
  },
  output: object({
    task: nullable(taskObject),
    token: nullable(integer()),
    attempt: nullable(integer('Number of the attempt')),
    lease_expires_at: nullable(text()),
    reason: nullable(text('Why no task was claimed; null if a task was claimed')),
  }),
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.ID_INVALID, ringmasterErrors.WORKER_UNAVAILABLE],
  run: async () => {
    const { claimNext } = await import('../service/queue.ts');
    const { whyNoTask } = await import('../service/ready.ts');
    return async (rm, input) => {
      const claimed = await claimNext(rm, input);
      if (claimed === undefined) {
        return { task: null, token: null, attempt: null, lease_expires_at: null, reason: whyNoTask(rm, input) };
      }
      const { id, number: attempt, lease_expires_at } = claimed.attempt;
      return { task: claimed.task, token: id, attempt, lease_expires_at, reason: null };
    };
  },
});

export const heartbeat = defineOperation({
  name: 'queue.heartbeat',
  summary: 'Extend the lease of a claimed task; stop working if the reply has cancel: true',
  permission: WRITE,
  input: { token, progress: optional(text('Progress so far', { max: 10_000 })), lease_seconds: leaseSeconds },
  output: object({ task_id: text(), lease_expires_at: text(), cancel: boolean() }),
  errors: tokenErrors,
  run: async () => (await import('../service/queue.ts')).heartbeat,
});

const report = {
  token,
  task: optional(taskId('Task id; the report is refused if the token is for another task')),
  status: choice(reportStatuses, 'Result'),
  failure_class: optional(choice(failureClasses, 'Cause of a failure')),
  reason: optional(text('Reason for the result', { max: 10_000 })),
  output: optional(text('Everything the worker printed', { max: OUTPUT_MAX, allowsNul: true })),
} as const;
export type Report = GivenObject<typeof report>;

export const reportTask = defineOperation({
  name: 'queue.report',
  summary: 'Report the result of a claimed task',
  description: 'Only failures of class "task" count towards max_attempts.',
  permission: WRITE,
  input: report,
  output: taskObject,
  errors: [...tokenErrors, ringmasterErrors.DECISION_OPEN],
  run: async () => (await import('../service/queue.ts')).report,
});

export const reapTasks = defineOperation({
  name: 'queue.reap',
  summary: 'Reclaim tasks whose lease has expired',
  permission: WRITE,
  input: {},
  output: pageOf(text('Task id')),
  absent: PEOPLE_ONLY,
  run: async () => {
    const { reapExpired } = await import('../service/queue.ts');
    return async (rm) => allOf(await reapExpired(rm));
  },
});
