import type { ProcessIdentity } from '@holdfast/base';
import type { Row, RowImage } from '@holdfast/sqlite';

import type { FailureClass } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import { type Tx, updateRow } from './open.ts';
import { isHeld } from './schema/views.ts';
import { isParked, type Worker } from './workers.ts';

export type Outcome = 'succeeded' | 'no_change' | 'failed' | 'review' | 'blocked' | 'expired' | 'released';

export interface Attempt {
  readonly id: number;
  readonly task_id: string;
  readonly worker_id: string;
  readonly number: number;
  readonly slot: number;
  readonly started_at: string;
  readonly heartbeat_at: string;
  readonly lease_expires_at: string;
  readonly ended_at: string | null;
  readonly outcome: Outcome | null;
  readonly failure_class: FailureClass | null;
  readonly reason: string | null;
  readonly pid: number | null;
  readonly pid_start: string | null;
  readonly boot_id: string | null;
  readonly progress: string | null;
  readonly cancel_requested_at: string | null;
  readonly config_version: string | null;
  readonly output_path: string | null;
}

export function findAttempt(tx: Tx, token: number): Attempt | undefined {
  return tx.get<Attempt>('SELECT * FROM attempts WHERE id = ?', token);
}

/**
 * Returns the attempt of a token; throws if it has ended. As a fence, every write calls this function in its own
 * transaction.
 */
export function liveAttempt(tx: Tx, token: number): Attempt {
  const attempt = findAttempt(tx, token);
  if (attempt === undefined) throw ringmasterErrors.ATTEMPT_NOT_FOUND(`There is no attempt with the token ${token}`);
  if (attempt.ended_at === null) return attempt;
  const how = attempt.outcome === 'expired' ? 'its lease expired' : `it ended as ${attempt.outcome}`;
  throw ringmasterErrors.STALE_TOKEN(
    `Token ${token} no longer holds ${attempt.task_id}: ${how} at ${attempt.ended_at}`,
    {
      details: { task_id: attempt.task_id, outcome: attempt.outcome, ended_at: attempt.ended_at },
    },
  );
}

export function liveAttemptOfTask(tx: Tx, task: string): Attempt | undefined {
  return tx.get<Attempt>('SELECT * FROM attempts WHERE task_id = ? AND ended_at IS NULL', task);
}

export function liveAttempts(tx: Tx): Attempt[] {
  return tx.all<Attempt>('SELECT * FROM attempts WHERE ended_at IS NULL ORDER BY id');
}

export function attemptsOf(tx: Tx, task: string): Attempt[] {
  return tx.all<Attempt>('SELECT * FROM attempts WHERE task_id = ? ORDER BY id', task);
}

export function expiredAttempts(tx: Tx, now: string): Attempt[] {
  return tx.all<Attempt>('SELECT * FROM attempts WHERE ended_at IS NULL AND lease_expires_at < ? ORDER BY id', now);
}

/** Returns how many attempts in a row, up to the task's latest one, lost their lease. */
export function consecutiveExpiries(tx: Tx, task: string): number {
  const row = tx.get<{ lost: number }>(
    `SELECT count(*) AS lost FROM attempts WHERE task_id = ?1 AND outcome = 'expired' AND id > coalesce(
       (SELECT max(id) FROM attempts WHERE task_id = ?1 AND outcome <> 'expired'), 0)`,
    task,
  );
  return row?.lost ?? 0;
}

export function renewLease(tx: Tx, id: number, now: string, until: string, progress: string | null): void {
  const said = progress === null ? {} : { progress };
  updateRow(tx, 'attempts', { id }, { heartbeat_at: now, lease_expires_at: until, ...said });
}

/** Returns those of the given attempts that have ended or were cancelled. */
export function endedOrCancelled(tx: Tx, ids: readonly number[]): Pick<Attempt, 'id' | 'ended_at'>[] {
  return tx.all(
    `SELECT id, ended_at FROM attempts
     WHERE id IN (${ids.join(', ')}) AND (ended_at IS NOT NULL OR cancel_requested_at IS NOT NULL)`,
  );
}

/** Stores the time of the cancellation request, unless an earlier request is already stored. */
export function requestCancel(tx: Tx, id: number, now: string): void {
  tx.run('UPDATE attempts SET cancel_requested_at = coalesce(cancel_requested_at, ?) WHERE id = ?', now, id);
}

/** Sets the process that holds the attempt. */
export function setProcess(tx: Tx, id: number, { pid, start, boot }: ProcessIdentity): void {
  updateRow(tx, 'attempts', { id }, { pid, pid_start: start, boot_id: boot });
}

/** The columns that ending an attempt sets. */
type Ending = Pick<Attempt, 'ended_at' | 'outcome' | 'failure_class' | 'reason' | 'output_path'>;

export function endAttempt(tx: Tx, id: number, ending: Ending): void {
  updateRow(tx, 'attempts', { id }, ending);
}

/**
 * The best task for a worker. The partial index yields candidates, best first, until one fits. The first one nearly
 * always fits, because dependencies rank above their dependents.
 */
const CANDIDATE = `
SELECT t.* FROM tasks t INDEXED BY idx_tasks_claim
WHERE t.status = 'ready' AND t.type IN ('task', 'subtask') AND t.is_work AND NOT t.is_pinned
  AND t.archived_at IS NULL AND t.external_owner IS NULL
  AND (t.defer_until IS NULL OR t.defer_until <= ?1)
  AND (t.next_eligible_at IS NULL OR t.next_eligible_at <= ?1 OR ?7 IS NOT NULL)
  AND (?3 IS NULL OR t.project_id = ?3) AND (?7 IS NULL OR t.id = ?7)
  AND (t.required_capabilities IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(t.required_capabilities) r WHERE r.value NOT IN (SELECT value FROM json_each(?2))))
  AND coalesce(t.required_worker, (SELECT json_extract(o.settings, '$.worker') FROM projects o
    WHERE o.id = t.project_id AND json_valid(o.settings)), ?4) IN (?4, ?5)
  AND (?6 IS NULL OR t.project_id NOT IN (SELECT value FROM json_each(?6)))
  AND NOT ${isHeld('t')}
  AND NOT EXISTS (SELECT 1 FROM tasks p WHERE p.id = t.parent_id AND p.defer_until > ?1)
ORDER BY t.combined_priority DESC, t.created_at, t.id
LIMIT 1`;

/**
 * The lowest free slot, if fewer slots than the limit are taken. 0 always counts as taken, because slots start at 1. If
 * the limit was lowered, slots above it may still be taken.
 */
const LOWEST_FREE = `
WITH taken(slot) AS (SELECT 0 UNION ALL SELECT slot FROM attempts WHERE worker_id = ?1 AND ended_at IS NULL)
SELECT slot + 1 AS slot FROM taken
WHERE slot + 1 NOT IN (SELECT slot FROM taken) AND (SELECT count(*) FROM taken) <= ?2
ORDER BY 1 LIMIT 1`;

export interface ClaimRequest {
  readonly worker: string;
  /** Claims only this task, even before its retry is due. */
  readonly task?: string | undefined;
  readonly project: string | undefined;
  /** Projects whose budget is used up. */
  readonly heldProjects: readonly string[];
  readonly now: string;
  readonly leaseUntil: string;
  readonly process: { readonly pid: number; readonly start: string | null; readonly boot: string | null } | undefined;
}

/** A claim, with the task and the worker as they were before it. */
export interface Claim {
  readonly task: Task;
  readonly worker: Worker;
  readonly attempt: Attempt;
}

export function claimBest(tx: Tx, request: ClaimRequest): Claim | undefined {
  const worker = tx.get<Worker>('SELECT * FROM workers WHERE id = ?', request.worker);
  if (worker === undefined) throw ringmasterErrors.WORKER_NOT_FOUND(`There is no worker ${request.worker}`);
  const slot = freeSlot(tx, worker, request.now);
  const task = tx.get<Task>(
    CANDIDATE,
    request.now,
    worker.capabilities,
    request.project ?? null,
    worker.id,
    worker.type,
    request.heldProjects.length === 0 ? null : JSON.stringify(request.heldProjects),
    request.task ?? null,
  );
  if (task === undefined) return undefined;
  const attempt = tx.get<Attempt>(
    `INSERT INTO attempts (task_id, worker_id, number, slot, started_at, heartbeat_at, lease_expires_at, pid, pid_start,
                           boot_id, config_version)
     VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING *`,
    task.id,
    worker.id,
    task.attempts + 1,
    slot,
    request.now,
    request.leaseUntil,
    request.process?.pid ?? null,
    request.process?.start ?? null,
    request.process?.boot ?? null,
    worker.config_version,
  ) as Attempt;
  return { task, worker, attempt };
}

/** Returns all rows that a claim changes, for the journal: attempt, task, worker and event. */
export function rowsOfClaim(tx: Tx, { task, worker, attempt }: Claim, event: number): RowImage[] {
  const row = (table: string, id: string | number): Row | undefined =>
    tx.get(`SELECT * FROM ${table} WHERE id = ?`, id);
  return [
    { table: 'attempts', key: 'id', after: { ...attempt } },
    { table: 'tasks', key: 'id', before: { ...task }, after: row('tasks', task.id) },
    { table: 'workers', key: 'id', before: { ...worker }, after: row('workers', worker.id) },
    { table: 'events', key: 'id', after: row('events', event) },
  ];
}

function freeSlot(tx: Tx, worker: Worker, now: string): number {
  const refuse = (reason: string): Error => ringmasterErrors.WORKER_UNAVAILABLE(`Worker ${worker.id} ${reason}`);
  if (worker.status === 'offline' || worker.is_draining === 1) throw refuse('is offline');
  if (isParked(worker, now)) throw refuse(`is parked until ${worker.parked_until}: ${worker.parked_reason ?? ''}`);
  // Slots start at 1, so the number of taken slots is at most the highest taken slot.
  const top = tx.get<{ slot: number }>(
    'SELECT slot FROM attempts WHERE worker_id = ? AND ended_at IS NULL ORDER BY slot DESC LIMIT 1',
    worker.id,
  );
  if (top === undefined || top.slot < worker.max_concurrent) return (top?.slot ?? 0) + 1;
  const free = tx.get<{ slot: number }>(LOWEST_FREE, worker.id, worker.max_concurrent);
  if (free === undefined) throw refuse(`already has its maximum of ${worker.max_concurrent} tasks`);
  return free.slot;
}
