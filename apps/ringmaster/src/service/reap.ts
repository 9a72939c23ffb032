import { isWorking } from '@holdfast/base';

import { monotonicClock } from '../adapters/monotonic.ts';
import { type Attempt, expiredAttempts, lostInARow } from '../store/attempts.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { finishAttempt } from './finish-attempt.ts';
import { interruption } from './interrupted.ts';

/** What somebody who looks again and again remembers: since when, on a clock that nobody sets, a lease is over. */
export type Overdue = Map<number, { readonly until: string; readonly since: number }>;

/**
 * Takes tasks back whose lease ran out. If the very process that holds one is still working, it gets as much time again
 * before it loses the task: a late heartbeat is more likely than a hang. Where it is remembered since when the lease is
 * over, that time begins then: a machine that slept, or a clock that was set, has let all leases run out at once. A report
 * that comes after that is refused by its token.
 */
export async function reapExpired(rm: Ringmaster, overdue?: Overdue): Promise<readonly string[]> {
  const now = callOf(rm).now;
  const lost = expiredAttempts(rm.store.reader, now).filter((attempt) => isLost(attempt, now, overdue));
  if (lost.length === 0) return [];
  const ids = new Set(lost.map(({ id }) => id));
  return rm.store.write('reap', (tx) => {
    const call = callOf(rm);
    // Read again under the lock: a heartbeat may have come in between.
    return expiredAttempts(tx, call.now)
      .filter(({ id }) => ids.has(id))
      .map((attempt) => {
        const reason = `The lease ran out at ${attempt.lease_expires_at}`;
        const times = lostInARow(tx, attempt.task_id) + 1;
        finishAttempt(tx, rm, call, attempt, interruption(rm, attempt, times, reason));
        return attempt.task_id;
      });
  });
}

function isLost(attempt: Attempt, now: string, overdue: Overdue | undefined): boolean {
  if (attempt.pid === null) return true;
  const isAlive = isWorking({ pid: attempt.pid, start: attempt.pid_start, boot: attempt.boot_id });
  if (!isAlive) return true;
  const lease = Date.parse(attempt.lease_expires_at) - Date.parse(attempt.heartbeat_at);
  if (overdue === undefined) return Date.parse(now) > Date.parse(attempt.lease_expires_at) + lease;
  const seen = overdue.get(attempt.id);
  if (seen?.until === attempt.lease_expires_at) return monotonicClock() > seen.since + lease;
  overdue.set(attempt.id, { until: attempt.lease_expires_at, since: monotonicClock() });
  return false;
}
