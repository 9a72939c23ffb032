import { DAY, HOUR, identityOf, isWorking, SECOND } from '@holdfast/base';

import { ProjectFileReader } from '../adapters/project-files.ts';
import { becomeKeeper, resignAsKeeper } from '../store/keeper.ts';
import { backup, listBackups } from './backup.ts';
import { cleanUp } from './cleanup.ts';
import { noticeProjectFiles } from './project-files.ts';
import { rank, ranksAreStale } from './rank.ts';
import { reapExpired } from './reap.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { recordEvent } from '../store/events.ts';

const ROUND_MS = SECOND;
const CLEANUP_EVERY = DAY;

export interface KeepOptions {
  readonly signal: AbortSignal;
  readonly pid: number;
  readonly onStep?: (text: string) => void;
}

/** The process that runs as long as there is work: takes lost tasks back, ranks, backs up and cleans, until told to stop. */
export async function keep(rm: Ringmaster, { signal, pid, onStep = () => undefined }: KeepOptions): Promise<void> {
  await rm.store.write('keeper begins', (tx) => becomeKeeper(tx, identityOf(pid), isWorking));
  const reader = new ProjectFileReader(rm.place.filesPath);
  let cleanedAt = -Infinity;
  try {
    while (!signal.aborted) {
      for (const text of await keepOnce(rm, reader)) onStep(text);
      if (rm.clock() - cleanedAt > CLEANUP_EVERY) {
        cleanedAt = rm.clock();
        await cleanUp(rm);
      }
      await pause(signal);
    }
  } finally {
    await rm.store.write('keeper ends', resignAsKeeper);
  }
}

/** One round; says what it did. */
export async function keepOnce(rm: Ringmaster, reader?: ProjectFileReader): Promise<string[]> {
  const steps: string[] = [];
  const { changed, removed } = await noticeProjectFiles(rm, reader);
  if (changed.length + removed.length > 0) steps.push(`noticed ${[...changed, ...removed].join(', ')}`);
  const reaped = await reapExpired(rm);
  if (reaped.length > 0) steps.push(`took back ${reaped.join(', ')}`);
  if (ranksAreStale(rm)) {
    const run = await rank(rm);
    steps.push(`ranked ${run.tasks} tasks in ${Math.round(run.duration_ms)} ms`);
  }
  if (backupIsDue(rm)) {
    const { path } = await backup(rm);
    steps.push(`backed up to ${path}`);
    const call = callOf(rm);
    await rm.store.write('backup', (tx) =>
      recordEvent(tx, call, { type: 'backup_taken', entity: 'store', id: 'backup', data: { path } }),
    );
  }
  return steps;
}

function backupIsDue(rm: Ringmaster): boolean {
  const { backup_enabled, backup_interval_hours } = rm.config.storage;
  if (!backup_enabled) return false;
  const last = listBackups(rm).at(-1)?.at ?? -Infinity;
  return rm.clock() - last >= backup_interval_hours * HOUR;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ROUND_MS);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
