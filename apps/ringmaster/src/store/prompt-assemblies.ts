import { insertRow, type Tx } from './open.ts';

export interface PromptAssembly {
  readonly id: number;
  readonly task_id: string;
  readonly purpose: 'run' | 'shown';
  readonly created_at: string;
  readonly duration_ms: number;
  readonly budget_tokens: number;
  readonly tokens: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly considered: string;
}

const KEPT_PER_TASK = 50;

export function recordAssembly(tx: Tx, assembly: Omit<PromptAssembly, 'id'>): number {
  const id = insertRow(tx, 'prompt_assemblies', assembly);
  tx.run(
    `DELETE FROM prompt_assemblies WHERE task_id = ?1 AND id <= (
       SELECT id FROM prompt_assemblies WHERE task_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_PER_TASK})`,
    assembly.task_id,
  );
  return id;
}

export function assembliesOf(tx: Tx, task: string, limit: number): PromptAssembly[] {
  return tx.all<PromptAssembly>(
    'SELECT * FROM prompt_assemblies WHERE task_id = ? ORDER BY id DESC LIMIT ?',
    task,
    limit,
  );
}
