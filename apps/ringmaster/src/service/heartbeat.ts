import { leaseEnd } from '../model/attempt.ts';
import { liveAttempt, renewLease } from '../store/attempts.ts';
import { recordEvent } from '../store/events.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface Heartbeat {
  readonly token: number;
  readonly progress?: string | undefined;
  readonly lease_seconds?: number | undefined;
}

export interface HeartbeatReply {
  readonly task_id: string;
  readonly lease_expires_at: string;
  /** A person cancelled the task: stop working and report it as released. */
  readonly cancel: boolean;
}

export function heartbeat(rm: Ringmaster, { token, progress, lease_seconds }: Heartbeat): Promise<HeartbeatReply> {
  return rm.store.write(`heartbeat ${token}`, (tx) => {
    const call = callOf(rm);
    const attempt = liveAttempt(tx, token);
    const until = leaseEnd(call.now, lease_seconds ?? rm.config.queue.lease_seconds);
    renewLease(tx, token, call.now, until, progress ?? null);
    if (existingTask(tx, attempt.task_id).status === 'assigned') {
      updateTask(tx, attempt.task_id, { status: 'in_progress' });
      recordEvent(tx, call, { type: 'task_started', entity: 'task', id: attempt.task_id, data: { token } });
    }
    return { task_id: attempt.task_id, lease_expires_at: until, cancel: attempt.cancel_requested_at !== null };
  });
}
