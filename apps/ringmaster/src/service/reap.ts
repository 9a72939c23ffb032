import { identityOf, isWorking } from '@holdfast/base';

import { awakeClock } from '../adapters/monotonic.ts';
import { type Attempt, expiredAttempts, lostInARow } from '../store/attempts.ts';
import { type Overdue, storedOverdue, storeOverdue } from '../store/overdue.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { finishAttempt } from './finish-attempt.ts';
import { interruption } from './interrupted.ts';

/**
 * Takes tasks back whose lease ran out. If the very process that holds one is still working, it gets as much time again
 * before it loses the task: a late heartbeat is more likely than a hang. That time begins when somebody first sees that the
 * lease is over, because a machine that slept, or a clock that was set, has let all leases run out at once. Whoever looks
 * again and again remembers what was seen; for whoever looks once it is in the database. A report that comes after that is
 * refused by its token.
 */
export async function reapExpired(rm: Ringmaster, remembered?: Overdue): Promise<readonly string[]> {
  const expired = expiredAttempts(rm.store.reader, callOf(rm).now);
  if (expired.length === 0) return [];
  const { boot } = identityOf(process.pid);
  const overdue = remembered ?? storedOverdue(rm.store.reader, boot);
  const before = new Map(overdue);
  const lost = expired.filter((attempt) => isLost(attempt, overdue));
  const seen = [...overdue].filter(([id]) => expired.some((attempt) => attempt.id === id));
  if (remembered === undefined && seen.some(([id, first]) => before.get(id) !== first)) {
    await rm.store.write('reap: overdue', (tx) => storeOverdue(tx, boot, seen));
  }
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

function isLost(attempt: Attempt, overdue: Overdue): boolean {
  if (attempt.pid === null) return true;
  const isAlive = isWorking({ pid: attempt.pid, start: attempt.pid_start, boot: attempt.boot_id });
  if (!isAlive) return true;
  const lease = Date.parse(attempt.lease_expires_at) - Date.parse(attempt.heartbeat_at);
  const now = awakeClock();
  const seen = overdue.get(attempt.id);
  if (seen?.until === attempt.lease_expires_at && seen.since <= now) return now > seen.since + lease;
  overdue.set(attempt.id, { until: attempt.lease_expires_at, since: now });
  return false;
}
