import { leaseEnd } from '../model/lease.ts';
import { liveAttempt, renewLease } from '../store/attempts.ts';
import { recordEvent } from '../store/events.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface Beat {
  readonly token: number;
  readonly progress?: string | undefined;
  readonly leaseSeconds?: number | undefined;
}

export interface BeatAnswer {
  readonly task_id: string;
  readonly lease_expires_at: string;
  /** Somebody wants this stopped: end the work and report it as cancelled. */
  readonly cancel: boolean;
}

export function heartbeat(rm: Ringmaster, { token, progress, leaseSeconds }: Beat): Promise<BeatAnswer> {
  return rm.store.write(`heartbeat ${token}`, (tx) => {
    const call = callOf(rm);
    const attempt = liveAttempt(tx, token);
    const until = leaseEnd(call.now, leaseSeconds ?? rm.config.queue.lease_seconds);
    renewLease(tx, token, call.now, until, progress ?? null);
    if (existingTask(tx, attempt.task_id).status === 'assigned') {
      updateTask(tx, attempt.task_id, { status: 'in_progress' });
      recordEvent(tx, call, { type: 'task_started', entity: 'task', id: attempt.task_id, data: { token } });
    }
    return { task_id: attempt.task_id, lease_expires_at: until, cancel: attempt.cancel_requested_at !== null };
  });
}
