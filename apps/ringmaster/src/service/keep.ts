import { DAY, HOUR, identityOf, isWorking, MINUTE, pause, SECOND } from '@holdfast/base';

import { ProjectFileReader } from '../adapters/project-files.ts';
import { recordEvent } from '../store/events.ts';
import { becomeKeeper, resignAsKeeper } from '../store/keeper.ts';
import { metaText } from '../store/meta.ts';
import type { Overdue } from '../store/overdue.ts';
import { backup, listBackups } from './backup.ts';
import { CLEANED, cleanUp } from './cleanup.ts';
import { noticeProjectFiles } from './project-files.ts';
import { rank, ranksAreStale } from './rank.ts';
import { reapExpired } from './reap.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

const ROUND_MS = SECOND;
const CLEANUP_EVERY = DAY;
/** What failed is tried again after this long. */
const REST = MINUTE;

export interface KeepOptions {
  readonly signal: AbortSignal;
  readonly pid: number;
  readonly onStep?: (text: string) => void;
  readonly roundMs?: number;
}

/** One thing that the keeper does when it is due; says what it did, or nothing. */
type Duty = (rm: Ringmaster) => Promise<string | undefined>;
type Duties = Readonly<Record<string, Duty>>;

/**
 * The process that runs as long as there is work: takes lost tasks back, ranks, backs up and cleans, until told to stop.
 * A full disk that stops the backups must not stop the rest, so each duty fails by itself and is tried again later.
 */
export async function keep(rm: Ringmaster, options: KeepOptions): Promise<void> {
  const { signal, pid, onStep = () => undefined, roundMs = ROUND_MS } = options;
  await rm.store.write('keeper begins', (tx) => becomeKeeper(tx, identityOf(pid), isWorking));
  const round = keeperRounds(rm, new Map(), onStep, signal);
  try {
    while (!signal.aborted) {
      await round();
      await pause(roundMs, signal);
    }
  } finally {
    await rm.store.write('keeper ends', resignAsKeeper);
  }
}

/** What does a round of all that is due, each time it is called. */
export function keeperRounds(
  rm: Ringmaster,
  overdue: Overdue,
  onStep: (text: string) => void,
  signal?: AbortSignal,
): () => Promise<void> {
  const duties = Object.entries(allDuties(new ProjectFileReader(rm.place.filesPath), overdue));
  const restsUntil = new Map<string, number>();
  return async () => {
    for (const [name, duty] of duties) {
      if (signal?.aborted === true || (restsUntil.get(name) ?? -Infinity) > rm.clock()) continue;
      try {
        const done = await duty(rm);
        if (done !== undefined) onStep(done);
      } catch (error) {
        restsUntil.set(name, rm.clock() + REST);
        onStep(`could not ${name}: ${(error as Error).message}`);
      }
    }
  };
}

/** One round; says what it did. The first failure ends it. */
export async function keepOnce(rm: Ringmaster): Promise<string[]> {
  const duties = allDuties(new ProjectFileReader(rm.place.filesPath), undefined);
  const steps: string[] = [];
  for (const duty of Object.values(duties)) steps.push(...[await duty(rm)].filter((step) => step !== undefined));
  return steps;
}

function allDuties(reader: ProjectFileReader, overdue: Overdue | undefined): Duties {
  return {
    'notice files': async (rm) => {
      const { changed, removed } = await noticeProjectFiles(rm, reader);
      return changed.length + removed.length === 0 ? undefined : `noticed ${[...changed, ...removed].join(', ')}`;
    },
    'take tasks back': async (rm) => {
      const reaped = await reapExpired(rm, overdue);
      return reaped.length === 0 ? undefined : `took back ${reaped.join(', ')}`;
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

/** By when it was last done, whoever did it; a time that is still to come is that of a wrong clock. */
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
  const last = listBackups(rm).at(-1)?.at ?? -Infinity;
  return rm.clock() - last >= backup_interval_hours * HOUR;
}
