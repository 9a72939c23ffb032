import { HeldLease, isHoldfastError, isWorking, type ProcessIdentity, type Renewal } from '@holdfast/base';

import type { Attempt } from '../../store/attempts.ts';
import type { Stopper, Supervisor } from './supervisor.ts';

export interface LeaseHolder {
  /** Sets the process that must be alive for the lease to be renewed. */
  readonly holdBy: (identity: ProcessIdentity | undefined) => void;
  readonly release: () => void;
}

/**
 * Renews the lease of an attempt while its process works. A stopped or dead worker loses the lease. The worker itself
 * needs no code for leases.
 */
export function holdLease({ source }: Supervisor, attempt: Attempt, stopper: Stopper): LeaseHolder {
  let holder: ProcessIdentity | undefined;
  const renew = async (): Promise<Renewal> => {
    if (holder !== undefined && !isWorking(holder)) return 'skipped';
    try {
      const { cancel } = await source.renew(attempt);
      if (cancel) stopper.ask('cancelled');
      return 'renewed';
    } catch (error) {
      if (isHoldfastError(error, 'STALE_TOKEN')) return 'lost';
      throw error;
    }
  };
  const lease = new HeldLease(
    { ...source.lease(attempt), renew, onLost: () => stopper.ask('lease_lost') },
    performance.now(),
  );
  return {
    holdBy(identity) {
      holder = identity;
    },
    release: () => lease.stop(),
  };
}
