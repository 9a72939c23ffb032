import { ObjectStore } from '../adapters/object-store.ts';
import { filesOf } from '../store/backup.ts';
import { AcyclicLinks, cycleText } from '../model/graph/cycle.ts';
import { gatingLinks } from '../store/beads.ts';
import { noticeProjectFiles } from './project-files.ts';
import { finishInterrupted, settleFiles } from './restore.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface Finding {
  readonly check: string;
  readonly problems: readonly string[];
}

/** Every promise of the state that can be checked, checked. */
export async function examine(rm: Ringmaster, repair: boolean): Promise<readonly Finding[]> {
  if (repair) {
    await finishInterrupted(rm);
    await noticeProjectFiles(rm);
    settleFiles(rm, growing(rm));
  }
  return [
    { check: 'database', problems: rm.store.database.integrityProblems() },
    { check: 'references', problems: references(rm) },
    { check: 'circles', problems: circles(rm) },
    { check: 'files', problems: files(rm) },
    { check: 'workers', problems: workers(rm) },
  ];
}

/** What is written for a task that somebody holds gets into the state when it is finished, and not before. */
function growing({ store }: Ringmaster): (path: string) => boolean {
  const held = store.reader.all<{ task_id: string }>('SELECT task_id FROM attempts WHERE ended_at IS NULL');
  const folders = held.map(({ task_id }) => `tasks/${task_id}/`);
  return (path) => folders.some((folder) => path.startsWith(folder));
}

function references({ store }: Ringmaster): string[] {
  return store.reader
    .all<{ table: string; rowid: number; parent: string }>('PRAGMA foreign_key_check')
    .map(({ table, rowid, parent }) => `${table} row ${rowid} refers to a row of ${parent} that is not there`);
}

function circles({ store }: Ringmaster): string[] {
  const links = new AcyclicLinks();
  return gatingLinks(store.reader).flatMap(({ child_id, parent_id }) => {
    const circle = links.add(child_id, parent_id);
    return circle === undefined ? [] : [cycleText(child_id, circle)];
  });
}

function files(rm: Ringmaster): string[] {
  const objects = new ObjectStore(rm.place.filesPath);
  return (
    filesOf(rm.store)
      // What people write may differ at any time; what it was must be kept.
      .filter(({ path, kind, sha256, bytes }) =>
        kind === 'project' ? !objects.has(sha256) : !objects.isIntact(path, sha256, bytes),
      )
      .map(({ path }) => `${path} is missing or damaged`)
  );
}

/** What the seed keeps in three places must be what the attempts say. */
function workers({ store }: Ringmaster): string[] {
  return store.reader
    .all<{ id: string; what: string }>(
      `SELECT w.id, 'counts other tasks than its attempts' AS what FROM workers w
       WHERE w.tasks_completed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'succeeded')
          OR w.tasks_failed <> (SELECT count(*) FROM attempts a WHERE a.worker_id = w.id AND a.outcome = 'failed'
                                AND a.failure_class = 'task')
       UNION ALL
       SELECT w.id, 'is busy with nothing' FROM workers w WHERE w.status = 'busy'
          AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.worker_id = w.id AND a.ended_at IS NULL)
       UNION ALL
       SELECT t.id, 'is assigned to nobody' FROM tasks t WHERE t.status = 'assigned'
          AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.ended_at IS NULL)`,
    )
    .map(({ id, what }) => `${id} ${what}`);
}
