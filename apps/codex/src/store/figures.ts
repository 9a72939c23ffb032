import type { Tx } from './open.ts';

export interface QueueNow {
  readonly pending: number;
  readonly oldest_pending_at: string | null;
  readonly oldest_uncommitted_at: string | null;
}

/** Answered by the indexes of what waits, however many events are kept. */
export function queueNow(tx: Tx): QueueNow {
  return tx.get<QueueNow>(
    `SELECT coalesce(sum((SELECT count(*) FROM file_events WHERE notebook_id = n.id AND status = 'pending')), 0) AS pending,
       min((SELECT created_at FROM file_events WHERE notebook_id = n.id AND status = 'pending' ORDER BY id LIMIT 1))
         AS oldest_pending_at,
       min((SELECT at FROM git_pending WHERE notebook_id = n.id ORDER BY id LIMIT 1)) AS oldest_uncommitted_at
     FROM notebooks n`,
  ) as QueueNow;
}

/** How many operations were done in each step of time, by the moment at which it begins. */
export function doneByStep(tx: Tx, since: string, stepMs: number): ReadonlyMap<number, number> {
  const rows = tx.all<{ start: number; done: number }>(
    `SELECT CAST(unixepoch(processed_at) * 1000 / ?2 AS INTEGER) * ?2 AS start, count(*) AS done FROM file_events
     WHERE processed_at >= ?1 AND status IN ('completed', 'superseded') GROUP BY start`,
    since,
    stepMs,
  );
  return new Map(rows.map(({ start, done }) => [start, done]));
}
