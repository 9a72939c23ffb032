import { DAY, delay, HOUR, identityOf, isWorking, MINUTE, SECOND } from '@holdfast/base';

import { ProjectFileReader } from '../adapters/project-files.ts';
import { recordEvent } from '../store/events.ts';
import { claimMaintenance, type ExpiredLeases, metaText, releaseMaintenance } from '../store/meta.ts';
import { backup, CLEANED, cleanUp, listBackups, recordProjectFiles } from './backup.ts';
import { deliverDue, reportAllDone, startNotifier } from './notifications.ts';
import { reapExpired } from './queue.ts';
import { rank, ranksAreStale } from './rank.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

const ROUND_MS = SECOND;
const CLEANUP_EVERY = DAY;
const RETRY_AFTER = MINUTE;

export interface MaintenanceOptions {
  readonly signal: AbortSignal;
  readonly pid: number;
  readonly onStep?: (text: string) => void;
  readonly roundMs?: number;
}

/** Does one kind of maintenance if it is due. Returns a description of what it did; undefined if it did nothing. */
type Job = (rm: Ringmaster) => Promise<string | undefined>;

/**
 * Reclaims lost tasks, ranks tasks, makes backups and cleans up, until aborted. Each job fails and retries
 * independently: a full disk stops backups, but not the other jobs.
 */
export async function runMaintenance(rm: Ringmaster, options: MaintenanceOptions): Promise<void> {
  const { signal, pid, onStep = () => undefined, roundMs = ROUND_MS } = options;
  await rm.store.write('maintenance begins', (tx) => claimMaintenance(tx, identityOf(pid), isWorking));
  const round = maintenanceRounds(rm, new Map(), onStep, signal);
  const notifier = startNotifier(rm, onStep);
  try {
    while (!signal.aborted) {
      await round();
      await delay(roundMs, signal);
    }
  } finally {
    await notifier.stop();
    await rm.store.write('maintenance ends', releaseMaintenance);
  }
}

export function maintenanceRounds(
  rm: Ringmaster,
  expiredLeases: ExpiredLeases,
  onStep: (text: string) => void,
  signal?: AbortSignal,
): () => Promise<void> {
  const jobs = Object.entries(allJobs(new ProjectFileReader(rm.workspace.filesPath), expiredLeases));
  const retryAt = new Map<string, number>();
  return async () => {
    for (const [name, job] of jobs) {
      if (signal?.aborted === true || (retryAt.get(name) ?? -Infinity) > rm.clock()) continue;
      try {
        const done = await job(rm);
        if (done !== undefined) onStep(done);
      } catch (error) {
        retryAt.set(name, rm.clock() + RETRY_AFTER);
        onStep(`could not ${name}: ${(error as Error).message}`);
      }
    }
  };
}

/** Runs each due job once. Throws at the first failure. */
export async function maintainOnce(rm: Ringmaster): Promise<string[]> {
  const jobs = allJobs(new ProjectFileReader(rm.workspace.filesPath), undefined);
  const steps: string[] = [];
  for (const job of Object.values(jobs)) steps.push(...[await job(rm)].filter((step) => step !== undefined));
  await reportAllDone(rm);
  return [...steps, ...(await deliverDue(rm))];
}

function allJobs(reader: ProjectFileReader, expiredLeases: ExpiredLeases | undefined): Readonly<Record<string, Job>> {
  return {
    'check project files': async (rm) => {
      const { changed, removed } = await recordProjectFiles(rm, reader);
      return changed.length + removed.length === 0
        ? undefined
        : `found changed files: ${[...changed, ...removed].join(', ')}`;
    },
    'reclaim tasks': async (rm) => {
      const reaped = await reapExpired(rm, expiredLeases);
      return reaped.length === 0 ? undefined : `reclaimed ${reaped.join(', ')}`;
    },
    rank: async (rm) => {
      if (!ranksAreStale(rm)) return undefined;
      const run = await rank(rm);
      return `ranked ${run.tasks} tasks in ${Math.round(run.duration_ms)} ms`;
    },
    'back up': backUp,
    'clean up': async (rm) => {
      if (!cleanupIsDue(rm)) return undefined;
      const { archived, logs, events } = await cleanUp(rm);
      const total = archived + logs + events;
      return total === 0 ? undefined : `archived ${archived} tasks, deleted ${logs} logs and ${events} events`;
    },
  };
}

/**
 * Returns whether a cleanup is due. It is also due if the last cleanup is in the future, because the clock was wrong at
 * that time.
 */
function cleanupIsDue({ store, clock }: Ringmaster): boolean {
  const age = clock() - Date.parse(metaText(store.reader, CLEANED));
  return !(age >= 0 && age <= CLEANUP_EVERY);
}

async function backUp(rm: Ringmaster): Promise<string | undefined> {
  if (!backupIsDue(rm)) return undefined;
  const { path } = await backup(rm);
  const call = callOf(rm);
  await rm.store.write('backup', (tx) =>
    recordEvent(tx, call, { type: 'backup_taken', entity: 'store', id: 'backup', data: { path } }),
  );
  return `backed up to ${path}`;
}

function backupIsDue(rm: Ringmaster): boolean {
  const { backup_enabled, backup_interval_hours } = rm.config.storage;
  if (!backup_enabled) return false;
  const last = listBackups(rm).at(-1)?.created_at;
  return last === undefined || rm.clock() - Date.parse(last) >= backup_interval_hours * HOUR;
}
