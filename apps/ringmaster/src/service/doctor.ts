import { ObjectStore } from '../adapters/object-store.ts';
import { commandExists } from '../adapters/processes.ts';
import { passingProblems } from '../model/attempt.ts';
import { AcyclicLinks, cycleText } from '../model/graph/cycle.ts';
import { pendingMerges } from '../store/attempt-runs.ts';
import { liveAttempts } from '../store/attempts.ts';
import { gatingLinks } from '../store/beads.ts';
import { brokenReferences, contradictions, dependenciesOnAncestors } from '../store/dependencies.ts';
import { presentFiles } from '../store/files.ts';
import { undeliverable } from '../store/notifications.ts';
import { findJournalProblems, repairFromJournal } from '../store/open.ts';
import { listWorkers } from '../store/workers.ts';
import { recordProjectFiles } from './backup.ts';
import { sensitiveRepositories } from './projects.ts';
import { finishInterruptedRestore, settleFiles } from './restore.ts';
import type { Ringmaster } from './ringmaster.ts';
import { parkedWorkers } from './workers.ts';

export interface Finding {
  readonly check: string;
  readonly problems: readonly string[];
}

/**
 * Checks database, graph, files, repositories, workers, merges and notifications. With `repair`, first restores missing
 * files, and rows that differ from the journal.
 */
export async function examine(rm: Ringmaster, { repair }: { readonly repair: boolean }): Promise<readonly Finding[]> {
  if (repair) {
    await finishInterruptedRestore(rm);
    await repairFromJournal(rm.store.database);
    await recordProjectFiles(rm);
    settleFiles(rm, growing(rm));
  }
  return [
    { check: 'database', problems: rm.store.database.integrityProblems() },
    { check: 'journal', problems: journal(rm) },
    { check: 'references', problems: references(rm) },
    { check: 'cycles', problems: cyclesIn(rm) },
    { check: 'files', problems: files(rm) },
    { check: 'repositories', problems: sensitiveRepositories(rm) },
    { check: 'workers', problems: workers(rm) },
    { check: 'merges', problems: merges(rm) },
    { check: 'notifications', problems: notifications(rm) },
  ];
}

/** Returns a function that matches files of claimed tasks. Such files are registered only when the attempt ends. */
function growing({ store }: Ringmaster): (path: string) => boolean {
  const folders = liveAttempts(store.reader).map(({ task_id }) => `tasks/${task_id}/`);
  return (path) => folders.some((folder) => path.startsWith(folder));
}

function journal({ store }: Ringmaster): string[] {
  return findJournalProblems(store.database).map(({ key, detail }) => `${key === '' ? '' : `${key}: `}${detail}`);
}

function references({ store }: Ringmaster): string[] {
  return brokenReferences(store.reader).map(
    ({ table, rowid, parent }) => `${table} row ${rowid} refers to a missing row of ${parent}`,
  );
}

function cyclesIn({ store }: Ringmaster): string[] {
  const links = new AcyclicLinks();
  const deadlocks = dependenciesOnAncestors(store.reader).map(
    ({ child_id, parent_id }) => `${child_id} depends on ${parent_id}, which it is part of`,
  );
  const cycles = gatingLinks(store.reader).flatMap(({ child_id, parent_id }) => {
    const cycle = links.add(child_id, parent_id);
    return cycle === undefined ? [] : [cycleText(child_id, cycle)];
  });
  return [...cycles, ...deadlocks];
}

function files(rm: Ringmaster): string[] {
  const objects = new ObjectStore(rm.workspace.filesPath);
  return (
    presentFiles(rm.store.reader)
      // A project file may differ from its recorded version at any time, but that version must be stored.
      .filter(({ path, kind, sha256, bytes }) =>
        kind === 'project' ? !objects.has(sha256) : !objects.isIntact(path, sha256, bytes),
      )
      .map(({ path }) => `${path} is missing or damaged`)
  );
}

function workers(rm: Ringmaster): string[] {
  const parked = parkedWorkers(rm).filter(({ kind }) => !passingProblems.has(kind));
  const missing = listWorkers(rm.store.reader).filter(
    ({ id, command }) =>
      command !== '' && !commandExists(command, process.env) && !parked.some((worker) => worker.id === id),
  );
  return [
    ...contradictions(rm.store.reader).map(({ id, what }) => `${id} ${what}`),
    ...parked.map(({ id, until, reason }) => `${id} is parked until ${until}: ${reason}`),
    ...missing.map(({ id, command }) => `${id} cannot start: the command "${command}" was not found`),
  ];
}

function notifications({ store }: Ringmaster): string[] {
  return undeliverable(store.reader).map(
    ({ destination, attempts, last_error, created_at }) =>
      `${destination}: the notification from ${created_at} was not delivered in ${attempts} attempts: ${last_error ?? ''}`,
  );
}

function merges({ store }: Ringmaster): string[] {
  return pendingMerges(store.reader).map(
    ({ task_id, branch }) =>
      `${task_id} is done, but ${branch} is not merged yet; use 'ringmaster run' or 'ringmaster merge'`,
  );
}
