import { ringmasterErrors } from '../model/errors.ts';
import type { Tx } from './open.ts';

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
  readonly is_draining: number;
  readonly from_config: number;
  readonly config_version: string | null;
  readonly paused_at: string | null;
}

export function existingWorker(tx: Tx, id: string): Worker {
  const worker = tx.get<Worker>('SELECT * FROM workers WHERE id = ?', id);
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
  const names = Object.keys(settings) as (keyof WorkerSettings)[];
  const updates = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  tx.run(
    `INSERT INTO workers (${names.join(', ')}, created_at) VALUES (${names.map(() => '?').join(', ')}, ?)
     ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    ...names.map((name) => settings[name]),
    now,
  );
}

/** No new tasks before this time. */
export function parkWorker(tx: Tx, id: string, until: string): void {
  tx.run('UPDATE workers SET parked_until = ? WHERE id = ?', until, id);
}

/** No new tasks until it is resumed; it finishes what it has. */
export function stopWorker(tx: Tx, id: string, now: string): void {
  tx.run(`UPDATE workers SET paused_at = ? WHERE id = ?`, now, id);
  drainWorker(tx, id);
}

export function wakeWorker(tx: Tx, id: string): void {
  tx.run(
    `UPDATE workers SET is_draining = 0, parked_until = NULL, paused_at = NULL,
       status = CASE status WHEN 'busy' THEN 'busy' ELSE 'idle' END WHERE id = ?`,
    id,
  );
}

/** ringmaster.toml names it again: it gets tasks, unless a person paused it. */
export function takeUpWorker(tx: Tx, id: string): void {
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
