import { gatingList } from '../model/dependency.ts';
import type { Tx } from './open.ts';

export interface BrokenReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

export function brokenReferences(tx: Tx): BrokenReference[] {
  return tx.all<BrokenReference>('PRAGMA foreign_key_check');
}

/** Values that the design document stores three times must agree with the attempts. */
export function contradictions(tx: Tx): { readonly id: string; readonly what: string }[] {
  return tx.all(
    `SELECT w.id, 'has counts that differ from its attempts' AS what FROM workers w
     WHERE w.tasks_completed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'succeeded')
        OR w.tasks_failed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'failed'
                              AND a.failure_class = 'task')
     UNION ALL
     SELECT w.id, 'is busy without an attempt' FROM workers w WHERE w.status = 'busy'
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.worker_id = w.id AND a.ended_at IS NULL)
     UNION ALL
     SELECT t.id, 'is assigned without an attempt' FROM tasks t WHERE t.status = 'assigned'
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.ended_at IS NULL)`,
  );
}

/** Tasks that depend on their own parent, or on one above it: neither can ever finish. */
export function dependenciesOnAncestors(tx: Tx): { readonly child_id: string; readonly parent_id: string }[] {
  return tx.all(
    `WITH RECURSIVE above(task, ancestor) AS (
       SELECT id, parent_id FROM tasks WHERE parent_id IS NOT NULL
       UNION SELECT a.task, t.parent_id FROM above a JOIN tasks t ON t.id = a.ancestor WHERE t.parent_id IS NOT NULL
     )
     SELECT d.child_id, d.parent_id FROM dependencies d JOIN above a ON a.task = d.child_id AND a.ancestor = d.parent_id
     WHERE d.type IN (${gatingList}) AND d.type <> 'parent-child' ORDER BY 1, 2`,
  );
}
