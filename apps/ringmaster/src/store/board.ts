import type { Task } from '../model/task.ts';
import type { Tx } from './open.ts';

/** Columns of a task in lists. */
export type BoardTask = Pick<
  Task,
  | 'id'
  | 'project_id'
  | 'parent_id'
  | 'type'
  | 'title'
  | 'priority'
  | 'status'
  | 'worker_id'
  | 'attempts'
  | 'combined_priority'
  | 'blocked_reason'
  | 'last_failure'
  | 'updated_at'
  | 'version'
> & { readonly on_critical_path: boolean; readonly is_ready: boolean };

export interface BoardQuery {
  readonly project?: string | undefined;
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  readonly state?: 'open' | 'done' | 'all' | undefined;
  readonly type?: string | undefined;
  readonly parent?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly after?: { readonly score: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** Best first. `is_ready` comes from the graph, not from a column. */
export function boardTasks(tx: Tx, query: BoardQuery): BoardTask[] {
  const { project, status, search, state, type, parent, archived, after, limit } = query;
  const rows = tx.all<BoardTask & { readonly critical: number; readonly ready: number }>(
    `SELECT t.id, t.project_id, t.parent_id, t.type, t.title, t.priority, t.status, t.worker_id, t.attempts,
            t.combined_priority, t.blocked_reason, t.last_failure, t.updated_at, t.version,
            t.on_critical_path AS critical, r.id IS NOT NULL AS ready
     FROM tasks t LEFT JOIN ready_tasks r ON r.id = t.id
     WHERE (?8 OR t.archived_at IS NULL) AND (?9 IS NULL OR t.type = ?9) AND (?10 IS NULL OR t.parent_id = ?10) AND (?1 IS NULL OR t.project_id = ?1) AND (?2 IS NULL OR t.status = ?2)
       AND (?3 = '' OR instr(lower(t.title), ?3) > 0 OR instr(t.id, ?3) > 0)
       AND (?7 = 'all' OR (?7 = 'done') = (t.status = 'done'))
       AND (?4 IS NULL OR t.combined_priority < ?4 OR (t.combined_priority = ?4 AND t.id > ?5))
     ORDER BY t.combined_priority DESC, t.id LIMIT ?6`,
    project ?? null,
    status ?? null,
    (search ?? '').toLowerCase(),
    after?.score ?? null,
    after?.id ?? null,
    limit,
    state ?? 'all',
    archived === true ? 1 : 0,
    type ?? null,
    parent ?? null,
  );
  return rows.map(({ critical, ready, ...task }) => ({
    ...task,
    on_critical_path: critical === 1,
    is_ready: ready === 1,
  }));
}
