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
