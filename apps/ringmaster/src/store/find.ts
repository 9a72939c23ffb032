import type { Tx } from './open.ts';

export interface FoundTask {
  readonly id: string;
  readonly project: string;
  readonly type: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly updated_at: string;
}

const TEXT_LENGTH = 1_000;

/** Returns the searched fields of all tasks that are not deleted, or of one task. */
export function tasksToFind(tx: Tx, id?: string): FoundTask[] {
  const sql = `SELECT id, project_id AS project, type, title, substr(description, 1, ${TEXT_LENGTH}) AS description,
    status, updated_at FROM tasks WHERE deleted_at IS NULL`;
  return id === undefined ? tx.all<FoundTask>(sql) : tx.all<FoundTask>(`${sql} AND id = ?`, id);
}
