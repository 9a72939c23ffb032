import type { RowImage } from '@holdfast/sqlite';

import { insertRow, type Tx, updateRow } from './open.ts';

/** Folder, branch and supervisor of an attempt. */
export interface AttemptRun {
  readonly attempt_id: number;
  readonly supervisor_id: string;
  readonly supervisor_pid: number;
  readonly supervisor_start: string | null;
  readonly supervisor_boot: string | null;
  readonly folder: string;
  readonly repository: string | null;
  readonly branch: string | null;
  readonly base_commit: string | null;
  readonly head_commit: string | null;
  readonly settled_at: string | null;
  readonly merge_requested_at: string | null;
  readonly merged_at: string | null;
  readonly merge_commit: string | null;
}

export type NewRun = Omit<
  AttemptRun,
  'head_commit' | 'settled_at' | 'merge_requested_at' | 'merged_at' | 'merge_commit'
>;

/** Returns the row for the journal. */
export function insertRun(tx: Tx, run: NewRun): RowImage[] {
  insertRow(tx, 'attempt_runs', run);
  const after = tx.get('SELECT * FROM attempt_runs WHERE attempt_id = ?', run.attempt_id);
  return [{ table: 'attempt_runs', key: 'attempt_id', after }];
}

export function updateRun(tx: Tx, attempt: number, changes: Partial<AttemptRun>): void {
  updateRow(tx, 'attempt_runs', { attempt_id: attempt }, changes);
}

export function runOf(tx: Tx, attempt: number): AttemptRun | undefined {
  return tx.get<AttemptRun>('SELECT * FROM attempt_runs WHERE attempt_id = ?', attempt);
}

export interface OpenRun extends AttemptRun {
  readonly task_id: string;
  readonly worker_id: string;
  readonly number: number;
  readonly ended_at: string | null;
}

const WITH_ATTEMPT = `SELECT r.*, a.task_id, a.worker_id, a.number, a.ended_at
                      FROM attempt_runs r JOIN attempts a ON a.id = r.attempt_id`;

/** Runs whose folder may still exist. */
export function unsettledRuns(tx: Tx): OpenRun[] {
  return tx.all<OpenRun>(`${WITH_ATTEMPT} WHERE r.settled_at IS NULL ORDER BY r.attempt_id`);
}

/** Returns all runs of a task, newest first. */
export function runsOfTask(tx: Tx, task: string): OpenRun[] {
  return tx.all<OpenRun>(`${WITH_ATTEMPT} WHERE a.task_id = ? ORDER BY r.attempt_id DESC`, task);
}

/** Work of finished tasks whose requested merge is still pending, oldest first. */
export function pendingMerges(tx: Tx): OpenRun[] {
  return tx.all<OpenRun>(
    `${WITH_ATTEMPT} JOIN tasks t ON t.id = a.task_id
     WHERE r.merge_requested_at IS NOT NULL AND r.merged_at IS NULL AND t.status = 'done' ORDER BY r.attempt_id`,
  );
}

/** Number of finished tasks with work on a branch that is not merged. */
export function countUnmerged(tx: Tx): number {
  const sql = `SELECT count(*) AS n FROM tasks t WHERE t.status = 'done' AND ${mergeState('t')} IN ('pending', 'unmerged')`;
  return tx.get<{ n: number }>(sql)?.n ?? 0;
}

export function requestMerge(tx: Tx, task: string, now: string): void {
  const [last] = runsOfTask(tx, task);
  if (last !== undefined) updateRun(tx, last.attempt_id, { merge_requested_at: now });
}

/** SQL expression for the merge state of a task's last work; NULL without a branch. */
export const mergeState = (task: string): string => `(
  SELECT CASE WHEN r.merged_at IS NOT NULL THEN 'merged'
              WHEN r.merge_requested_at IS NOT NULL THEN 'pending' ELSE 'unmerged' END
  FROM attempts a JOIN attempt_runs r ON r.attempt_id = a.id
  WHERE a.task_id = ${task}.id AND a.ended_at IS NOT NULL AND r.branch IS NOT NULL AND r.head_commit <> r.base_commit
  ORDER BY a.id DESC LIMIT 1)`;
