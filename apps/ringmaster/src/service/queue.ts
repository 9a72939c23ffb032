import { awakeClock, failpoint, identityOf, isWorking, SECOND, toTimestamp } from '@holdfast/base';

import { inside, sha256, writeImmutable } from '../adapters/files.ts';
import {
  type FailureClass,
  iterationPath,
  leaseEnd,
  type ParkKind,
  type ReportStatus,
  retryDelaySeconds,
} from '../model/attempt.ts';
import { waitsForAnswer } from '../model/decisions.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Task, TaskStatus } from '../model/task.ts';
import type { Report } from '../operations/queue.ts';
import {
  type Attempt,
  claimBest,
  consecutiveExpiries,
  endAttempt,
  expiredAttempts,
  liveAttempt,
  type Outcome,
  renewLease,
  rowsOfClaim,
} from '../store/attempts.ts';
import { type Call, type Notice, recordEvent, type Situation } from '../store/events.ts';
import { registerFile } from '../store/files.ts';
import { listInquiries, openDecision } from '../store/inquiries.ts';
import { lastIterationNumber } from '../store/iterations.ts';
import { type ExpiredLeases, readExpiredLeases, writeExpiredLeases } from '../store/meta.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { reachedBudgets } from './budget.ts';
import { closeEpics } from './epics.ts';
import { writeTaskFiles } from './projections.ts';
import { refreshRanks } from './rank.ts';
import { callOf, type Ringmaster, workerCall } from './ringmaster.ts';
import { parkWorker, registerWorker, unparkWorker } from './workers.ts';

export interface ClaimInput {
  readonly worker: string;
  readonly project?: string | undefined;
  /** The process that will do the work. If it still runs when the lease expires, the lease is extended once. */
  readonly pid?: number | undefined;
  readonly lease_seconds?: number | undefined;
}

interface ClaimWith extends ClaimInput {
  /** Claims only this task, even before its retry is due. */
  readonly task?: string;
  /** Ids of projects whose tasks the worker cannot take. */
  readonly without?: readonly string[];
  /** Runs in the same commit as the claim and returns the rows that it changed. */
  readonly also?: (tx: Tx, attempt: Attempt) => ReturnType<typeof rowsOfClaim>;
}

export interface Claimed {
  readonly task: Task;
  readonly attempt: Attempt;
}

const RANKS_AGE_MAX = 10 * SECOND;

/**
 * Claims the next task. Before that, reclaims lost tasks and refreshes ranks, so that workers need no maintenance
 * process.
 */
export async function claimNext(rm: Ringmaster, input: ClaimInput): Promise<Claimed | undefined> {
  await registerWorker(rm, input.worker);
  await reapExpired(rm);
  await refreshRanks(rm, { olderThanMs: RANKS_AGE_MAX });
  return claim(rm, input);
}

/**
 * Claims a task: writes task, attempt, worker and event in one commit. Returns undefined if the worker can take no
 * task.
 */
export function claim(rm: Ringmaster, input: ClaimWith): Promise<Claimed | undefined> {
  const identity = input.pid === undefined ? undefined : identityOf(input.pid);
  return rm.store.writeDescribed(`claim ${input.worker}`, (tx, describe) => {
    // Reads the time while holding the lock, so that waiting for the lock does not shorten the lease.
    const call = workerCall(rm, input.worker);
    if (input.project !== undefined) chosenProject(tx, input.project);
    const reached = reachedBudgets(tx, rm);
    if (reached.some(({ scope }) => scope === 'day')) return undefined;
    const claimed = claimBest(tx, {
      worker: input.worker,
      project: input.project,
      heldProjects: [...reached.map(({ id }) => id), ...(input.without ?? [])],
      task: input.task,
      now: call.now,
      leaseUntil: leaseEnd(call.now, input.lease_seconds ?? rm.config.queue.lease_seconds),
      process: identity,
    });
    if (claimed === undefined) return undefined;
    const { task, attempt } = claimed;
    const event = recordEvent(tx, call, {
      type: 'task_assigned',
      entity: 'task',
      id: task.id,
      data: { worker_id: attempt.worker_id, token: attempt.id, number: attempt.number },
      before: { status: task.status, worker_id: task.worker_id },
      after: { status: 'assigned', worker_id: attempt.worker_id },
    });
    describe([...rowsOfClaim(tx, claimed, event), ...(input.also?.(tx, attempt) ?? [])]);
    return {
      attempt,
      task: { ...task, status: 'assigned', worker_id: attempt.worker_id, attempts: attempt.number },
    };
  });
}

export interface Heartbeat {
  readonly token: number;
  readonly progress?: string | undefined;
  readonly lease_seconds?: number | undefined;
}

export interface HeartbeatReply {
  readonly task_id: string;
  readonly lease_expires_at: string;
  /** True if a person cancelled the task. The worker must stop and report the task as released. */
  readonly cancel: boolean;
}

export function heartbeat(rm: Ringmaster, { token, progress, lease_seconds }: Heartbeat): Promise<HeartbeatReply> {
  return rm.store.write(`heartbeat ${token}`, (tx) => {
    const attempt = liveAttempt(tx, token);
    const call = workerCall(rm, attempt.worker_id);
    const until = leaseEnd(call.now, lease_seconds ?? rm.config.queue.lease_seconds);
    renewLease(tx, token, call.now, until, progress ?? null);
    if (existingTask(tx, attempt.task_id).status === 'assigned') {
      updateTask(tx, attempt.task_id, { status: 'in_progress' });
      recordEvent(tx, call, { type: 'task_started', entity: 'task', id: attempt.task_id, data: { token } });
    }
    return { task_id: attempt.task_id, lease_expires_at: until, cancel: attempt.cancel_requested_at !== null };
  });
}

const outcomes: Readonly<Record<ReportStatus, Outcome>> = {
  completed: 'succeeded',
  failed: 'failed',
  review: 'review',
  blocked: 'blocked',
  released: 'released',
};

/** Ends an attempt. With a stale token, changes neither the task nor its files. */
export async function report(rm: Ringmaster, input: Report): Promise<Task> {
  const attempt = liveAttempt(rm.store.reader, input.token);
  if (input.task !== undefined && input.task !== attempt.task_id) {
    throw ringmasterErrors.ATTEMPT_NOT_FOUND(`Token ${input.token} is for ${attempt.task_id}, not for ${input.task}`);
  }
  const file = input.output === undefined ? undefined : keepOutput(rm, attempt, Buffer.from(input.output));
  failpoint('ringmaster.report.file');
  const task = await rm.store.write(`report ${input.token}`, (tx) => {
    const live = liveAttempt(tx, input.token);
    const call = workerCall(rm, live.worker_id);
    if (input.status === 'completed') refuseOpenDecision(tx, live);
    if (file !== undefined) registerFile(tx, { ...file, kind: 'iteration', created_at: call.now });
    const [open] = listInquiries(tx, { about: live.task_id, all: false });
    const ended = finishAttempt(tx, rm, call, live, {
      outcome: outcomes[input.status],
      failureClass: input.failure_class ?? (input.status === 'failed' ? 'task' : null),
      reason: input.reason ?? null,
      outputPath: file?.path ?? null,
      isAsked: input.status === 'blocked' && open !== undefined,
    });
    if (ended.status === 'failed') closeEpics(tx, call, ended);
    if (ended.status !== 'blocked' || open === undefined) return ended;
    // The task has an unanswered question or decision. The answer makes the task ready again.
    updateTask(tx, ended.id, { blocked_reason: waitsForAnswer(openDecision(tx, ended.id) ?? open.task_id) });
    return existingTask(tx, ended.id);
  });
  writeTaskFiles(rm, task.id);
  return task;
}

function refuseOpenDecision(tx: Tx, { task_id, id: token }: Attempt): void {
  const open = openDecision(tx, task_id);
  if (open === undefined) return;
  throw ringmasterErrors.DECISION_OPEN(`${task_id} waits for the decision ${open}, so it cannot be completed`, {
    details: { decision: open },
    hint: `Give the task back with 'ringmaster report ${task_id} --token ${token} -s blocked', or wait for the answer.`,
  });
}

/**
 * Writes the output to a file before any row refers to it. The file's number is higher than the number of every turn so
 * far.
 */
function keepOutput(
  rm: Ringmaster,
  { task_id, number }: Attempt,
  output: Uint8Array,
): { readonly path: string; readonly bytes: number; readonly sha256: string } {
  const path = iterationPath(task_id, Math.max(number, lastIterationNumber(rm.store.reader, task_id) + 1), 'log');
  writeImmutable(inside(rm.workspace.filesPath, path), output);
  return { path, bytes: output.length, sha256: sha256(output) };
}

export interface Ending {
  readonly outcome: Outcome;
  readonly failureClass: FailureClass | null;
  readonly reason: string | null;
  readonly outputPath: string | null;
  /** Set if the worker itself cannot work for now. */
  readonly park?: ParkKind | undefined;
  /** True if an inquiry already notifies people about this ending. */
  readonly isAsked?: boolean;
}

const eventTypes: Readonly<Record<Outcome, string>> = {
  succeeded: 'task_completed',
  no_change: 'task_unchanged',
  failed: 'task_failed',
  review: 'task_in_review',
  blocked: 'task_blocked',
  expired: 'lease_expired',
  released: 'task_released',
};

/** Ends an attempt and updates its task within the caller's transaction; returns the updated task. */
export function finishAttempt(tx: Tx, rm: Ringmaster, call: Call, attempt: Attempt, ending: Ending): Task {
  const before = existingTask(tx, attempt.task_id);
  const { outcome, failureClass: failure_class, reason, outputPath: output_path } = ending;
  endAttempt(tx, attempt.id, { ended_at: call.now, outcome, failure_class, reason, output_path });
  const changes = nextState(rm, call, before, {
    ...ending,
    isCancelled: wasCancelled(attempt, ending),
    consecutiveExpiries: consecutiveExpiries(tx, before.id),
  });
  updateTask(tx, before.id, { ...changes, ...(ending.outputPath === null ? {} : { output_path: ending.outputPath }) });
  const park = ending.park ?? (failure_class === 'rate_limit' ? 'rate_limited' : undefined);
  if (park !== undefined) parkWorker(tx, rm, call, attempt.worker_id, { kind: park, reason: reason ?? '' });
  // Every other outcome that concerns only the task shows that the worker's problem is over.
  else if (failure_class === null || failure_class === 'task') unparkWorker(tx, call, attempt.worker_id);
  const after = existingTask(tx, before.id);
  recordEvent(tx, call, {
    type: after.status === 'ready' && ending.outcome === 'failed' ? 'task_retry' : eventTypes[ending.outcome],
    entity: 'task',
    id: before.id,
    data: { token: attempt.id, worker_id: attempt.worker_id, class: ending.failureClass, reason: ending.reason },
    before: { status: before.status, failures: before.failures },
    after: { status: after.status, failures: after.failures, next_eligible_at: after.next_eligible_at },
    notify: before.status === after.status || ending.isAsked === true ? undefined : noticeOf(after),
  });
  if (after.status === 'done') closeEpics(tx, call, after);
  return after;
}

/** Returns the notification about a task that cannot continue without a person. */
function noticeOf({ id, title, status, blocked_reason, last_failure }: Task): Notice | undefined {
  const texts = new Map<TaskStatus, string>([
    ['review', 'is ready for review'],
    ['blocked', `is blocked: ${blocked_reason ?? 'no reason given'}`],
    ['failed', `failed: ${last_failure ?? 'no reason given'}`],
  ]);
  const text = texts.get(status);
  return text === undefined ? undefined : { situation: status as Situation, text: `${id} ${title} ${text}`, task: id };
}

/** Returns whether a person cancelled the task. It must then not restart, even if its worker reports a failure. */
function wasCancelled({ cancel_requested_at }: Attempt, { failureClass }: Ending): boolean {
  return failureClass === 'cancelled' || cancel_requested_at !== null;
}

interface Judged extends Ending {
  readonly isCancelled: boolean;
  readonly consecutiveExpiries: number;
}

function nextState(rm: Ringmaster, call: Call, task: Task, ending: Judged): Partial<Task> {
  const { outcome, failureClass, reason } = ending;
  // If a person has changed the status during the attempt, their change stays.
  if (task.status !== 'assigned' && task.status !== 'in_progress') return {};
  if (outcome === 'succeeded') return to('done', { completed_at: call.now });
  if (outcome === 'review') return to('review');
  if (outcome === 'blocked' || outcome === 'no_change') return to('blocked', { blocked_reason: reason });
  if (ending.isCancelled) return to('draft');
  if (outcome === 'released') return to('ready');
  // An expired lease is not a failure of the task, but repeated expiries must delay its next attempt.
  if (failureClass !== 'task') {
    return to('ready', { last_failure: reason, ...later(rm, call, ending.consecutiveExpiries - 1) });
  }
  const failures = task.failures + 1;
  if (failures >= task.max_attempts) return to('failed', { failures, last_failure: reason });
  return to('ready', { failures, last_failure: reason, ...later(rm, call, failures) });
}

function later(rm: Ringmaster, { now }: Call, failures: number): Partial<Task> {
  if (failures < 1) return {};
  const delay = retryDelaySeconds(failures, rm.config.queue, rm.random) * SECOND;
  return { next_eligible_at: toTimestamp(Date.parse(now) + delay) };
}

function to(status: TaskStatus, more: Partial<Task> = {}): Partial<Task> {
  return { status, ...more };
}

/** Returns whether a task was interrupted so often that the task itself is probably the cause. */
export function isInterruptedTooOften({ config }: Ringmaster, times: number): boolean {
  return times >= config.queue.max_interruptions;
}

/**
 * Returns how an interrupted attempt ends. The task becomes ready again. After too many interruptions it is blocked
 * instead, so that a person examines it. A cancelled task is not blocked.
 */
export function interruption(rm: Ringmaster, attempt: Attempt, times: number, reason: string): Ending {
  const isBlocked = isInterruptedTooOften(rm, times) && attempt.cancel_requested_at === null;
  return {
    outcome: isBlocked ? 'blocked' : 'expired',
    failureClass: 'infrastructure',
    reason: isBlocked ? `${reason}, ${times} times in a row: it does not restart automatically` : reason,
    outputPath: null,
  };
}

/**
 * Takes back tasks whose lease has expired. If the process that holds a task is still running, its lease is extended
 * once by the same duration: a late heartbeat is more likely than a hang. The extension starts when ringmaster first
 * sees the expiry, because a suspended machine or a changed clock makes all leases expire at once. Long-running callers
 * keep the times of these first sightings in `remembered`; for others, the database stores them. After a task has
 * been taken back, a report by its former worker is refused, because the token is stale.
 */
export async function reapExpired(rm: Ringmaster, remembered?: ExpiredLeases): Promise<readonly string[]> {
  const expired = expiredAttempts(rm.store.reader, callOf(rm).now);
  if (expired.length === 0) return [];
  const { boot } = identityOf(process.pid);
  const expiredLeases = remembered ?? readExpiredLeases(rm.store.reader, boot);
  const before = new Map(expiredLeases);
  const lost = expired.filter((attempt) => isLost(attempt, expiredLeases));
  const seen = [...expiredLeases].filter(([id]) => expired.some((attempt) => attempt.id === id));
  if (remembered === undefined && seen.some(([id, first]) => before.get(id) !== first)) {
    await rm.store.write('reap: expired leases', (tx) => writeExpiredLeases(tx, boot, seen));
  }
  if (lost.length === 0) return [];
  const ids = new Set(lost.map(({ id }) => id));
  return rm.store.write('reap', (tx) => {
    const call = callOf(rm);
    // Reads again while holding the lock, because a heartbeat may have arrived in the meantime.
    return expiredAttempts(tx, call.now)
      .filter(({ id }) => ids.has(id))
      .map((attempt) => {
        const reason = `The lease expired at ${attempt.lease_expires_at}`;
        const times = consecutiveExpiries(tx, attempt.task_id) + 1;
        finishAttempt(tx, rm, call, attempt, interruption(rm, attempt, times, reason));
        return attempt.task_id;
      });
  });
}

function isLost(attempt: Attempt, expiredLeases: ExpiredLeases): boolean {
  if (attempt.pid === null) return true;
  const isAlive = isWorking({ pid: attempt.pid, start: attempt.pid_start, boot: attempt.boot_id });
  if (!isAlive) return true;
  const lease = Date.parse(attempt.lease_expires_at) - Date.parse(attempt.heartbeat_at);
  const now = awakeClock();
  const seen = expiredLeases.get(attempt.id);
  if (seen?.until === attempt.lease_expires_at && seen.since <= now) return now > seen.since + lease;
  expiredLeases.set(attempt.id, { until: attempt.lease_expires_at, since: now });
  return false;
}
