import type { ProcessIdentity } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';
import type { FailureClass } from '../model/attempt.ts';
import type { Tx } from './open.ts';

export type Outcome = 'succeeded' | 'failed' | 'review' | 'blocked' | 'expired' | 'released';

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

/** Returns the attempt of a token, if it still holds its task. This check, in the same commit, is the fence. */
export function liveAttempt(tx: Tx, token: number): Attempt {
  const attempt = tx.get<Attempt>('SELECT * FROM attempts WHERE id = ?', token);
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

/** Number of consecutive last attempts that lost their lease. */
export function lostInARow(tx: Tx, task: string): number {
  const row = tx.get<{ lost: number }>(
    `SELECT count(*) AS lost FROM attempts WHERE task_id = ?1 AND outcome = 'expired' AND id > coalesce(
       (SELECT max(id) FROM attempts WHERE task_id = ?1 AND outcome <> 'expired'), 0)`,
    task,
  );
  return row?.lost ?? 0;
}

export function renewLease(tx: Tx, id: number, now: string, until: string, progress: string | null): void {
  tx.run(
    'UPDATE attempts SET heartbeat_at = ?, lease_expires_at = ?, progress = coalesce(?, progress) WHERE id = ?',
    now,
    until,
    progress,
    id,
  );
}

/** Those of these attempts that have ended or were cancelled. */
export function endedOrCancelled(tx: Tx, ids: readonly number[]): Pick<Attempt, 'id' | 'ended_at'>[] {
  return tx.all(
    `SELECT id, ended_at FROM attempts
     WHERE id IN (${ids.join(', ')}) AND (ended_at IS NOT NULL OR cancel_requested_at IS NOT NULL)`,
  );
}

/** Keeps the time of the first request. */
export function requestCancel(tx: Tx, id: number, now: string): void {
  tx.run('UPDATE attempts SET cancel_requested_at = coalesce(cancel_requested_at, ?) WHERE id = ?', now, id);
}

/** Sets the process that holds it. */
export function setProcess(tx: Tx, id: number, { pid, start, boot }: ProcessIdentity): void {
  tx.run('UPDATE attempts SET pid = ?, pid_start = ?, boot_id = ? WHERE id = ?', pid, start, boot, id);
}

export interface Ending {
  readonly now: string;
  readonly outcome: Outcome;
  readonly failureClass: FailureClass | null;
  readonly reason: string | null;
  readonly outputPath: string | null;
}

export function endAttempt(tx: Tx, id: number, { now, outcome, failureClass, reason, outputPath }: Ending): void {
  tx.run(
    'UPDATE attempts SET ended_at = ?, outcome = ?, failure_class = ?, reason = ?, output_path = ? WHERE id = ?',
    now,
    outcome,
    failureClass,
    reason,
    outputPath,
    id,
  );
}
