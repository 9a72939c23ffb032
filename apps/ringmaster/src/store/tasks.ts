import { gatingList } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { childId, childNumber, rootIds } from '../model/ids.ts';
import type { Task } from '../model/task.ts';
import { textList } from '../model/texts.ts';
import { mergeState } from './attempt-runs.ts';
import { insertRow, type Tx, updateRow } from './open.ts';
import { isHeld } from './schema/views.ts';

export function findTask(tx: Tx, id: string): Task | undefined {
  return tx.get<Task>('SELECT * FROM tasks WHERE id = ?', id);
}

export function existingTask(tx: Tx, id: string): Task {
  const task = findTask(tx, id);
  if (task === undefined) throw ringmasterErrors.TASK_NOT_FOUND(`There is no task ${id}`);
  return task;
}

/** Like `existingTask`, but throws TASK_DELETED for a deleted task. */
export function activeTask(tx: Tx, id: string): Task {
  const task = existingTask(tx, id);
  if (task.deleted_at !== null) throw ringmasterErrors.TASK_DELETED(`${id} was deleted at ${task.deleted_at}`);
  return task;
}

/** Returns the task in a project that was imported from this source, even if the task is archived. */
export function taskByReference(tx: Tx, project: string, reference: string): Task | undefined {
  return tx.get<Task>('SELECT * FROM tasks WHERE external_ref = ? AND project_id = ?', reference, project);
}

export function hasTasks(tx: Tx): boolean {
  return tx.get('SELECT 1 FROM tasks LIMIT 1') !== undefined;
}

export type NewTask = Partial<Task> & Pick<Task, 'id' | 'project_id' | 'type' | 'title'>;

export function insertTask(tx: Tx, task: NewTask): void {
  insertRow(tx, 'tasks', task);
}

/** Updates these columns. Triggers update `updated_at` and `version` unless `changes` contains them. */
export function updateTask(tx: Tx, id: string, changes: Partial<Task>): void {
  updateRow(tx, 'tasks', { id }, changes);
}

/** Call it in the transaction that inserts the task, so that no two tasks get the same id. */
export function newRootId(tx: Tx, prefix: string, random: () => number): string {
  for (const id of rootIds(prefix, random)) if (findTask(tx, id) === undefined) return id;
  throw new Error('unreachable');
}

/** Returns an id with the next number that was never used for a child of this kind. */
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

/** Skips numbers that are taken, because an import may have added children without using the counter. */
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

export function childrenOf(tx: Tx, id: string): Pick<Task, 'id' | 'title' | 'status'>[] {
  return tx.all(
    `SELECT id, title, status FROM tasks WHERE parent_id = ? AND deleted_at IS NULL
     ORDER BY combined_priority DESC, created_at, id`,
    id,
  );
}

/**
 * Returns the parts of an epic that must be finished before the epic itself. Questions, notes and messages do not
 * count.
 */
export function partsOf(tx: Tx, id: string): Pick<Task, 'id' | 'title' | 'status'>[] {
  return tx.all(
    `SELECT id, title, status FROM tasks WHERE parent_id = ? AND deleted_at IS NULL AND type <> 'question' AND is_work
       AND NOT is_pinned ORDER BY id`,
    id,
  );
}

/** A task, everything below it, and all decisions and questions about any of these. */
const FAMILY = `WITH RECURSIVE family(id) AS (
  SELECT ?1
  UNION SELECT t.id FROM family f JOIN tasks t ON t.parent_id = f.id
  UNION SELECT i.task_id FROM family f JOIN inquiries i ON i.about_id = f.id)`;

/** Marks a task and everything below it as deleted; returns these tasks. */
export function markDeleted(tx: Tx, id: string, now: string): Task[] {
  return tx.all<Task>(
    `${FAMILY} UPDATE tasks SET deleted_at = ?2, archived_at = coalesce(archived_at, ?2)
     WHERE id IN (SELECT id FROM family) AND deleted_at IS NULL RETURNING *`,
    id,
    now,
  );
}

/** Restores a task and all tasks that were deleted together with it; returns these tasks. */
export function unmarkDeleted(tx: Tx, { id, deleted_at }: Pick<Task, 'id' | 'deleted_at'>): Task[] {
  return tx.all<Task>(
    `${FAMILY} UPDATE tasks SET deleted_at = NULL, archived_at = nullif(archived_at, ?2)
     WHERE id IN (SELECT id FROM family) AND deleted_at = ?2 RETURNING *`,
    id,
    deleted_at,
  );
}

/** Unfinished tasks that wait for a deleted task. */
export function waitingForDeleted(tx: Tx): { readonly child_id: string; readonly parent_id: string }[] {
  return tx.all(
    `SELECT d.child_id, d.parent_id FROM tasks gone JOIN dependencies d ON d.parent_id = gone.id
     JOIN tasks t ON t.id = d.child_id
     WHERE gone.deleted_at IS NOT NULL AND t.deleted_at IS NULL AND t.status <> 'done' AND d.type IN (${gatingList})
     ORDER BY 1, 2`,
  );
}

/** Archives tasks that were done before the time `before` and that no worker holds; returns their number. */
export function archiveDone(tx: Tx, before: string, now: string): number {
  return tx.run(
    `UPDATE tasks SET archived_at = ?1 WHERE status = 'done' AND archived_at IS NULL AND completed_at < ?2
       AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = tasks.id AND a.ended_at IS NULL)`,
    now,
    before,
  ).changes;
}

export function forgetOutput(tx: Tx, path: string): void {
  tx.run('UPDATE tasks SET output_path = NULL WHERE output_path = ?', path);
}

/** Returns the number of unfinished tasks. Stops counting at `atMost`. */
export function countUnfinished(tx: Tx, atMost: number): number {
  const row = tx.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM tasks WHERE status <> 'done' AND archived_at IS NULL LIMIT ?)`,
    atMost,
  );
  return row?.n ?? 0;
}

const LISTED_MAX = 1_000;

/** Returns the tasks that wait only for a retry delay that ends by `until`. */
export function delayedTasks(
  tx: Tx,
  { now, until, project }: { readonly now: string; readonly until: string; readonly project: string | undefined },
): Task[] {
  return tx.all(
    `SELECT t.* FROM tasks t
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

/** Returns the unfinished tasks for workers: not done, not drafts and not in review. Highest score first. */
export function unfinishedTasks(tx: Tx, project: string | undefined): Pick<Task, 'id' | 'title'>[] {
  return tx.all(
    `SELECT id, title FROM tasks
     WHERE status NOT IN ('done', 'draft', 'review') AND type IN ('task', 'subtask') AND is_work AND NOT is_pinned
       AND archived_at IS NULL AND external_owner IS NULL AND (?1 IS NULL OR project_id = ?1)
     ORDER BY combined_priority DESC, created_at, id LIMIT ${LISTED_MAX}`,
    project ?? null,
  );
}

export interface FinishedWork {
  readonly done: number;
  readonly failed: number;
  readonly last_completed_at: string;
}

/** Returns the counts of finished tasks; undefined if a worker or a person still has something to do. */
export function finishedWork(tx: Tx): FinishedWork | undefined {
  const work = `type IN ('task', 'subtask') AND is_work AND NOT is_pinned AND archived_at IS NULL
    AND external_owner IS NULL`;
  const open = tx.get(
    `SELECT 1 FROM tasks WHERE status IN ('ready', 'assigned', 'in_progress', 'blocked', 'review') AND ${work}
     UNION ALL SELECT 1 FROM inquiries i JOIN tasks t ON t.id = i.task_id
       WHERE i.answered_at IS NULL AND t.deleted_at IS NULL
     UNION ALL SELECT 1 FROM attempt_runs r JOIN attempts a ON a.id = r.attempt_id JOIN tasks t ON t.id = a.task_id
       WHERE r.merge_requested_at IS NOT NULL AND r.merged_at IS NULL AND t.status = 'done' LIMIT 1`,
  );
  if (open !== undefined) return undefined;
  const finished = tx.get<FinishedWork>(
    `SELECT coalesce(sum(status = 'done'), 0) AS done, coalesce(sum(status = 'failed'), 0) AS failed,
            max(completed_at) AS last_completed_at
     FROM tasks WHERE ${work}`,
  );
  return (finished?.last_completed_at ?? null) === null ? undefined : finished;
}

/** Columns of a task in lists. */
const boardColumns = [
  'id',
  'project_id',
  'parent_id',
  'type',
  'title',
  'priority',
  'status',
  'worker_id',
  'attempts',
  'combined_priority',
  'blocked_reason',
  'last_failure',
  'updated_at',
  'version',
  'deleted_at',
] as const satisfies readonly (keyof Task)[];
export type BoardTask = Pick<Task, (typeof boardColumns)[number]> & {
  readonly labels: readonly string[];
  readonly on_critical_path: boolean;
  readonly is_ready: boolean;
  readonly merge_state: 'merged' | 'pending' | 'unmerged' | null;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
};

export interface BoardQuery {
  readonly project?: string | undefined;
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  readonly state?: 'open' | 'done' | 'all' | undefined;
  readonly type?: string | undefined;
  readonly parent?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly archived?: boolean | undefined;
  readonly after?: { readonly score: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** SQL condition: the task has every label of the JSON array `wanted`. Always true if `wanted` is NULL. */
const hasLabels = (task: string, wanted: string): string =>
  `(${wanted} IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(${wanted}) w
     WHERE w.value NOT IN (SELECT value FROM json_each(coalesce(${task}.labels, '[]')))))`;

function labelFilter(labels: readonly string[] = []): string | null {
  return labels.length === 0 ? null : JSON.stringify(labels);
}

/** Returns tasks, highest score first. `is_ready` is computed from the graph, not read from a column. */
export function boardTasks(tx: Tx, query: BoardQuery): BoardTask[] {
  const { project, status, search, state, type, parent, labels, archived, after, limit } = query;
  const rows = tx.all<
    Omit<BoardTask, 'labels'> & {
      readonly critical: number;
      readonly ready: number;
      readonly stored_labels: string | null;
    }
  >(
    `SELECT ${boardColumns.map((name) => `t.${name}`).join(', ')}, t.on_critical_path AS critical, r.id IS NOT NULL AS ready,
            t.labels AS stored_labels,
            (SELECT sum(i.cost_usd) FROM iterations i WHERE i.task_id = t.id) AS cost_usd,
            (SELECT sum(coalesce(i.input_tokens, 0) + coalesce(i.output_tokens, 0)) FROM iterations i
             WHERE i.task_id = t.id AND i.input_tokens IS NOT NULL) AS tokens,
            ${mergeState('t')} AS merge_state
     FROM tasks t LEFT JOIN ready_tasks r ON r.id = t.id
     WHERE (?8 OR t.archived_at IS NULL) AND (?9 IS NULL OR t.type = ?9) AND (?10 IS NULL OR t.parent_id = ?10) AND (?1 IS NULL OR t.project_id = ?1) AND (?2 IS NULL OR t.status = ?2)
       AND (?3 = '' OR instr(lower(t.title), ?3) > 0 OR instr(t.id, ?3) > 0)
       AND (?7 = 'all' OR (?7 = 'done') = (t.status = 'done')) AND ${hasLabels('t', '?11')}
       AND (?4 IS NULL OR t.combined_priority < ?4 OR (t.combined_priority = ?4 AND t.id > ?5))
     ORDER BY t.combined_priority DESC, t.id LIMIT ?6`,
    project ?? null,
    status ?? null,
    (search ?? '').toLowerCase(),
    after?.score ?? null,
    after?.id ?? null,
    limit,
    state ?? 'all',
    archived === true ? 1 : 0,
    type ?? null,
    parent ?? null,
    labelFilter(labels),
  );
  return rows.map(({ critical, ready, stored_labels: stored, ...task }) => ({
    ...task,
    labels: textList(stored),
    on_critical_path: critical === 1,
    is_ready: ready === 1,
  }));
}

export type ReadyTask = Pick<
  Task,
  'id' | 'title' | 'type' | 'priority' | 'project_id' | 'parent_id' | 'combined_priority'
>;

/** Returns the tasks that can start now, highest score first. With `allTypes`, also epics, decisions and questions. */
export function listReady(
  tx: Tx,
  query: {
    readonly project?: string | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly limit: number;
    readonly allTypes: boolean;
  },
): ReadyTask[] {
  const { project, labels, limit, allTypes } = query;
  return tx.all<ReadyTask>(
    `SELECT id, title, type, priority, project_id, parent_id, combined_priority FROM ready_tasks
     WHERE (?1 IS NULL OR project_id = ?1) AND (?2 OR type IN ('task', 'subtask')) AND ${hasLabels('ready_tasks', '?4')}
     ORDER BY combined_priority DESC, created_at, id LIMIT ?3`,
    project ?? null,
    allTypes ? 1 : 0,
    limit,
    labelFilter(labels),
  );
}

export function readyIds(tx: Tx): string[] {
  const rows = tx.all<{ id: string }>(
    `SELECT id FROM ready_tasks WHERE type IN ('task', 'subtask') ORDER BY combined_priority DESC, created_at, id`,
  );
  return rows.map(({ id }) => id);
}

export function countReady(tx: Tx): number {
  const row = tx.get<{ n: number }>(`SELECT count(*) AS n FROM ready_tasks WHERE type IN ('task', 'subtask')`);
  return row?.n ?? 0;
}

export interface QueueRow {
  readonly task_id: string;
  readonly priority_score: number;
  readonly ready_at: string;
  readonly assigned_at: string | null;
  readonly worker_id: string | null;
  readonly title: string;
}

export function listQueue(tx: Tx): QueueRow[] {
  return tx.all<QueueRow>(
    `SELECT q.*, t.title FROM queue q JOIN tasks t ON t.id = q.task_id
     ORDER BY q.assigned_at IS NULL, q.priority_score DESC, t.created_at, t.id`,
  );
}

export function countBy(tx: Tx, column: 'status' | 'type', project: string | undefined): Record<string, number> {
  const rows = tx.all<{ name: string; n: number }>(
    `SELECT ${column} AS name, count(*) AS n FROM tasks
     WHERE (?1 IS NULL OR project_id = ?1) AND deleted_at IS NULL GROUP BY 1 ORDER BY 1`,
    project ?? null,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

export type GraphNode = Pick<
  Task,
  'id' | 'title' | 'status' | 'type' | 'priority' | 'parent_id' | 'combined_priority' | 'on_critical_path'
>;

/** `from` waits for `to`. */
export interface GraphLink {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** Returns the tasks of one project or of all. Without `isWhole`, only unfinished tasks. */
export function graphNodes(tx: Tx, project: string | undefined, isWhole: boolean): GraphNode[] {
  return tx.all<GraphNode>(
    `SELECT id, title, status, type, priority, parent_id, combined_priority, on_critical_path FROM tasks
     WHERE (?1 IS NULL OR project_id = ?1) AND deleted_at IS NULL AND (?2 OR (status <> 'done' AND archived_at IS NULL))
     ORDER BY id`,
    project ?? null,
    isWhole ? 1 : 0,
  );
}

export function graphLinks(tx: Tx): GraphLink[] {
  return tx.all<GraphLink>('SELECT child_id AS "from", parent_id AS "to", type FROM dependencies ORDER BY 1, 2, 3');
}
