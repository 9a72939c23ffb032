import { DAY, failpoint, toTimestamp } from '@holdfast/base';

import { fileExists, inside } from '../adapters/files.ts';
import { ObjectStore } from '../adapters/object-store.ts';
import { deleteEvents, recordEvent } from '../store/events.ts';
import { deletedFiles, markDeleted, oldIterationFiles } from '../store/files.ts';
import { setMeta } from '../store/meta.ts';
import { archiveDone, forgetOutput } from '../store/tasks.ts';
import { purgeObjects } from './backup.ts';
import { writeTaskFiles } from './projections.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface CleanupResult {
  readonly archived: number;
  readonly logs: number;
  readonly events: number;
  readonly purged: number;
}

/** Meta key: time of the last cleanup. */
export const CLEANED = 'cleaned_at';

/**
 * Archives done tasks instead of deleting them, because others depend on them and Beads files name them. Deletes old
 * logs, marks their rows, and deletes old events.
 */
export async function cleanUp(rm: Ringmaster): Promise<CleanupResult> {
  const { cleanup_completed_tasks_days, cleanup_iteration_logs_days, cleanup_events_days } = rm.config.storage;
  const before = (days: number): string => toTimestamp(rm.clock() - days * DAY);
  const result = await rm.store.write('cleanup', (tx) => {
    const call = callOf(rm);
    const archived = archiveDone(tx, before(cleanup_completed_tasks_days), call.now);
    const logs = oldIterationFiles(tx, before(cleanup_iteration_logs_days));
    for (const { path } of logs) {
      markDeleted(tx, path, call.now);
      forgetOutput(tx, path);
    }
    const events = deleteEvents(tx, before(cleanup_events_days));
    setMeta(tx, CLEANED, call.now);
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

/** Also removes what an interrupted cleanup left. */
function removeDeleted(rm: Ringmaster): void {
  const left = deletedFiles(rm.store.reader).filter(({ path }) => fileExists(inside(rm.workspace.filesPath, path)));
  const objects = new ObjectStore(rm.workspace.filesPath);
  for (const { path, sha256 } of left) objects.remove(path, sha256, new Date(rm.clock()));
  const tasks = new Set(left.flatMap(({ path }) => /^tasks\/([^/]+)\//.exec(path)?.[1] ?? []));
  for (const task of tasks) writeTaskFiles(rm, task);
}
