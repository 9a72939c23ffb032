import type { Tx } from './open.ts';

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
  const { lastInsertRowid } = tx.run(
    `INSERT INTO prompt_assemblies (task_id, purpose, created_at, duration_ms, budget_tokens, tokens, bytes, sha256,
                                    considered) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    assembly.task_id,
    assembly.purpose,
    assembly.created_at,
    assembly.duration_ms,
    assembly.budget_tokens,
    assembly.tokens,
    assembly.bytes,
    assembly.sha256,
    assembly.considered,
  );
  tx.run(
    `DELETE FROM prompt_assemblies WHERE task_id = ?1 AND id <= (
       SELECT id FROM prompt_assemblies WHERE task_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_PER_TASK})`,
    assembly.task_id,
  );
  return lastInsertRowid;
}

/** Lists assemblies, newest first. */
export function assembliesOf(tx: Tx, task: string, limit: number): PromptAssembly[] {
  return tx.all<PromptAssembly>(
    'SELECT * FROM prompt_assemblies WHERE task_id = ? ORDER BY id DESC LIMIT ?',
    task,
    limit,
  );
}
