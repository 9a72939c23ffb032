import type { RowImage } from '@holdfast/sqlite';

import { gatingList } from '../model/dependency.ts';
import { insertRow, type Tx, updateRow } from './open.ts';

/** Folder, branch and supervisor of an attempt. */
export interface AttemptRun {
  readonly attempt_id: number;
  readonly supervisor_id: string;
  /** 0 if the attempt runs on another machine. */
  readonly supervisor_pid: number;
  readonly supervisor_start: string | null;
  readonly supervisor_boot: string | null;
  readonly folder: string;
  readonly repository: string | null;
  readonly branch: string | null;
  /** First and last port of the range that only this run may use. */
  readonly port_start: number | null;
  readonly port_end: number | null;
  /** The process of `ringmaster attach`, whose user works in the folder. */
  readonly attached_pid: number | null;
  readonly attached_start: string | null;
  readonly attached_boot: string | null;
  /** Time at which the user took over the folder, after the supervisor had stopped the worker. */
  readonly attached_at: string | null;
  /** JSON list of unmerged dependency work that was merged into the worktree's starting commit. */
  readonly dependencies: string | null;
  readonly base_commit: string | null;
  readonly head_commit: string | null;
  readonly settled_at: string | null;
  readonly merge_requested_at: string | null;
  readonly merged_at: string | null;
  readonly merge_commit: string | null;
  /** Time at which a person decided not to merge the work. */
  readonly dropped_at: string | null;
}

export const OTHER_MACHINE = 0;

export function isOnOtherMachine({ supervisor_pid }: Pick<AttemptRun, 'supervisor_pid'>): boolean {
  return supervisor_pid === OTHER_MACHINE;
}

export const detached = { attached_pid: null, attached_start: null, attached_boot: null, attached_at: null } as const;

type Later =
  | keyof typeof detached
  | 'dependencies'
  | 'head_commit'
  | 'settled_at'
  | 'merge_requested_at'
  | 'merged_at'
  | 'merge_commit'
  | 'dropped_at';
export type NewRun = Omit<AttemptRun, Later | keyof Ports> & Partial<AttemptRun>;

/** Returns the row for the journal. */
export function insertRun(tx: Tx, run: NewRun): RowImage[] {
  insertRow(tx, 'attempt_runs', run);
  const after = tx.get('SELECT * FROM attempt_runs WHERE attempt_id = ?', run.attempt_id);
  return [{ table: 'attempt_runs', key: 'attempt_id', after }];
}

export function updateRun(tx: Tx, attempt: number, changes: Partial<AttemptRun>): void {
  updateRow(tx, 'attempt_runs', { attempt_id: attempt }, changes);
}

export function runOf(tx: Tx, attempt: number): AttemptRun | undefined {
  return tx.get<AttemptRun>('SELECT * FROM attempt_runs WHERE attempt_id = ?', attempt);
}

/** Returns those of the given attempts that a person is attached to. */
export function attachedAttempts(tx: Tx, ids: readonly number[]): number[] {
  const sql = `SELECT attempt_id FROM attempt_runs WHERE attempt_id IN (${ids.join(', ')}) AND attached_pid IS NOT NULL`;
  return tx.all<{ attempt_id: number }>(sql).map(({ attempt_id }) => attempt_id);
}

export interface OpenRun extends AttemptRun {
  readonly task_id: string;
  readonly worker_id: string;
  readonly number: number;
  readonly ended_at: string | null;
}

const WITH_ATTEMPT = `SELECT r.*, a.task_id, a.worker_id, a.number, a.ended_at
                      FROM attempt_runs r JOIN attempts a ON a.id = r.attempt_id`;

/** Runs whose folder may still exist. */
export function unsettledRuns(tx: Tx): OpenRun[] {
  return tx.all<OpenRun>(`${WITH_ATTEMPT} WHERE r.settled_at IS NULL ORDER BY r.attempt_id`);
}

type Ports = Pick<AttemptRun, 'port_start' | 'port_end'>;

/** Returns the lowest range of ports that no unsettled run uses; nulls if none is free or `count` is 0. */
export function freePorts(
  tx: Tx,
  wanted: { readonly first: number; readonly count: number; readonly max: number },
): Ports {
  const taken = tx.all<{ port_start: number; port_end: number }>(
    'SELECT port_start, port_end FROM attempt_runs WHERE settled_at IS NULL AND port_start IS NOT NULL ORDER BY 1',
  );
  let start = wanted.first;
  for (const { port_start, port_end } of taken) {
    if (start + wanted.count <= port_start) break;
    start = Math.max(start, port_end + 1);
  }
  const end = start + wanted.count - 1;
  return wanted.count === 0 || end > wanted.max
    ? { port_start: null, port_end: null }
    : { port_start: start, port_end: end };
}

/** Returns all runs of a task, newest first. */
export function runsOfTask(tx: Tx, task: string): OpenRun[] {
  return tx.all<OpenRun>(`${WITH_ATTEMPT} WHERE a.task_id = ? ORDER BY r.attempt_id DESC`, task);
}

/**
 * Returns whether the worker of a run had a worktree. If so, the run's branch has all work on the task, including the
 * work of earlier attempts unless this attempt had to start afresh. If the worker had no worktree, the branch was
 * deleted.
 */
export function hasBegun<T extends AttemptRun>(run: T): run is T & BegunRun {
  return run.repository !== null && run.branch !== null && run.base_commit !== null;
}

export interface BegunRun {
  readonly repository: string;
  readonly branch: string;
  readonly base_commit: string;
}

/** The condition of `hasBegun` in SQL. */
const begun = (run: string): string =>
  `${run}.repository IS NOT NULL AND ${run}.branch IS NOT NULL AND ${run}.base_commit IS NOT NULL`;

/** A dependency's work. */
export interface DependencyWork {
  readonly task: string;
  readonly branch: string;
}

export interface StoredDependencyWork extends DependencyWork {
  readonly head_commit: string;
  /** Null if the work is not merged. */
  readonly merge_commit: string | null;
}

/**
 * Returns the work that a task depends on, newest first, except dropped work. Covers the dependencies of the task and
 * of its parents, the subtasks of these dependencies, and everything that those tasks depend on.
 */
export function worksOfDependencies(tx: Tx, task: string, repository: string): StoredDependencyWork[] {
  return tx.all<StoredDependencyWork>(
    `WITH RECURSIVE needed(id, is_dependency) AS (
       SELECT ?1, FALSE
       UNION SELECT t.parent_id, FALSE FROM needed n JOIN tasks t ON t.id = n.id
         WHERE NOT n.is_dependency AND t.parent_id IS NOT NULL
       UNION SELECT d.parent_id, FALSE FROM needed n JOIN dependencies d ON d.child_id = n.id
         WHERE NOT n.is_dependency AND d.type = 'parent-child'
       UNION SELECT d.parent_id, TRUE FROM needed n JOIN dependencies d ON d.child_id = n.id
         WHERE d.type IN (${gatingList}) AND d.type <> 'parent-child'
       UNION SELECT t.id, TRUE FROM needed n JOIN tasks t ON t.parent_id = n.id WHERE n.is_dependency
     )
     SELECT t.id AS task, r.branch, r.head_commit, r.merge_commit FROM needed n
     JOIN tasks t ON t.id = n.id AND t.status = 'done'
     JOIN attempt_runs r ON r.attempt_id = (
       SELECT a.id FROM attempts a JOIN attempt_runs w ON w.attempt_id = a.id
       WHERE a.task_id = t.id AND ${begun('w')} ORDER BY a.id DESC LIMIT 1)
     WHERE n.is_dependency AND r.head_commit <> r.base_commit AND r.dropped_at IS NULL AND r.repository = ?2
     ORDER BY r.attempt_id DESC`,
    task,
    repository,
  );
}

/** Returns the work of finished tasks whose requested merge is still pending: one entry per task, oldest first. */
export function pendingMerges(tx: Tx): OpenRun[] {
  const runs = tx.all<OpenRun>(
    `${WITH_ATTEMPT} JOIN tasks t ON t.id = a.task_id
     WHERE r.merge_requested_at IS NOT NULL AND r.merged_at IS NULL AND t.status = 'done'
       AND t.deleted_at IS NULL ORDER BY r.attempt_id`,
  );
  // Only the newest work of a task is merged.
  return [...new Map(runs.map((run) => [run.task_id, run])).values()];
}

/** Returns, for each repository, the branches of merged work and the commits that merged them. */
export function mergedBranches(tx: Tx): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const rows = tx.all<{ repository: string; branch: string; merge_commit: string }>(
    `SELECT repository, branch, merge_commit FROM attempt_runs
     WHERE merged_at IS NOT NULL AND repository IS NOT NULL AND branch IS NOT NULL AND merge_commit IS NOT NULL`,
  );
  const found = new Map<string, Map<string, string>>();
  for (const { repository, branch, merge_commit } of rows) {
    const branches = found.get(repository) ?? new Map<string, string>();
    found.set(repository, branches.set(branch, merge_commit));
  }
  return found;
}

/** Returns the number of finished tasks with work on a branch that is not merged. */
export function countUnmerged(tx: Tx): number {
  const sql = `SELECT count(*) AS n FROM tasks t WHERE t.status = 'done' AND t.deleted_at IS NULL AND ${mergeState('t')} IN ('pending', 'unmerged')`;
  return tx.get<{ n: number }>(sql)?.n ?? 0;
}

export function requestMerge(tx: Tx, task: string, now: string): void {
  const [last] = runsOfTask(tx, task);
  if (last !== undefined) updateRun(tx, last.attempt_id, { merge_requested_at: now });
}

/** Records that a task's unmerged work no longer counts, because a person decided to start afresh. */
export function dropWork(tx: Tx, task: string, now: string): void {
  for (const { attempt_id, merged_at } of runsOfTask(tx, task)) {
    if (merged_at === null) updateRun(tx, attempt_id, { merge_requested_at: null, dropped_at: now });
  }
}

/** SQL expression for the merge state of a task's work; NULL if it has none. */
export const mergeState = (task: string): string => `(
  SELECT CASE WHEN r.head_commit = r.base_commit OR r.dropped_at IS NOT NULL THEN NULL WHEN r.merged_at IS NOT NULL THEN 'merged'
              WHEN r.merge_requested_at IS NOT NULL THEN 'pending' ELSE 'unmerged' END
  FROM attempts a JOIN attempt_runs r ON r.attempt_id = a.id
  WHERE a.task_id = ${task}.id AND a.ended_at IS NOT NULL AND ${begun('r')} ORDER BY a.id DESC LIMIT 1)`;
