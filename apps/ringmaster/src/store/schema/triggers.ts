import { gatingList } from '../../model/dependency.ts';

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** SQL condition: `from` depends on `to`, directly or indirectly, through its own dependencies or those of its epics. */
const reaches = (from: string, to: string): string => `EXISTS (
    WITH RECURSIVE waits(id) AS (
      SELECT ${from}
      UNION
      SELECT d.parent_id FROM waits JOIN dependencies d ON d.child_id = waits.id WHERE d.type IN (${gatingList})
      UNION
      SELECT t.parent_id FROM waits JOIN tasks t ON t.id = waits.id WHERE t.parent_id IS NOT NULL
    )
    SELECT 1 FROM waits WHERE id = ${to}
  )`;

/**
 * SQL condition for the triggers that check links or increment the graph's version. False during an import, which
 * checks all its links at once and increments the version once.
 */
const checked = `(SELECT value FROM ringmaster_meta WHERE key = 'cycle_check') = 'on'`;

const refuseCycle = (name: string, when: string): string => `
CREATE TRIGGER ${name}
${when} AND ${checked}
BEGIN
    SELECT RAISE(ABORT, 'Tasks would wait for each other in a circle')
    WHERE ${reaches('NEW.parent_id', when.includes('dependencies') ? 'NEW.child_id' : 'NEW.id')};
END;
`;

/** The trigger of the ringmaster design document, extended to UPDATE, longer cycles, and cycles through parents. */
const graph = `
-- Prevent self-dependencies
CREATE TRIGGER prevent_self_dependency
BEFORE INSERT ON dependencies
BEGIN
    SELECT RAISE(ABORT, 'Task cannot depend on itself')
    WHERE NEW.child_id = NEW.parent_id;
END;
CREATE TRIGGER prevent_self_dependency_update
BEFORE UPDATE ON dependencies
BEGIN
    SELECT RAISE(ABORT, 'Task cannot depend on itself')
    WHERE NEW.child_id = NEW.parent_id;
END;
${refuseCycle('prevent_cycle', `BEFORE INSERT ON dependencies WHEN NEW.child_id <> NEW.parent_id AND NEW.type IN (${gatingList})`)}
${refuseCycle('prevent_cycle_update', `BEFORE UPDATE ON dependencies WHEN NEW.child_id <> NEW.parent_id AND NEW.type IN (${gatingList})`)}
${refuseCycle('prevent_parent_cycle', `BEFORE INSERT ON tasks WHEN NEW.parent_id IS NOT NULL`)}
${refuseCycle(
  'prevent_parent_cycle_update',
  `BEFORE UPDATE OF parent_id ON tasks WHEN NEW.parent_id IS NOT NULL AND NEW.parent_id IS NOT OLD.parent_id`,
)}`;

const bump = `UPDATE ringmaster_meta SET value = value + 1 WHERE key = 'graph_version';`;

/**
 * Every change to the graph increments its version, even a change made with the sqlite3 program, so that outdated
 * scores can be detected.
 */
const versions = `
CREATE TRIGGER graph_task_added AFTER INSERT ON tasks WHEN ${checked} BEGIN ${bump} END;
CREATE TRIGGER graph_task_removed AFTER DELETE ON tasks BEGIN ${bump} END;
CREATE TRIGGER graph_task_changed AFTER UPDATE OF status, parent_id, priority, estimated_minutes, archived_at ON tasks
WHEN NEW.parent_id IS NOT OLD.parent_id OR NEW.priority IS NOT OLD.priority
  OR (NEW.status = 'done') IS NOT (OLD.status = 'done') OR NEW.archived_at IS NOT OLD.archived_at
  OR NEW.estimated_minutes IS NOT OLD.estimated_minutes
BEGIN ${bump} END;
CREATE TRIGGER graph_link_added AFTER INSERT ON dependencies WHEN ${checked} BEGIN ${bump} END;
CREATE TRIGGER graph_link_removed AFTER DELETE ON dependencies BEGIN ${bump} END;
CREATE TRIGGER graph_link_changed AFTER UPDATE ON dependencies BEGIN ${bump} END;
`;

/**
 * Edits to a task update `updated_at`; new scores do not. If a statement sets `updated_at` or `version` itself, as an
 * import does, these triggers keep the values that it sets.
 */
const times = `
CREATE TRIGGER tasks_touched
AFTER UPDATE OF project_id, parent_id, type, title, description, priority, status, max_attempts, blocked_reason,
  external_owner, defer_until, required_capabilities, required_worker, model, worker_args, estimated_minutes, labels,
  archived_at ON tasks
WHEN NEW.updated_at IS OLD.updated_at AND NEW.version IS OLD.version
BEGIN
    UPDATE tasks SET updated_at = max(${NOW}, OLD.updated_at), version = OLD.version + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER tasks_reopened AFTER UPDATE OF status ON tasks WHEN OLD.status = 'done' AND NEW.status <> 'done'
BEGIN
    UPDATE beads_originals SET is_failed_close = FALSE WHERE task_id = NEW.id AND is_failed_close;
END;
CREATE TRIGGER projects_touched AFTER UPDATE OF name, description, tech_stack, settings ON projects
WHEN NEW.updated_at IS OLD.updated_at
BEGIN
    UPDATE projects SET updated_at = max(${NOW}, OLD.updated_at) WHERE id = NEW.id;
END;
CREATE TRIGGER tasks_made_ready AFTER UPDATE OF status ON tasks WHEN NEW.status = 'ready' AND OLD.status <> 'ready'
BEGIN
    UPDATE tasks SET ready_at = ${NOW} WHERE id = NEW.id;
END;
CREATE TRIGGER tasks_born_ready AFTER INSERT ON tasks WHEN NEW.ready_at IS NULL AND NEW.status = 'ready'
BEGIN
    UPDATE tasks SET ready_at = NEW.created_at WHERE id = NEW.id;
END;
`;

/**
 * The live attempt owns a task. These triggers copy the owner to the task columns that the ringmaster design document
 * defines.
 */
const ownership = `
CREATE TRIGGER attempt_begun AFTER INSERT ON attempts WHEN NEW.ended_at IS NULL
BEGIN
    UPDATE tasks SET status = 'assigned', worker_id = NEW.worker_id, attempts = attempts + 1,
        started_at = coalesce(started_at, NEW.started_at), next_eligible_at = NULL,
        updated_at = max(NEW.started_at, updated_at), version = version + 1
    WHERE id = NEW.task_id;
    UPDATE workers SET status = 'busy', current_task_id = NEW.task_id, last_active_at = NEW.started_at
    WHERE id = NEW.worker_id;
END;
CREATE TRIGGER attempt_ended AFTER UPDATE OF ended_at ON attempts WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
    UPDATE tasks SET worker_id = NULL WHERE id = NEW.task_id;
    UPDATE workers SET
        current_task_id = (SELECT task_id FROM attempts WHERE worker_id = NEW.worker_id AND ended_at IS NULL
                           ORDER BY id DESC LIMIT 1),
        status = CASE WHEN status = 'offline' THEN 'offline'
                      WHEN EXISTS (SELECT 1 FROM attempts WHERE worker_id = NEW.worker_id AND ended_at IS NULL) THEN 'busy'
                      WHEN is_draining THEN 'offline' ELSE 'idle' END,
        last_active_at = NEW.ended_at,
        avg_completion_seconds = CASE WHEN NEW.outcome = 'succeeded'
            THEN (coalesce(avg_completion_seconds, 0) * tasks_completed
                  + (julianday(NEW.ended_at) - julianday(NEW.started_at)) * 86400.0) / (tasks_completed + 1)
            ELSE avg_completion_seconds END,
        tasks_completed = tasks_completed + (NEW.outcome = 'succeeded'),
        tasks_failed = tasks_failed + (NEW.outcome = 'failed' AND NEW.failure_class = 'task')
    WHERE id = NEW.worker_id;
END;
CREATE TRIGGER attempts_stay_ended BEFORE UPDATE ON attempts WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL
BEGIN SELECT RAISE(ABORT, 'An attempt that has ended stays ended'); END;
`;

const append_only = `
CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'Events are append-only'); END;
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
WHEN OLD.id >= (SELECT value FROM ringmaster_meta WHERE key = 'events_kept_from')
BEGIN SELECT RAISE(ABORT, 'Events are append-only'); END;
CREATE TRIGGER summaries_do_not_overlap BEFORE INSERT ON summaries
WHEN EXISTS (SELECT 1 FROM summaries s WHERE s.project_id = NEW.project_id AND s.task_id IS NEW.task_id
             AND s.message_range_start <= NEW.message_range_end AND s.message_range_end >= NEW.message_range_start)
BEGIN SELECT RAISE(ABORT, 'These messages are summarised already'); END;
`;

export const triggers: string = graph + versions + times + ownership + append_only;
