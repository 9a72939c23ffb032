import type { ProcessIdentity } from '@holdfast/base';

import type { Tx } from './open.ts';

/** A problem of a running process, stored for commands in other processes. */
export interface ProblemRow {
  readonly notebook_id: number;
  readonly source: string;
  readonly owner: string;
  readonly pid: number;
  readonly pid_start: string | null;
  readonly boot_id: string | null;
  readonly code: string;
  readonly message: string;
  readonly since: string;
}

export interface ProblemOwner {
  readonly owner: string;
  readonly process: ProcessIdentity;
}

export type ProblemFacts = Pick<ProblemRow, 'notebook_id' | 'source' | 'code' | 'message' | 'since'>;

export function putProblem(tx: Tx, { owner, process }: ProblemOwner, problem: ProblemFacts): void {
  tx.run(
    `INSERT OR REPLACE INTO problems (notebook_id, source, owner, pid, pid_start, boot_id, code, message, since)
       SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM notebooks WHERE id = ?`,
    problem.source,
    owner,
    process.pid,
    process.start,
    process.boot,
    problem.code,
    problem.message,
    problem.since,
    problem.notebook_id,
  );
}

export function dropProblem(tx: Tx, owner: string, notebookId: number, source: string): void {
  tx.run('DELETE FROM problems WHERE notebook_id = ? AND source = ? AND owner = ?', notebookId, source, owner);
}

export function dropProblemsOf(tx: Tx, owner: string): void {
  tx.run('DELETE FROM problems WHERE owner = ?', owner);
}

export function allProblems(tx: Tx): ProblemRow[] {
  return tx.all<ProblemRow>('SELECT * FROM problems ORDER BY notebook_id, since, source');
}
