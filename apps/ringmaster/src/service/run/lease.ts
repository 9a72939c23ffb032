import { type HoldfastError, isWorking, type ProcessIdentity, SECOND } from '@holdfast/base';

import type { Attempt } from '../../store/attempts.ts';
import { heartbeat } from '../heartbeat.ts';
import type { Stopper, Supervisor } from './supervisor.ts';

export interface LeaseHolder {
  /** Whose life keeps the lease from now on. */
  readonly holdBy: (identity: ProcessIdentity | undefined) => void;
  readonly release: () => void;
}

/**
 * Renews a lease at a third of its time for as long as the process behind it works: a worker that is stopped or gone
 * keeps nothing. Workers need know nothing of this.
 */
export function holdLease({ rm }: Supervisor, attempt: Attempt, stopper: Stopper): LeaseHolder {
  const third = (rm.config.queue.lease_seconds * SECOND) / 3;
  let holder: ProcessIdentity | undefined;
  let isBeating = false;
  const beat = async (): Promise<void> => {
    if (isBeating || (holder !== undefined && !isWorking(holder))) return;
    isBeating = true;
    try {
      const { cancel } = await heartbeat(rm, { token: attempt.id });
      if (cancel) stopper.ask('cancelled');
    } catch (error) {
      if ((error as HoldfastError).code === 'STALE_TOKEN') stopper.ask('lease_lost');
    } finally {
      isBeating = false;
    }
  };
  const timer = setInterval(() => void beat(), third);
  return {
    holdBy(identity) {
      holder = identity;
    },
    release: () => clearInterval(timer),
  };
}
