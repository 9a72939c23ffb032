import type { Tx } from './open.ts';

export interface DayMetrics {
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly other: number;
  readonly average_seconds: number | null;
  readonly cost_usd: number | null;
}

/** The last `days` days on which an attempt ended, oldest first. */
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
