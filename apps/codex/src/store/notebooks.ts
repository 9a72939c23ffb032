import type { ProcessIdentity } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Transaction } from './open.ts';
import { get, insertReturning, run } from './sql.ts';

export function listNotebooks(tx: Transaction): Notebook[] {
  return tx.all<Notebook>('SELECT * FROM notebooks ORDER BY id');
}

export function findNotebook(tx: Transaction, id: number): Notebook | undefined {
  return get<Notebook>(tx)`SELECT * FROM notebooks WHERE id = ${id}`;
}

export function notebookOf(tx: Transaction, id: number): Notebook {
  const found = findNotebook(tx, id);
  if (found === undefined) throw codexErrors.NOTEBOOK_NOT_FOUND(`There is no notebook ${id}`);
  return found;
}

/** A notebook that accepts operations. */
export function activeNotebook(tx: Transaction, id: number): Notebook {
  const found = notebookOf(tx, id);
  if (found.state !== 'active') throw codexErrors.NOTEBOOK_CLOSING(`The notebook ${found.name} is being removed`);
  return found;
}

/** Finds a notebook by its number, which links and programs use, or by its name. */
export function namedNotebook(tx: Transaction, name: string): Notebook {
  const byNumber = /^\d{1,15}$/u.test(name) ? findNotebook(tx, Number(name)) : undefined;
  const found = byNumber ?? get<Notebook>(tx)`SELECT * FROM notebooks WHERE name = ${name}`;
  if (found === undefined) throw codexErrors.NOTEBOOK_NOT_FOUND(`There is no notebook ${JSON.stringify(name)}`);
  return found;
}

/** Throws if another notebook has this name or folder, or a folder above or below it. */
export function requireFree(tx: Transaction, name: string, path: string): void {
  for (const other of listNotebooks(tx)) {
    const isNested = `${path}/`.startsWith(`${other.path}/`) || `${other.path}/`.startsWith(`${path}/`);
    if (other.name === name) throw codexErrors.NOTEBOOK_EXISTS(`A notebook named ${name} already exists`);
    if (isNested) throw codexErrors.NOTEBOOK_EXISTS(`${path} overlaps the notebook ${other.name} in ${other.path}`);
  }
}

export function insertNotebook(tx: Transaction, name: string, path: string, now: string): Notebook {
  requireFree(tx, name, path);
  const row = insertReturning<Notebook>(tx, 'notebooks', { name, path, created_at: now });
  run(tx)`INSERT INTO lanes (notebook_id) VALUES (${row.id})`;
  return row;
}

export function setReconciledAt(tx: Transaction, id: number, now: string): void {
  run(tx)`UPDATE notebooks SET reconciled_at = ${now} WHERE id = ${id}`;
}

/** Pauses a notebook, or resumes it if `by` is null. */
export function setPaused(tx: Transaction, id: number, by: string | null, now: string): void {
  const at = by === null ? null : now;
  run(tx)`UPDATE notebooks SET paused_at = ${at}, paused_by = ${by} WHERE id = ${id}`;
}

export function beginRemoval(tx: Transaction, id: number): void {
  run(tx)`UPDATE notebooks SET state = 'closing' WHERE id = ${id}`;
}

/** Removes the notebook and everything that refers to it; its files stay on disk. */
export function deleteNotebook(tx: Transaction, id: number): void {
  run(tx)`DELETE FROM notebooks WHERE id = ${id}`;
}

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

interface ProblemOwner {
  readonly owner: string;
  readonly process: ProcessIdentity;
}

type ProblemFacts = Pick<ProblemRow, 'notebook_id' | 'source' | 'code' | 'message' | 'since'>;

export function putProblem(tx: Transaction, { owner, process }: ProblemOwner, problem: ProblemFacts): void {
  run(tx)`INSERT OR REPLACE INTO problems (notebook_id, source, owner, pid, pid_start, boot_id, code, message, since)
    SELECT id, ${problem.source}, ${owner}, ${process.pid}, ${process.start}, ${process.boot}, ${problem.code},
    ${problem.message}, ${problem.since} FROM notebooks WHERE id = ${problem.notebook_id}`;
}

export function dropProblem(tx: Transaction, owner: string, notebookId: number, source: string): void {
  run(tx)`DELETE FROM problems WHERE notebook_id = ${notebookId} AND source = ${source} AND owner = ${owner}`;
}

export function dropProblemsOf(tx: Transaction, owner: string): void {
  run(tx)`DELETE FROM problems WHERE owner = ${owner}`;
}

export function allProblems(tx: Transaction): ProblemRow[] {
  return tx.all<ProblemRow>('SELECT * FROM problems ORDER BY notebook_id, since, source');
}
