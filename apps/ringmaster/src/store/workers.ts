import type { ParkKind } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { insertRow, type Tx, updateRow } from './open.ts';

export interface Worker {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: 'idle' | 'busy' | 'offline';
  readonly current_task_id: string | null;
  readonly command: string;
  readonly args: string | null;
  readonly prompt_flag: string | null;
  readonly working_dir: string | null;
  readonly timeout_seconds: number;
  readonly tasks_completed: number;
  readonly tasks_failed: number;
  readonly avg_completion_seconds: number | null;
  readonly created_at: string;
  readonly last_active_at: string | null;
  readonly max_concurrent: number;
  readonly capabilities: string;
  readonly parked_until: string | null;
  readonly parked_kind: ParkKind | null;
  readonly parked_reason: string | null;
  readonly park_count: number;
  readonly is_draining: number;
  readonly from_config: number;
  readonly config_version: string | null;
  readonly paused_at: string | null;
}

export function findWorker(tx: Tx, id: string): Worker | undefined {
  return tx.get<Worker>('SELECT * FROM workers WHERE id = ?', id);
}

export function existingWorker(tx: Tx, id: string): Worker {
  const worker = findWorker(tx, id);
  if (worker === undefined) throw ringmasterErrors.WORKER_NOT_FOUND(`There is no worker ${id}`);
  return worker;
}

export function listWorkers(tx: Tx): Worker[] {
  return tx.all<Worker>('SELECT * FROM workers ORDER BY id');
}

export type WorkerSettings = Pick<
  Worker,
  | 'id'
  | 'name'
  | 'type'
  | 'command'
  | 'args'
  | 'prompt_flag'
  | 'working_dir'
  | 'timeout_seconds'
  | 'max_concurrent'
  | 'capabilities'
  | 'from_config'
  | 'config_version'
>;

/** Inserts a worker, or updates only the settings of an existing one. */
export function putWorker(tx: Tx, settings: WorkerSettings, now: string): void {
  const names = Object.keys(settings).filter((name) => name !== 'id');
  const updates = names.map((name) => `${name} = excluded.${name}`).join(', ');
  insertRow(tx, 'workers', { ...settings, created_at: now }, `ON CONFLICT (id) DO UPDATE SET ${updates}`);
}

type Parking = Pick<Worker, 'parked_until' | 'parked_kind' | 'parked_reason' | 'park_count'>;

export const notParked: Parking = { parked_until: null, parked_kind: null, parked_reason: null, park_count: 0 };

/** Parks a worker: it gets no tasks before `parked_until`, and then one at a time until an attempt succeeds. */
export function setParking(tx: Tx, id: string, parking: Parking): void {
  updateRow(tx, 'workers', { id }, parking);
}

export function isParked({ parked_until: until }: Pick<Worker, 'parked_until'>, now: string): boolean {
  return until !== null && until > now;
}

/** Pauses a worker: it gets no new tasks until it is resumed, and its running tasks continue. */
export function pauseWorker(tx: Tx, id: string, now: string): void {
  updateRow(tx, 'workers', { id }, { paused_at: now });
  drainWorker(tx, id);
}

export function resumeWorker(tx: Tx, id: string): void {
  setParking(tx, id, notParked);
  tx.run(
    `UPDATE workers SET is_draining = 0, paused_at = NULL,
       status = CASE status WHEN 'busy' THEN 'busy' ELSE 'idle' END WHERE id = ?`,
    id,
  );
}

/** Reactivates a worker that is in ringmaster.toml again, unless a person paused it. */
export function reactivateWorker(tx: Tx, id: string): void {
  tx.run(
    `UPDATE workers SET status = CASE status WHEN 'offline' THEN 'idle' ELSE status END, is_draining = 0
     WHERE id = ? AND paused_at IS NULL`,
    id,
  );
}

export function drainWorker(tx: Tx, id: string): void {
  tx.run(
    `UPDATE workers SET is_draining = 1, status = CASE status WHEN 'busy' THEN 'busy' ELSE 'offline' END WHERE id = ?`,
    id,
  );
}

export function countByStatus(tx: Tx): Record<string, number> {
  const rows = tx.all<{ status: string; n: number }>('SELECT status, count(*) AS n FROM workers GROUP BY 1');
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

export interface DayMetrics {
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly other: number;
  readonly average_seconds: number | null;
  readonly cost_usd: number | null;
}

/** Returns the last `days` days on which an attempt ended, oldest first. */
export function metricsByDay(tx: Tx, days: number): DayMetrics[] {
  return tx
    .all<DayMetrics>(
      `SELECT substr(a.ended_at, 1, 10) AS day,
              sum(a.outcome IN ('succeeded', 'review')) AS succeeded,
              sum(a.outcome = 'failed' AND a.failure_class = 'task') AS failed,
              sum(a.outcome NOT IN ('succeeded', 'review')
                  AND NOT (a.outcome = 'failed' AND a.failure_class = 'task')) AS other,
              avg((julianday(a.ended_at) - julianday(a.started_at)) * 86400.0) AS average_seconds,
              sum((SELECT sum(i.cost_usd) FROM iterations i WHERE i.attempt_id = a.id)) AS cost_usd
       FROM attempts a WHERE a.ended_at IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT ?`,
      days,
    )
    .toReversed();
}

/** Each read counts attempts and turns again, so the numbers are always exact. */
export interface WorkerStats {
  readonly worker_id: string;
  readonly attempts: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly other: number;
  /** Number of successful attempts divided by the number of successful and failed attempts. */
  readonly success_rate: number | null;
  readonly average_seconds: number | null;
  readonly iterations: number;
  readonly cost_usd: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export function workerStats(tx: Tx): WorkerStats[] {
  return tx.all<WorkerStats>(
    `WITH done AS (
       SELECT worker_id, count(*) AS attempts, sum(ended_at IS NULL) AS running,
              sum(outcome IN ('succeeded', 'review')) AS succeeded,
              sum(outcome = 'failed' AND failure_class = 'task') AS failed,
              avg(CASE WHEN outcome IN ('succeeded', 'review')
                       THEN (julianday(ended_at) - julianday(started_at)) * 86400.0 END) AS average_seconds
       FROM attempts GROUP BY 1
     ), turns AS (
       SELECT a.worker_id, count(*) AS iterations, sum(i.cost_usd) AS cost_usd,
              sum(i.input_tokens) AS input_tokens, sum(i.output_tokens) AS output_tokens
       FROM iterations i JOIN attempts a ON a.id = i.attempt_id GROUP BY 1
     )
     SELECT w.id AS worker_id, coalesce(d.attempts, 0) AS attempts, coalesce(d.running, 0) AS running,
            coalesce(d.succeeded, 0) AS succeeded, coalesce(d.failed, 0) AS failed,
            coalesce(d.attempts - d.running - coalesce(d.succeeded, 0) - coalesce(d.failed, 0), 0) AS other,
            CASE WHEN d.succeeded + d.failed > 0 THEN d.succeeded * 1.0 / (d.succeeded + d.failed) END AS success_rate,
            d.average_seconds, coalesce(t.iterations, 0) AS iterations, t.cost_usd, t.input_tokens, t.output_tokens
     FROM workers w LEFT JOIN done d ON d.worker_id = w.id LEFT JOIN turns t ON t.worker_id = w.id ORDER BY w.id`,
  );
}
