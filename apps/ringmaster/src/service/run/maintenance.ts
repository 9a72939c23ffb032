import { delay, identityOf, isHoldfastError, isWorking, monotonicClock, SECOND } from '@holdfast/base';

import { claimMaintenance, type ExpiredLeases, releaseMaintenance } from '../../store/meta.ts';
import { maintenanceRounds } from '../maintenance.ts';
import { reapExpired } from '../queue.ts';
import type { Ringmaster } from '../ringmaster.ts';
import type { RunEvent } from './supervisor.ts';

const MAINTAIN_EVERY = 5 * SECOND;

export interface BackgroundMaintenance {
  readonly stop: () => Promise<void>;
}

/** Runs maintenance while workers run, unless another process already does. Always reclaims lost tasks. */
export async function maintainWhileRunning(
  rm: Ringmaster,
  pid: number,
  tell: (event: RunEvent) => void,
): Promise<BackgroundMaintenance> {
  const isOwner = await tryToClaimMaintenance(rm, pid);
  const reapEvery = Math.min(SECOND, (rm.config.queue.lease_seconds * SECOND) / 3);
  const expiredLeases: ExpiredLeases = new Map();
  const note = (text: string): void => tell({ kind: 'note', text });
  const maintain = maintenanceRounds(rm, expiredLeases, note);
  const stopped = new AbortController();
  const loop = async (): Promise<void> => {
    for (let maintainedAt = -Infinity; ;) {
      await delay(reapEvery, stopped.signal);
      if (stopped.signal.aborted) return;
      try {
        const isDue = isOwner && monotonicClock() - maintainedAt >= MAINTAIN_EVERY;
        if (isDue) maintainedAt = monotonicClock();
        if (isDue) await maintain();
        else for (const task of await reapExpired(rm, expiredLeases)) note(`reclaimed ${task}`);
      } catch (error) {
        tell({ kind: 'problem', text: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  const running = loop();
  return {
    async stop() {
      stopped.abort();
      await running;
      if (isOwner) await rm.store.write('maintenance ends', releaseMaintenance);
    },
  };
}

async function tryToClaimMaintenance(rm: Ringmaster, pid: number): Promise<boolean> {
  try {
    await rm.store.write('maintenance begins', (tx) => claimMaintenance(tx, identityOf(pid), isWorking));
    return true;
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'MAINTENANCE_RUNNING') return false;
    throw error;
  }
}
