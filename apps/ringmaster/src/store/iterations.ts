import { insertRow, type Tx, updateRow } from './open.ts';

type IterationStage = 'working' | 'worked' | 'tested' | 'reviewed';

/** One turn of a worker on a task. `stage` is its last recorded step. */
export interface Iteration {
  readonly task_id: string;
  readonly number: number;
  readonly attempt_id: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly result: string | null;
  readonly stage: IterationStage;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly failure: string | null;
  readonly question: string | null;
  readonly note: string | null;
  readonly session_id: string | null;
  readonly prompt_path: string | null;
  readonly context_path: string | null;
  readonly log_path: string | null;
  readonly output_bytes: number;
  readonly pid: number | null;
  readonly pid_start: string | null;
  readonly boot_id: string | null;
  readonly cost_usd: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export function iterationsOf(tx: Tx, task: string): Iteration[] {
  return tx.all<Iteration>('SELECT * FROM iterations WHERE task_id = ? ORDER BY number', task);
}

export function iterationsOfAttempt(tx: Tx, attempt: number): Iteration[] {
  return tx.all<Iteration>('SELECT * FROM iterations WHERE attempt_id = ? ORDER BY number', attempt);
}

export function lastIterationNumber(tx: Tx, task: string): number {
  return (
    tx.get<{ last: number | null }>('SELECT max(number) AS last FROM iterations WHERE task_id = ?', task)?.last ?? 0
  );
}

export type NewIteration = Pick<
  Iteration,
  'task_id' | 'number' | 'attempt_id' | 'started_at' | 'prompt_path' | 'context_path'
>;

export function insertIteration(tx: Tx, iteration: NewIteration): void {
  insertRow(tx, 'iterations', iteration);
}

export function updateIteration(tx: Tx, task: string, number: number, changes: Partial<Iteration>): void {
  updateRow(tx, 'iterations', { task_id: task, number }, changes);
}
