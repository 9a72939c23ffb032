import { DAY, failpoint } from '@holdfast/base';

import { fileExists, inside } from '../adapters/files.ts';
import { ObjectStore } from '../adapters/object-store.ts';
import { timeText } from '../model/time.ts';
import { recordEvent } from '../store/events.ts';
import { deletedFiles, markDeleted, oldIterationFiles } from '../store/files.ts';
import { setMeta } from '../store/meta.ts';
import { purgeObjects } from './backup.ts';
import { writeTaskFiles } from './projections.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface CleanupResult {
  readonly archived: number;
  readonly logs: number;
  readonly events: number;
  readonly purged: number;
}

/**
 * Done tasks are archived, not deleted: others depend on them and Beads files name them. Logs of old attempts are
 * deleted, and the row that refers to them says so. Old events go. Nothing is left that points at nothing.
 */
export async function cleanUp(rm: Ringmaster): Promise<CleanupResult> {
  const { cleanup_completed_tasks_days, cleanup_iteration_logs_days, cleanup_events_days } = rm.config.storage;
  const before = (days: number): string => timeText(rm.clock() - days * DAY);
  const result = await rm.store.write('cleanup', (tx) => {
    const call = callOf(rm);
    const archived = tx.run(
      `UPDATE tasks SET archived_at = ?1 WHERE status = 'done' AND archived_at IS NULL AND completed_at < ?2
         AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = tasks.id AND a.ended_at IS NULL)`,
      call.now,
      before(cleanup_completed_tasks_days),
    ).changes;
    const logs = oldIterationFiles(tx, before(cleanup_iteration_logs_days));
    for (const { path } of logs) {
      markDeleted(tx, path, call.now);
      tx.run('UPDATE tasks SET output_path = NULL WHERE output_path = ?', path);
    }
    const events = deleteEvents(tx, before(cleanup_events_days));
    if (archived + logs.length + events > 0) {
      const data = { archived, logs: logs.length, events };
      recordEvent(tx, call, { type: 'cleaned_up', entity: 'store', id: 'cleanup', data });
    }
    return { archived, logs, events };
  });
  failpoint('ringmaster.cleanup.rows');
  removeDeleted(rm);
  return { archived: result.archived, logs: result.logs.length, events: result.events, purged: purgeObjects(rm) };
}

/** Also what an earlier cleanup was stopped before removing. */
function removeDeleted(rm: Ringmaster): void {
  const left = deletedFiles(rm.store.reader).filter(({ path }) => fileExists(inside(rm.place.filesPath, path)));
  const objects = new ObjectStore(rm.place.filesPath);
  for (const { path, sha256 } of left) objects.remove(path, sha256, new Date(rm.clock()));
  const tasks = new Set(left.flatMap(({ path }) => /^tasks\/([^/]+)\//.exec(path)?.[1] ?? []));
  for (const task of tasks) writeTaskFiles(rm, task);
}

/** The trigger that keeps events append-only lets go of those below this mark. */
function deleteEvents(tx: Parameters<Parameters<Ringmaster['store']['write']>[1]>[0], before: string): number {
  const row = tx.get<{ id: number | null }>('SELECT max(id) AS id FROM events WHERE created_at < ?', before);
  if (row === undefined || row.id === null) return 0;
  setMeta(tx, 'events_kept_from', row.id + 1);
  return tx.run('DELETE FROM events WHERE id <= ?', row.id).changes;
}
