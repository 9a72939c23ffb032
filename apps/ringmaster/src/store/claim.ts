import type { Row, RowImage } from '@holdfast/sqlite';

import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import type { Attempt } from './attempts.ts';
import type { Tx } from './open.ts';
import { isHeld } from './schema/views.ts';
import type { Worker } from './workers.ts';

/**
 * The best task for a worker. The partial index yields candidates in order until one fits; as dependencies rank above
 * their dependents, that is nearly always the first.
 */
const CANDIDATE = `
SELECT t.* FROM tasks t INDEXED BY idx_tasks_claim
WHERE t.status = 'ready' AND t.type IN ('task', 'subtask') AND t.is_work AND NOT t.is_pinned
  AND t.archived_at IS NULL AND t.external_owner IS NULL
  AND (t.defer_until IS NULL OR t.defer_until <= ?1)
  AND (t.next_eligible_at IS NULL OR t.next_eligible_at <= ?1)
  AND (?3 IS NULL OR t.project_id = ?3)
  AND (t.required_capabilities IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(t.required_capabilities) r WHERE r.value NOT IN (SELECT value FROM json_each(?2))))
  AND NOT ${isHeld('t')}
  AND NOT EXISTS (SELECT 1 FROM tasks p WHERE p.id = t.parent_id AND p.defer_until > ?1)
ORDER BY t.combined_priority DESC, t.created_at, t.id
LIMIT 1`;

/**
 * The lowest free slot, if fewer than the limit are taken; 0 counts as taken. The limit may have been lowered since.
 */
const LOWEST_FREE = `
WITH taken(slot) AS (SELECT 0 UNION ALL SELECT slot FROM attempts WHERE worker_id = ?1 AND ended_at IS NULL)
SELECT slot + 1 AS slot FROM taken
WHERE slot + 1 NOT IN (SELECT slot FROM taken) AND (SELECT count(*) FROM taken) <= ?2
ORDER BY 1 LIMIT 1`;

export interface ClaimRequest {
  readonly worker: string;
  readonly project: string | undefined;
  readonly now: string;
  readonly leaseUntil: string;
  readonly process: { readonly pid: number; readonly start: string | null; readonly boot: string | null } | undefined;
}

/** The claim, with task and worker as they were before. */
export interface Claim {
  readonly task: Task;
  readonly worker: Worker;
  readonly attempt: Attempt;
}

export function claimBest(tx: Tx, request: ClaimRequest): Claim | undefined {
  const worker = tx.get<Worker>('SELECT * FROM workers WHERE id = ?', request.worker);
  if (worker === undefined) throw ringmasterErrors.WORKER_NOT_FOUND(`There is no worker ${request.worker}`);
  const slot = freeSlot(tx, worker, request.now);
  const task = tx.get<Task>(CANDIDATE, request.now, worker.capabilities, request.project ?? null);
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
  if (worker.parked_until !== null && worker.parked_until > now) throw refuse(`is parked until ${worker.parked_until}`);
  // Slots start at 1, so the highest number bounds how many are taken.
  const top = tx.get<{ slot: number }>(
    'SELECT slot FROM attempts WHERE worker_id = ? AND ended_at IS NULL ORDER BY slot DESC LIMIT 1',
    worker.id,
  );
  if (top === undefined || top.slot < worker.max_concurrent) return (top?.slot ?? 0) + 1;
  const free = tx.get<{ slot: number }>(LOWEST_FREE, worker.id, worker.max_concurrent);
  if (free === undefined) throw refuse(`has as many tasks as it may: ${worker.max_concurrent}`);
  return free.slot;
}
