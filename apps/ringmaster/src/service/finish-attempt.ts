import { SECOND, toTimestamp } from '@holdfast/base';

import { type FailureClass, retryDelaySeconds } from '../model/attempt.ts';
import type { Task, TaskStatus } from '../model/task.ts';
import { type Attempt, endAttempt, lostInARow, type Outcome } from '../store/attempts.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { parkWorker } from '../store/workers.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface Ending {
  readonly outcome: Outcome;
  readonly failureClass: FailureClass | null;
  readonly reason: string | null;
  readonly outputPath: string | null;
  /** When a rate limit ends, if the worker said so; default: from the settings. */
  readonly parkUntil?: string | undefined;
}

const eventTypes: Readonly<Record<Outcome, string>> = {
  succeeded: 'task_completed',
  failed: 'task_failed',
  review: 'task_in_review',
  blocked: 'task_blocked',
  expired: 'lease_expired',
  released: 'task_released',
};

/** Ends an attempt and updates its task within the caller's transaction; returns the updated task. */
export function finishAttempt(tx: Tx, rm: Ringmaster, call: Call, attempt: Attempt, ending: Ending): Task {
  const before = existingTask(tx, attempt.task_id);
  endAttempt(tx, attempt.id, { ...ending, now: call.now });
  const changes = nextState(rm, call, before, {
    ...ending,
    isCancelled: wasCancelled(attempt, ending),
    lostInARow: lostInARow(tx, before.id),
  });
  updateTask(tx, before.id, { ...changes, ...(ending.outputPath === null ? {} : { output_path: ending.outputPath }) });
  if (ending.failureClass === 'rate_limit') {
    const until = toTimestamp(Date.parse(call.now) + rm.config.queue.rate_limit_seconds * SECOND);
    parkWorker(tx, attempt.worker_id, ending.parkUntil ?? until);
  }
  const after = existingTask(tx, before.id);
  recordEvent(tx, call, {
    type: after.status === 'ready' && ending.outcome === 'failed' ? 'task_retry' : eventTypes[ending.outcome],
    entity: 'task',
    id: before.id,
    data: { token: attempt.id, worker_id: attempt.worker_id, class: ending.failureClass, reason: ending.reason },
    before: { status: before.status, failures: before.failures },
    after: { status: after.status, failures: after.failures, next_eligible_at: after.next_eligible_at },
  });
  return after;
}

/** A cancelled task must not restart by itself, whatever its worker reported. */
function wasCancelled({ cancel_requested_at }: Attempt, { failureClass }: Ending): boolean {
  return failureClass === 'cancelled' || cancel_requested_at !== null;
}

interface Judged extends Ending {
  readonly isCancelled: boolean;
  /** Consecutive expired leases of this task. */
  readonly lostInARow: number;
}

function nextState(rm: Ringmaster, call: Call, task: Task, ending: Judged): Partial<Task> {
  const { outcome, failureClass, reason } = ending;
  // A person changed the status meanwhile; that wins.
  if (task.status !== 'assigned' && task.status !== 'in_progress') return {};
  if (outcome === 'succeeded') return to('done', { completed_at: call.now });
  if (outcome === 'review') return to('review');
  if (outcome === 'blocked') return to('blocked', { blocked_reason: reason });
  if (ending.isCancelled) return to('draft');
  if (outcome === 'released') return to('ready');
  // An expired lease is not a failure of the task, but repeated ones must slow it down.
  if (failureClass !== 'task') {
    return to('ready', { last_failure: reason, ...later(rm, call, ending.lostInARow - 1) });
  }
  const failures = task.failures + 1;
  if (failures >= task.max_attempts) return to('failed', { failures, last_failure: reason });
  return to('ready', { failures, last_failure: reason, ...later(rm, call, failures) });
}

/** Delays the next attempt by the number of failures. */
function later(rm: Ringmaster, { now }: Call, failures: number): Partial<Task> {
  if (failures < 1) return {};
  const { retry_base_seconds, retry_max_seconds } = rm.config.queue;
  const settings = { baseSeconds: retry_base_seconds, maxSeconds: retry_max_seconds };
  const delay = retryDelaySeconds(failures, settings, rm.random) * SECOND;
  return { next_eligible_at: toTimestamp(Date.parse(now) + delay) };
}

function to(status: TaskStatus, more: Partial<Task> = {}): Partial<Task> {
  return { status, ...more };
}

/** A task that was interrupted this often most likely causes the interruptions itself. */
export function isTooOften({ config }: Ringmaster, times: number): boolean {
  return times >= config.queue.max_interruptions;
}

/**
 * How an interrupted attempt ends: its task becomes ready again, unless it was interrupted too often; then a person has
 * to look at it. A cancelled task is not blocked.
 */
export function interruption(rm: Ringmaster, attempt: Attempt, times: number, reason: string): Ending {
  const isBlocked = isTooOften(rm, times) && attempt.cancel_requested_at === null;
  return {
    outcome: isBlocked ? 'blocked' : 'expired',
    failureClass: 'infrastructure',
    reason: isBlocked ? `${reason}, ${times} times in a row: it does not restart by itself` : reason,
    outputPath: null,
  };
}
