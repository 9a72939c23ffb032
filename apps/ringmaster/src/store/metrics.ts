import type { Tx } from './open.ts';

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

/** Counted from attempts and turns on each read, so it cannot drift. */
export interface WorkerStats {
  readonly worker_id: string;
  readonly attempts: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly other: number;
  /** Share of succeeded among succeeded and failed attempts. */
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
