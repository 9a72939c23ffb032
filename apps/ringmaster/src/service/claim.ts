import { identityOf, SECOND } from '@holdfast/base';

import { leaseEnd } from '../model/attempt.ts';
import type { Task } from '../model/task.ts';
import type { Attempt } from '../store/attempts.ts';
import { claimBest, rowsOfClaim } from '../store/claim.ts';
import { recordEvent } from '../store/events.ts';
import { chosenProject } from '../store/projects.ts';
import type { Tx } from '../store/open.ts';
import { refreshRanks } from './rank.ts';
import { reapExpired } from './reap.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface ClaimInput {
  readonly worker: string;
  readonly project?: string | undefined;
  /** The process that will do the work. If it still runs when the lease expires, it gets more time. */
  readonly pid?: number | undefined;
  readonly lease_seconds?: number | undefined;
}

interface ClaimWith extends ClaimInput {
  /** Runs in the same commit and returns the rows that it changed. */
  readonly also?: (tx: Tx, attempt: Attempt) => ReturnType<typeof rowsOfClaim>;
}

export interface Claimed {
  readonly task: Task;
  readonly attempt: Attempt;
}

const RANKS_AGE_MAX = 10 * SECOND;

/** Reclaims lost tasks and refreshes ranks first, so that workers can do without running maintenance. */
export async function claimNext(rm: Ringmaster, input: ClaimInput): Promise<Claimed | undefined> {
  await reapExpired(rm);
  await refreshRanks(rm, { olderThanMs: RANKS_AGE_MAX });
  return claim(rm, input);
}

/** Writes task, attempt, worker and event in one commit; undefined if there is no task for this worker. */
export function claim(rm: Ringmaster, input: ClaimWith): Promise<Claimed | undefined> {
  const identity = input.pid === undefined ? undefined : identityOf(input.pid);
  return rm.store.writeDescribed(`claim ${input.worker}`, (tx, describe) => {
    // Read the time under the lock: a claim that waited for it must not start with a shortened lease.
    const call = callOf(rm);
    if (input.project !== undefined) chosenProject(tx, input.project);
    const claimed = claimBest(tx, {
      worker: input.worker,
      project: input.project,
      now: call.now,
      leaseUntil: leaseEnd(call.now, input.lease_seconds ?? rm.config.queue.lease_seconds),
      process: identity,
    });
    if (claimed === undefined) return undefined;
    const { task, attempt } = claimed;
    const event = recordEvent(tx, call, {
      type: 'task_assigned',
      entity: 'task',
      id: task.id,
      data: { worker_id: attempt.worker_id, token: attempt.id, number: attempt.number },
      before: { status: task.status, worker_id: task.worker_id },
      after: { status: 'assigned', worker_id: attempt.worker_id },
    });
    describe([...rowsOfClaim(tx, claimed, event), ...(input.also?.(tx, attempt) ?? [])]);
    return {
      attempt,
      task: { ...task, status: 'assigned', worker_id: attempt.worker_id, attempts: attempt.number },
    };
  });
}
