import type { Tx } from './open.ts';

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type: string;
  readonly priority: string;
  readonly parent_id: string | null;
  readonly combined_priority: number;
  readonly on_critical_path: number;
}

/** `from` waits for `to`. */
export interface GraphLink {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** Of one project or all; without `isWhole` only unfinished tasks. */
export function graphNodes(tx: Tx, project: string | undefined, isWhole: boolean): GraphNode[] {
  return tx.all<GraphNode>(
    `SELECT id, title, status, type, priority, parent_id, combined_priority, on_critical_path FROM tasks
     WHERE (?1 IS NULL OR project_id = ?1) AND (?2 OR (status <> 'done' AND archived_at IS NULL)) ORDER BY id`,
    project ?? null,
    isWhole ? 1 : 0,
  );
}

export function graphLinks(tx: Tx): GraphLink[] {
  return tx.all<GraphLink>('SELECT child_id AS "from", parent_id AS "to", type FROM dependencies ORDER BY 1, 2, 3');
}
