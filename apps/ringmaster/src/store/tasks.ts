import { ringmasterErrors } from '../model/errors.ts';
import { childId, childNumber, rootIds } from '../model/ids.ts';
import type { Task } from '../model/task.ts';
import type { SqlValue, Tx } from './open.ts';
import { isHeld } from './schema/views.ts';

export function findTask(tx: Tx, id: string): Task | undefined {
  return tx.get<Task>('SELECT * FROM tasks WHERE id = ?', id);
}

export function existingTask(tx: Tx, id: string): Task {
  const task = findTask(tx, id);
  if (task === undefined) throw ringmasterErrors.TASK_NOT_FOUND(`There is no task ${id}`);
  return task;
}

export type NewTask = Partial<Task> & Pick<Task, 'id' | 'project_id' | 'type' | 'title'>;

export function insertTask(tx: Tx, task: NewTask): void {
  const names = Object.keys(task);
  const marks = names.map(() => '?').join(', ');
  tx.run(`INSERT INTO tasks (${names.join(', ')}) VALUES (${marks})`, ...(Object.values(task) as SqlValue[]));
}

/** Updates these columns; triggers update `updated_at` and `version` unless given. */
export function updateTask(tx: Tx, id: string, changes: Partial<Task>): void {
  const names = Object.keys(changes);
  if (names.length === 0) return;
  const assignments = names.map((name) => `${name} = ?`).join(', ');
  tx.run(`UPDATE tasks SET ${assignments} WHERE id = ?`, ...(Object.values(changes) as SqlValue[]), id);
}

/** Called in the transaction that inserts the task, so two never get the same id. */
export function newRootId(tx: Tx, prefix: string, random: () => number): string {
  for (const id of rootIds(prefix, random)) if (findTask(tx, id) === undefined) return id;
  throw new Error('unreachable');
}

/** Returns the next number that no child of this kind ever had. */
export function newChildId(tx: Tx, parent: string, kind: 'child' | 'decision' | 'question'): string {
  const counted = tx.get<{ last: number }>(
    'SELECT last FROM child_counters WHERE parent_id = ? AND kind = ?',
    parent,
    kind,
  )?.last;
  const next = 1 + Math.max(counted ?? 0, counted === undefined ? highestChild(tx, parent, kind) : 0);
  const free = firstFree(tx, parent, kind, next);
  tx.run('INSERT OR REPLACE INTO child_counters (parent_id, kind, last) VALUES (?, ?, ?)', parent, kind, free);
  return childId(parent, kind, free);
}

/** An import may have added children since the counter was last used. */
function firstFree(tx: Tx, parent: string, kind: 'child' | 'decision' | 'question', from: number): number {
  let number = from;
  while (findTask(tx, childId(parent, kind, number)) !== undefined) number += 1;
  return number;
}

function highestChild(tx: Tx, parent: string, kind: 'child' | 'decision' | 'question'): number {
  const start = childId(parent, kind, 0).slice(0, -1);
  const rows = tx.all<{ id: string }>('SELECT id FROM tasks WHERE id >= ? AND id < ?', start, `${start}\u{10ffff}`);
  return rows.reduce((highest, { id }) => Math.max(highest, childNumber(parent, kind, id) ?? 0), 0);
}

export interface TaskQuery {
  readonly project?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly parent?: string | undefined;
  readonly all?: boolean;
  readonly limit: number;
}

export function listTasks(tx: Tx, { project, status, type, parent, all = false, limit }: TaskQuery): Task[] {
  return tx.all<Task>(
    `SELECT * FROM tasks WHERE (?1 IS NULL OR project_id = ?1) AND (?2 IS NULL OR status = ?2)
       AND (?3 IS NULL OR type = ?3) AND (?4 IS NULL OR parent_id = ?4) AND (?5 OR archived_at IS NULL)
     ORDER BY combined_priority DESC, created_at, id LIMIT ?6`,
    project ?? null,
    status ?? null,
    type ?? null,
    parent ?? null,
    all ? 1 : 0,
    limit,
  );
}

/** Archives tasks done before a time that no worker holds; returns how many. */
export function archiveDone(tx: Tx, before: string, now: string): number {
  return tx.run(
    `UPDATE tasks SET archived_at = ?1 WHERE status = 'done' AND archived_at IS NULL AND completed_at < ?2
       AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = tasks.id AND a.ended_at IS NULL)`,
    now,
    before,
  ).changes;
}

/** For a file that is deleted. */
export function forgetOutput(tx: Tx, path: string): void {
  tx.run('UPDATE tasks SET output_path = NULL WHERE output_path = ?', path);
}

/** Number of unfinished tasks, counted up to `atMost`. */
export function countUnfinished(tx: Tx, atMost: number): number {
  const row = tx.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM tasks WHERE status <> 'done' AND archived_at IS NULL LIMIT ?)`,
    atMost,
  );
  return row?.n ?? 0;
}

const LISTED_MAX = 1_000;

/** Unblocked tasks that wait only for a retry delay which ends by `until`. */
export function delayedTasks(
  tx: Tx,
  { now, until, project }: { readonly now: string; readonly until: string; readonly project: string | undefined },
): Pick<Task, 'id' | 'required_capabilities'>[] {
  return tx.all(
    `SELECT t.id, t.required_capabilities FROM tasks t
     WHERE t.status = 'ready' AND t.type IN ('task', 'subtask') AND t.is_work AND NOT t.is_pinned
       AND t.archived_at IS NULL AND t.external_owner IS NULL AND t.next_eligible_at > ?1
       AND t.next_eligible_at <= ?3
       AND (t.defer_until IS NULL OR t.defer_until <= ?1) AND (?2 IS NULL OR t.project_id = ?2)
       AND NOT ${isHeld('t')}`,
    now,
    project ?? null,
    until,
  );
}

/** Tasks for workers that are neither done, drafts nor in review, best first. */
export function unfinishedTasks(tx: Tx, project: string | undefined): Pick<Task, 'id' | 'title'>[] {
  return tx.all(
    `SELECT id, title FROM tasks
     WHERE status NOT IN ('done', 'draft', 'review') AND type IN ('task', 'subtask') AND is_work AND NOT is_pinned
       AND archived_at IS NULL AND external_owner IS NULL AND (?1 IS NULL OR project_id = ?1)
     ORDER BY combined_priority DESC, created_at, id LIMIT ${LISTED_MAX}`,
    project ?? null,
  );
}
