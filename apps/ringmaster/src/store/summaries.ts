import type { Tx } from './open.ts';

export interface Summary {
  readonly id: number;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly message_range_start: number;
  readonly message_range_end: number;
  readonly summary: string;
  readonly key_decisions: string | null;
  readonly token_count: number | null;
  readonly created_at: string;
}

export function insertSummary(tx: Tx, summary: Omit<Summary, 'id'>): Summary {
  return tx.get<Summary>(
    `INSERT INTO summaries (project_id, task_id, message_range_start, message_range_end, summary, key_decisions,
                            token_count, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    summary.project_id,
    summary.task_id,
    summary.message_range_start,
    summary.message_range_end,
    summary.summary,
    summary.key_decisions,
    summary.token_count,
    summary.created_at,
  ) as Summary;
}

export function listSummaries(tx: Tx, project: string): Summary[] {
  return tx.all<Summary>('SELECT * FROM summaries WHERE project_id = ? ORDER BY message_range_start, id', project);
}
