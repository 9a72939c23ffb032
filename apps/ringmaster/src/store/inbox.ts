import { mergeState } from './attempt-runs.ts';
import type { Tx } from './open.ts';

/** A task that waits for a person, apart from open decisions and questions. */
export interface WaitingTask {
  readonly id: string;
  readonly title: string;
  readonly kind: 'review' | 'unmerged' | 'blocked' | 'failed';
  readonly reason: string | null;
  readonly since: string;
  readonly pull_request: string | null;
  readonly pull_request_state: string | null;
}

const LISTED_MAX = 1_000;

/**
 * Tasks in review, finished tasks whose work nobody has merged, and tasks that are blocked or have no attempts left.
 * Omits tasks with an open inquiry, because the inquiry itself is listed. Omits failed tasks that a person has given
 * up.
 */
export function waitingTasks(tx: Tx, givenUp: string): WaitingTask[] {
  return tx.all<WaitingTask>(
    `SELECT t.id, t.title, CASE t.status WHEN 'done' THEN 'unmerged' ELSE t.status END AS kind,
            CASE t.status WHEN 'failed' THEN t.last_failure ELSE t.blocked_reason END AS reason,
            coalesce((SELECT max(a.ended_at) FROM attempts a WHERE a.task_id = t.id), t.updated_at) AS since,
            p.url AS pull_request, p.state AS pull_request_state
     FROM tasks t LEFT JOIN pull_requests p ON p.task_id = t.id
     WHERE t.status IN ('review', 'done', 'blocked', 'failed') AND t.type IN ('task', 'subtask')
       AND t.archived_at IS NULL AND t.external_owner IS NULL
       AND CASE t.status WHEN 'done' THEN ${mergeState('t')} = 'unmerged'
                         WHEN 'failed' THEN t.failures >= t.max_attempts ELSE TRUE END
       AND NOT EXISTS (SELECT 1 FROM inquiries i WHERE i.about_id = t.id
                       AND (i.answered_at IS NULL OR (t.status = 'failed' AND i.answer = ?1)))
     ORDER BY since, t.id LIMIT ${LISTED_MAX}`,
    givenUp,
  );
}
