import { identityOf, isHoldfastError, isWorking, SECOND } from '@holdfast/base';

import { monotonicClock } from '../../adapters/monotonic.ts';
import { becomeKeeper, resignAsKeeper } from '../../store/keeper.ts';
import type { Overdue } from '../../store/overdue.ts';
import { keeperRounds } from '../keep.ts';
import { reapExpired } from '../reap.ts';
import type { Ringmaster } from '../ringmaster.ts';
import type { RunEvent } from './supervisor.ts';

const KEEP_EVERY = 5 * SECOND;

export interface Keeping {
  readonly stop: () => Promise<void>;
}

/** What the keeper does, done beside the workers, unless a keeper is there already. Lost tasks are taken back anyhow. */
export async function keepWhileRunning(rm: Ringmaster, pid: number, tell: (event: RunEvent) => void): Promise<Keeping> {
  const isKeeper = await tryToKeep(rm, pid);
  const reapEvery = Math.min(SECOND, (rm.config.queue.lease_seconds * SECOND) / 3);
  let running: Promise<void> = Promise.resolve();
  const overdue: Overdue = new Map();
  const note = (text: string): void => tell({ kind: 'note', text });
  const keepAll = keeperRounds(rm, overdue, note);
  let keptAt = -Infinity;
  let isBusy = false;
  const round = async (): Promise<void> => {
    try {
      const isDue = isKeeper && monotonicClock() - keptAt >= KEEP_EVERY;
      if (isDue) keptAt = monotonicClock();
      if (isDue) await keepAll();
      else for (const task of await reapExpired(rm, overdue)) note(`took back ${task}`);
    } catch (error) {
      tell({ kind: 'problem', text: error instanceof Error ? error.message : String(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = round();
  }, reapEvery);
  return {
    async stop() {
      clearInterval(timer);
      await running;
      if (isKeeper) await rm.store.write('keeper ends', resignAsKeeper);
    },
  };
}

async function tryToKeep(rm: Ringmaster, pid: number): Promise<boolean> {
  try {
    await rm.store.write('keeper begins', (tx) => becomeKeeper(tx, identityOf(pid), isWorking));
    return true;
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'WORKER_UNAVAILABLE') return false;
    throw error;
  }
}
