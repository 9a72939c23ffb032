import type { Transaction } from './open.ts';
import { all, get } from './sql.ts';

export interface QueueCounts {
  readonly pending: number;
  readonly processing: number;
  readonly failed_24h: number;
  readonly completed_24h: number;
  readonly dead: number;
  readonly waiting_for_retry: number;
  /** UTC */
  readonly oldest_pending_at: string | null;
  readonly unchanged_syncs_24h: number;
}

export function queueCounts(tx: Transaction, dayAgo: string, notebookId: number | null): QueueCounts {
  return get<QueueCounts>(tx)`SELECT
    coalesce(sum(status = 'pending'), 0) AS pending,
    coalesce(sum(status = 'processing'), 0) AS processing,
    coalesce(sum(status = 'failed' AND processed_at >= ${dayAgo}), 0) AS failed_24h,
    coalesce(sum(status = 'completed' AND processed_at >= ${dayAgo}), 0) AS completed_24h,
    coalesce(sum(status = 'failed'), 0) AS dead,
    coalesce(sum(status = 'pending' AND retry_count > 0), 0) AS waiting_for_retry,
    min(CASE WHEN status = 'pending' THEN created_at END) AS oldest_pending_at,
    coalesce(sum(event_type = 'sync' AND status = 'completed' AND processed_at >= ${dayAgo}
    AND json_extract(result, '$.unchanged')), 0) AS unchanged_syncs_24h
    FROM file_events WHERE ${notebookId} IS NULL OR notebook_id = ${notebookId}` as QueueCounts;
}

/**
 * Returns the sorted latencies of the last operations, in milliseconds from request to completion. If `notebookId` is
 * null, covers all notebooks.
 */
export function recentLatencies(tx: Transaction, limit: number, notebookId: number | null): number[] {
  const rows = all<{ created_at: string; processed_at: string }>(tx)`SELECT created_at, processed_at FROM file_events
    WHERE status = 'completed' AND event_type != 'sync' AND (${notebookId} IS NULL OR notebook_id = ${notebookId})
    ORDER BY id DESC LIMIT ${limit}`;
  return rows
    .map(({ created_at, processed_at }) => Date.parse(processed_at) - Date.parse(created_at))
    .toSorted((left, right) => left - right);
}

export interface GitLag {
  readonly notebook_id: number;
  readonly waiting: number;
  readonly oldest_at: string;
}

export function gitLags(tx: Transaction): GitLag[] {
  return tx.all<GitLag>(
    'SELECT notebook_id, count(*) AS waiting, min(at) AS oldest_at FROM git_pending GROUP BY notebook_id',
  );
}

export interface QueueNow {
  readonly pending: number;
  readonly oldest_pending_at: string | null;
  readonly oldest_uncommitted_at: string | null;
}

/** Uses only the partial indexes of unfinished work, so finished events cost nothing. */
export function queueNow(tx: Transaction): QueueNow {
  return tx.get<QueueNow>(
    `SELECT coalesce(sum((SELECT count(*) FROM file_events WHERE notebook_id = n.id AND status = 'pending')), 0) AS pending,
       min((SELECT created_at FROM file_events WHERE notebook_id = n.id AND status = 'pending' ORDER BY id LIMIT 1))
         AS oldest_pending_at,
       min((SELECT at FROM git_pending WHERE notebook_id = n.id ORDER BY id LIMIT 1)) AS oldest_uncommitted_at
     FROM notebooks n`,
  ) as QueueNow;
}

/** Returns the number of finished operations per interval, by the start time of the interval. */
export function doneByStep(tx: Transaction, since: string, stepMs: number): ReadonlyMap<number, number> {
  const rows = all<{ start: number; done: number }>(tx)`SELECT CAST(unixepoch(processed_at) * 1000 / ${stepMs} AS
    INTEGER) * ${stepMs} AS start, count(*) AS done FROM file_events WHERE processed_at >= ${since}
    AND status IN ('completed', 'superseded') GROUP BY start`;
  return new Map(rows.map(({ start, done }) => [start, done]));
}
