import { identityOf } from '@holdfast/base';

import { leaseEnd } from '../model/lease.ts';
import type { Task } from '../model/task.ts';
import type { Attempt } from '../store/attempts.ts';
import { claimBest, rowsOfClaim } from '../store/claim.ts';
import { recordEvent } from '../store/events.ts';
import { chosenProject } from '../store/projects.ts';
import type { Tx } from '../store/open.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface ClaimInput {
  readonly worker: string;
  readonly project?: string | undefined;
  /** The process that will do the work, if the caller knows it: it is looked at when the lease runs out. */
  readonly pid?: number | undefined;
  readonly leaseSeconds?: number | undefined;
  /** Done in the same commit; gives the rows that it changed. */
  readonly also?: (tx: Tx, attempt: Attempt) => ReturnType<typeof rowsOfClaim>;
}

export interface Claimed {
  readonly task: Task;
  readonly attempt: Attempt;
}

/** Task, attempt, worker and event in one commit; undefined when there is nothing this worker may do. */
export function claim(rm: Ringmaster, input: ClaimInput): Promise<Claimed | undefined> {
  const identity = input.pid === undefined ? undefined : identityOf(input.pid);
  return rm.store.writeDescribed(`claim ${input.worker}`, (tx, describe) => {
    // The time is taken under the lock: a claim that waited for it must not start with a used-up lease.
    const call = callOf(rm);
    if (input.project !== undefined) chosenProject(tx, input.project);
    const claimed = claimBest(tx, {
      worker: input.worker,
      project: input.project,
      now: call.now,
      leaseUntil: leaseEnd(call.now, input.leaseSeconds ?? rm.config.queue.lease_seconds),
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
