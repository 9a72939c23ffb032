import { type Dependency, gatingList, isGating } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { cycleText, findPath } from '../model/graph/cycle.ts';
import type { Tx } from './open.ts';

/** Returns the direct blockers of a task: its blocking links and its parent. */
function waitsOf(tx: Tx): (id: string) => string[] {
  return (id) =>
    tx
      .all<{ id: string }>(
        `SELECT parent_id AS id FROM dependencies WHERE child_id = ?1 AND type IN (${gatingList})
         UNION SELECT parent_id FROM tasks WHERE id = ?1 AND parent_id IS NOT NULL`,
        id,
      )
      .map((row) => row.id);
}

/** Throws DEPENDENCY_CYCLE, which names the cycle, if a link from `child` to `parent` would close a cycle. */
export function refuseCycle(tx: Tx, child: string, parent: string): void {
  const path = findPath(parent, child, waitsOf(tx));
  if (path === undefined) return;
  const cycle = [child, ...path];
  throw ringmasterErrors.DEPENDENCY_CYCLE(`This link would create a cycle: ${cycleText(child, path)}`, {
    details: { cycle },
  });
}

/**
 * Refuses a dependency on an ancestor: the task would wait forever, because a parent is done only after its children.
 */
function refuseOwnAncestor(tx: Tx, child: string, parent: string): void {
  const ancestors = tx.all<{ id: string }>(
    `WITH RECURSIVE above(id) AS (
       SELECT parent_id FROM tasks WHERE id = ?1 UNION SELECT t.parent_id FROM above JOIN tasks t ON t.id = above.id
     ) SELECT id FROM above WHERE id = ?2`,
    child,
    parent,
  );
  if (ancestors.length === 0) return;
  throw ringmasterErrors.DEPENDENCY_CYCLE(`${parent} is a parent of ${child} and finishes after it`, {
    details: { cycle: [child, parent, child] },
  });
}

/** Refuses a new parent on which the task, or a part of the task, depends. */
export function refuseDependencyOnParent(tx: Tx, child: string, parent: string): void {
  const [link] = tx.all<{ child_id: string; parent_id: string }>(
    `WITH RECURSIVE above(id) AS (
       SELECT ?2 UNION SELECT t.parent_id FROM above JOIN tasks t ON t.id = above.id WHERE t.parent_id IS NOT NULL
     ), below(id) AS (
       SELECT ?1 UNION SELECT t.id FROM below JOIN tasks t ON t.parent_id = below.id
     )
     SELECT d.child_id, d.parent_id FROM dependencies d JOIN below ON below.id = d.child_id
     JOIN above ON above.id = d.parent_id WHERE d.type IN (${gatingList}) AND d.type <> 'parent-child' LIMIT 1`,
    child,
    parent,
  );
  if (link === undefined) return;
  const { child_id, parent_id } = link;
  throw ringmasterErrors.DEPENDENCY_CYCLE(`${child_id} depends on ${parent_id}, which would finish after it`, {
    details: { cycle: [child_id, parent_id, child_id] },
  });
}

export function insertDependency(tx: Tx, link: Dependency, createdBy: string, createdAt: string): boolean {
  if (isGating(link.type)) {
    refuseCycle(tx, link.child_id, link.parent_id);
    if (link.type !== 'parent-child') refuseOwnAncestor(tx, link.child_id, link.parent_id);
  }
  const { changes } = tx.run(
    `INSERT OR IGNORE INTO dependencies (child_id, parent_id, type, metadata, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    link.child_id,
    link.parent_id,
    link.type,
    link.gate === undefined ? null : JSON.stringify({ gate: link.gate }),
    createdBy,
    createdAt,
  );
  return changes > 0;
}

export function deleteDependency(tx: Tx, child: string, parent: string, type: string | undefined): number {
  return tx.run(
    'DELETE FROM dependencies WHERE child_id = ?1 AND parent_id = ?2 AND (?3 IS NULL OR type = ?3)',
    child,
    parent,
    type ?? null,
  ).changes;
}

/** A link, with the task at its other end. `is_held` is true if that task itself has open links. */
export interface LinkedTask extends Dependency {
  readonly status: string;
  readonly title: string;
  readonly is_held: boolean;
}

export function dependenciesOf(tx: Tx, id: string): LinkedTask[] {
  return linked(tx, 'd.parent_id', 'd.child_id', id);
}

export function dependentsOf(tx: Tx, id: string): LinkedTask[] {
  return linked(tx, 'd.child_id', 'd.parent_id', id);
}

type End = 'd.parent_id' | 'd.child_id';

function linked(tx: Tx, other: End, own: End, id: string): LinkedTask[] {
  const rows = tx.all<Omit<LinkedTask, 'is_held'> & { readonly held: number }>(
    `SELECT d.child_id, d.parent_id, d.type, t.status, t.title,
            EXISTS (SELECT 1 FROM open_links l WHERE l.child_id = t.id) AS held
     FROM dependencies d JOIN tasks t ON t.id = ${other} WHERE ${own} = ? ORDER BY ${other}, d.type`,
    id,
  );
  return rows.map(({ held, ...link }) => ({ ...link, is_held: held === 1 }));
}

export interface Blocker {
  /** The task whose link is open: the given task, or one of its parents. */
  readonly task: string;
  readonly by: string;
  /** Type of the task `by`: a decision waits for a person, not for a worker. */
  readonly by_type: string;
  readonly status: string;
  readonly type: string;
}

/** Direct reasons why a task cannot start: its own open links and those of its parents. */
export function blockersOf(tx: Tx, id: string): Blocker[] {
  return tx.all(
    `WITH RECURSIVE above(id) AS (
       SELECT ?1
       UNION SELECT t.parent_id FROM above JOIN tasks t ON t.id = above.id WHERE t.parent_id IS NOT NULL
       UNION SELECT d.parent_id FROM above JOIN dependencies d ON d.child_id = above.id AND d.type = 'parent-child'
     )
     SELECT l.child_id AS task, l.parent_id AS by, p.type AS by_type, l.status, l.type
     FROM above JOIN open_links l ON l.child_id = above.id JOIN tasks p ON p.id = l.parent_id
     ORDER BY 1, 2`,
    id,
  );
}

export interface BrokenReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

export function brokenReferences(tx: Tx): BrokenReference[] {
  return tx.all<BrokenReference>('PRAGMA foreign_key_check');
}

/**
 * Finds tasks and workers whose columns contradict the attempts. These columns come from the ringmaster design document
 * and duplicate data of the attempts.
 */
export function contradictions(tx: Tx): { readonly id: string; readonly what: string }[] {
  return tx.all(
    `SELECT w.id, 'has counts that differ from its attempts' AS what FROM workers w
     WHERE w.tasks_completed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'succeeded')
        OR w.tasks_failed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'failed'
                              AND a.failure_class = 'task')
     UNION ALL
     SELECT w.id, 'is busy without an attempt' FROM workers w WHERE w.status = 'busy'
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.worker_id = w.id AND a.ended_at IS NULL)
     UNION ALL
     SELECT t.id, 'is assigned without an attempt' FROM tasks t WHERE t.status = 'assigned'
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.ended_at IS NULL)`,
  );
}

/**
 * Returns the tasks that depend on their own parent or another ancestor. Neither the task nor that ancestor can ever
 * finish.
 */
export function dependenciesOnAncestors(tx: Tx): { readonly child_id: string; readonly parent_id: string }[] {
  return tx.all(
    `WITH RECURSIVE above(task, ancestor) AS (
       SELECT id, parent_id FROM tasks WHERE parent_id IS NOT NULL
       UNION SELECT a.task, t.parent_id FROM above a JOIN tasks t ON t.id = a.ancestor WHERE t.parent_id IS NOT NULL
     )
     SELECT d.child_id, d.parent_id FROM dependencies d JOIN above a ON a.task = d.child_id AND a.ancestor = d.parent_id
     WHERE d.type IN (${gatingList}) AND d.type <> 'parent-child' ORDER BY 1, 2`,
  );
}
