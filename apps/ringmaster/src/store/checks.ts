import type { Tx } from './open.ts';

export interface BrokenReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

export function brokenReferences(tx: Tx): BrokenReference[] {
  return tx.all<BrokenReference>('PRAGMA foreign_key_check');
}

/** What the seed keeps in three places must be what the attempts say. */
export function contradictions(tx: Tx): { readonly id: string; readonly what: string }[] {
  return tx.all(
    `SELECT w.id, 'counts other tasks than its attempts' AS what FROM workers w
     WHERE w.tasks_completed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'succeeded')
        OR w.tasks_failed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'failed'
                              AND a.failure_class = 'task')
     UNION ALL
     SELECT w.id, 'is busy with nothing' FROM workers w WHERE w.status = 'busy'
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.worker_id = w.id AND a.ended_at IS NULL)
     UNION ALL
     SELECT t.id, 'is assigned to nobody' FROM tasks t WHERE t.status = 'assigned'
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.ended_at IS NULL)`,
  );
}
