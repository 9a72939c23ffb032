import { gatingList } from '../../model/dependency.ts';

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/**
 * SQL condition: the children of a dependency satisfy the link, which requires all or any of them to be done. False if
 * there are no children; the link then waits for the dependency itself.
 */
const childrenSatisfy = `EXISTS (SELECT 1 FROM tasks c WHERE c.parent_id = b.id AND c.deleted_at IS NULL)
    AND CASE WHEN d.metadata IS NOT NULL AND json_valid(d.metadata)
                  AND json_extract(d.metadata, '$.gate') = 'any-children'
        THEN EXISTS (SELECT 1 FROM tasks c WHERE c.parent_id = b.id AND c.deleted_at IS NULL AND c.status = 'done')
        ELSE NOT EXISTS (SELECT 1 FROM tasks c WHERE c.parent_id = b.id AND c.deleted_at IS NULL AND c.status <> 'done') END`;

/** SQL condition: the task failed, or was closed in Beads for a reason that means failure. */
const failed = `b.status = 'failed' OR (b.status = 'done' AND EXISTS (
      SELECT 1 FROM beads_originals o WHERE o.task_id = b.id AND o.is_failed_close))`;

/**
 * Links that block a task now. Only `done` satisfies a link; `failed` does not (docs/fidelity/ringmaster.md, 10).
 * `conditional-blocks` waits for a failure instead. `waits-for` is also satisfied by the target's children. A pinned
 * note blocks nothing, as in Beads.
 */
const open_links = `
CREATE VIEW open_links AS
SELECT d.child_id, d.parent_id, d.type, b.status
FROM dependencies d JOIN tasks b ON b.id = d.parent_id
WHERE d.type IN (${gatingList}) AND d.type <> 'parent-child'
  AND NOT b.is_pinned AND CASE d.type
    WHEN 'conditional-blocks' THEN NOT (${failed})
    WHEN 'waits-for' THEN b.status <> 'done' AND NOT (${childrenSatisfy})
    ELSE b.status <> 'done' END;
`;

/**
 * All tasks that wait because of their own links or their parents' links. Lists use this view to check all tasks at
 * once.
 */
const held_tasks = `
CREATE VIEW held_tasks AS
WITH RECURSIVE held(id) AS (
  SELECT child_id FROM open_links
  UNION
  SELECT t.id FROM held JOIN tasks t ON t.parent_id = held.id
  UNION
  SELECT d.child_id FROM held JOIN dependencies d ON d.parent_id = held.id AND d.type = 'parent-child'
)
SELECT id FROM held;
`;

/** SQL condition: the task is in `held_tasks`. Claims use this condition, because they check only a few tasks. */
export const isHeld = (task: string): string => `(
  EXISTS (SELECT 1 FROM open_links l WHERE l.child_id = ${task}.id)
  OR ((${task}.parent_id IS NOT NULL
       OR EXISTS (SELECT 1 FROM dependencies p WHERE p.child_id = ${task}.id AND p.type = 'parent-child'))
      AND EXISTS (
        WITH RECURSIVE above(id) AS (
          SELECT ${task}.id
          UNION
          SELECT t.parent_id FROM above JOIN tasks t ON t.id = above.id WHERE t.parent_id IS NOT NULL
          UNION
          SELECT d.parent_id FROM above JOIN dependencies d ON d.child_id = above.id AND d.type = 'parent-child'
        )
        SELECT 1 FROM above JOIN open_links l ON l.child_id = above.id))
)`;

const parentDeferred = `EXISTS (SELECT 1 FROM tasks p WHERE p.id = t.parent_id AND p.defer_until > ${NOW})`;

/** Ready tasks of any type; `type` decides whether a worker may claim one. */
const ready_tasks = `
CREATE VIEW ready_tasks AS
SELECT t.* FROM tasks t
WHERE t.status = 'ready' AND t.is_work AND NOT t.is_pinned AND t.archived_at IS NULL AND t.external_owner IS NULL
  AND (t.defer_until IS NULL OR t.defer_until <= ${NOW})
  AND (t.next_eligible_at IS NULL OR t.next_eligible_at <= ${NOW})
  AND t.id NOT IN (SELECT id FROM held_tasks)
  AND NOT ${parentDeferred};
`;

/**
 * The queue of the ringmaster design document. It is a view, so the design document's statements work on it. A table
 * would only repeat tasks and attempts, or contradict them (flaw 5 in docs/fidelity/ringmaster.md).
 */
const queue = `
CREATE VIEW queue AS
SELECT t.id AS task_id, t.combined_priority AS priority_score, coalesce(t.ready_at, t.updated_at) AS ready_at,
       NULL AS assigned_at, NULL AS worker_id
FROM ready_tasks t WHERE t.type IN ('task', 'subtask')
UNION ALL
SELECT t.id, t.combined_priority, coalesce(t.ready_at, t.updated_at), a.started_at, a.worker_id
FROM attempts a JOIN tasks t ON t.id = a.task_id WHERE a.ended_at IS NULL;

CREATE TRIGGER queue_insert INSTEAD OF INSERT ON queue
BEGIN
    UPDATE tasks SET status = 'ready', combined_priority = coalesce(NEW.priority_score, combined_priority)
    WHERE id = NEW.task_id AND status IN ('draft', 'blocked');
END;
CREATE TRIGGER queue_delete INSTEAD OF DELETE ON queue
BEGIN
    UPDATE tasks SET status = 'draft' WHERE id = OLD.task_id AND status = 'ready';
END;
CREATE TRIGGER queue_assign INSTEAD OF UPDATE ON queue
WHEN OLD.assigned_at IS NULL AND NEW.assigned_at IS NOT NULL AND NEW.worker_id IS NOT NULL
BEGIN
    INSERT INTO attempts (task_id, worker_id, number, slot, started_at, heartbeat_at, lease_expires_at)
    SELECT OLD.task_id, NEW.worker_id, t.attempts + 1,
           1 + (SELECT coalesce(max(slot), 0) FROM attempts a WHERE a.worker_id = NEW.worker_id AND a.ended_at IS NULL),
           NEW.assigned_at, NEW.assigned_at, strftime('%Y-%m-%dT%H:%M:%fZ', NEW.assigned_at, '+300 seconds')
    FROM tasks t WHERE t.id = OLD.task_id;
END;
`;

export const views: string = open_links + held_tasks + ready_tasks + queue;
