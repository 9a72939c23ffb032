import type { Tx } from './open.ts';

export interface ReadyTask {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly priority: string;
  readonly project_id: string;
  readonly parent_id: string | null;
  readonly combined_priority: number;
}

/** Tasks that can start now, best first; with `allTypes` also epics, decisions and questions. */
export function listReady(
  tx: Tx,
  {
    project,
    limit,
    allTypes,
  }: { readonly project?: string | undefined; readonly limit: number; readonly allTypes: boolean },
): ReadyTask[] {
  return tx.all<ReadyTask>(
    `SELECT id, title, type, priority, project_id, parent_id, combined_priority FROM ready_tasks
     WHERE (?1 IS NULL OR project_id = ?1) AND (?2 OR type IN ('task', 'subtask'))
     ORDER BY combined_priority DESC, created_at, id LIMIT ?3`,
    project ?? null,
    allTypes ? 1 : 0,
    limit,
  );
}

/** Returns all tasks that can start now, best first. */
export function readyIds(tx: Tx): string[] {
  const rows = tx.all<{ id: string }>(
    `SELECT id FROM ready_tasks WHERE type IN ('task', 'subtask') ORDER BY combined_priority DESC, created_at, id`,
  );
  return rows.map(({ id }) => id);
}

export function countReady(tx: Tx): number {
  const row = tx.get<{ n: number }>(`SELECT count(*) AS n FROM ready_tasks WHERE type IN ('task', 'subtask')`);
  return row?.n ?? 0;
}

export interface QueueRow {
  readonly task_id: string;
  readonly priority_score: number;
  readonly ready_at: string;
  readonly assigned_at: string | null;
  readonly worker_id: string | null;
  readonly title: string;
}

export function listQueue(tx: Tx): QueueRow[] {
  return tx.all<QueueRow>(
    `SELECT q.*, t.title FROM queue q JOIN tasks t ON t.id = q.task_id
     ORDER BY q.assigned_at IS NULL, q.priority_score DESC, t.created_at, t.id`,
  );
}

export function countBy(tx: Tx, column: 'status' | 'type', project: string | undefined): Record<string, number> {
  const rows = tx.all<{ name: string; n: number }>(
    `SELECT ${column} AS name, count(*) AS n FROM tasks WHERE (?1 IS NULL OR project_id = ?1) GROUP BY 1 ORDER BY 1`,
    project ?? null,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}
