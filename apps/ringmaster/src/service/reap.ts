import { awakeClock, identityOf, isWorking } from '@holdfast/base';

import { type Attempt, expiredAttempts, lostInARow } from '../store/attempts.ts';
import { type ExpiredLeases, readExpiredLeases, writeExpiredLeases } from '../store/expired-leases.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { finishAttempt, interruption } from './finish-attempt.ts';

/**
 * Takes back tasks whose lease has expired. If the process that holds one still works, the lease gets the same time
 * again: a late heartbeat is more likely than a hang. That time starts when the expiry is first seen, because a suspended
 * machine or a changed clock expires all leases at once. A long-running caller passes `remembered`; otherwise sightings
 * are stored in the database. A later report is refused because its token is stale.
 */
export async function reapExpired(rm: Ringmaster, remembered?: ExpiredLeases): Promise<readonly string[]> {
  const expired = expiredAttempts(rm.store.reader, callOf(rm).now);
  if (expired.length === 0) return [];
  const { boot } = identityOf(process.pid);
  const expiredLeases = remembered ?? readExpiredLeases(rm.store.reader, boot);
  const before = new Map(expiredLeases);
  const lost = expired.filter((attempt) => isLost(attempt, expiredLeases));
  const seen = [...expiredLeases].filter(([id]) => expired.some((attempt) => attempt.id === id));
  if (remembered === undefined && seen.some(([id, first]) => before.get(id) !== first)) {
    await rm.store.write('reap: expired leases', (tx) => writeExpiredLeases(tx, boot, seen));
  }
  if (lost.length === 0) return [];
  const ids = new Set(lost.map(({ id }) => id));
  return rm.store.write('reap', (tx) => {
    const call = callOf(rm);
    // Read again under the lock: a heartbeat may have come in between.
    return expiredAttempts(tx, call.now)
      .filter(({ id }) => ids.has(id))
      .map((attempt) => {
        const reason = `The lease expired at ${attempt.lease_expires_at}`;
        const times = lostInARow(tx, attempt.task_id) + 1;
        finishAttempt(tx, rm, call, attempt, interruption(rm, attempt, times, reason));
        return attempt.task_id;
      });
  });
}

function isLost(attempt: Attempt, expiredLeases: ExpiredLeases): boolean {
  if (attempt.pid === null) return true;
  const isAlive = isWorking({ pid: attempt.pid, start: attempt.pid_start, boot: attempt.boot_id });
  if (!isAlive) return true;
  const lease = Date.parse(attempt.lease_expires_at) - Date.parse(attempt.heartbeat_at);
  const now = awakeClock();
  const seen = expiredLeases.get(attempt.id);
  if (seen?.until === attempt.lease_expires_at && seen.since <= now) return now > seen.since + lease;
  expiredLeases.set(attempt.id, { until: attempt.lease_expires_at, since: now });
  return false;
}
