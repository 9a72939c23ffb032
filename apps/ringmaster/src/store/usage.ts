import type { Usage } from '../model/budget.ts';
import type { Tx } from './open.ts';

const SUMS = `coalesce(sum(i.cost_usd), 0) AS usd,
  coalesce(sum(coalesce(i.input_tokens, 0) + coalesce(i.output_tokens, 0)), 0) AS tokens`;

const none: Usage = { usd: 0, tokens: 0 };

export function usageOfTask(tx: Tx, task: string): Usage {
  return tx.get<Usage>(`SELECT ${SUMS} FROM iterations i WHERE i.task_id = ?`, task) ?? none;
}

/** Usage of all turns that ended at or after `time`. */
export function usageSince(tx: Tx, time: string): Usage {
  return tx.get<Usage>(`SELECT ${SUMS} FROM iterations i WHERE coalesce(i.ended_at, i.started_at) >= ?`, time) ?? none;
}

export function usageByProject(tx: Tx): (Usage & { readonly id: string })[] {
  return tx.all(`SELECT t.project_id AS id, ${SUMS} FROM iterations i JOIN tasks t ON t.id = i.task_id GROUP BY 1`);
}

/** Returns whether people were notified that a budget with these limits is used up. */
export function wasBudgetReported(
  tx: Tx,
  entity: { readonly type: string; readonly id: string },
  limits: Usage,
): boolean {
  const row = tx.get(
    `SELECT 1 FROM events WHERE entity_type = ? AND entity_id = ? AND event_type = 'budget_reached'
       AND json_extract(data, '$.limits') = ?`,
    entity.type,
    entity.id,
    JSON.stringify(limits),
  );
  return row !== undefined;
}
