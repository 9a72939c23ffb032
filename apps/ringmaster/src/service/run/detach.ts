import { delay, isAlive, toTimestamp } from '@holdfast/base';

import { killRun } from '../../adapters/processes.ts';
import { type AttemptRun, detached, runOf, updateRun } from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt } from '../../store/attempts.ts';
import type { Stopper, Supervisor } from './supervisor.ts';

const LOOK_EVERY_MS = 200;

/** Thrown if the supervisor stops while a person is attached to one of its attempts. */
export class StillAttached extends Error {}

/** Returns the run name shared by all processes that a person starts in the worktree with `ringmaster attach`. */
export function attachedRunName(pid: number, attempt: number): string {
  return `attach-${pid}.${attempt}`;
}

/** Returns whether the `ringmaster attach` process is still running. */
export function isAttached({ attached_pid: pid, attached_start: start, attached_boot: boot }: AttemptRun): boolean {
  return pid !== null && isAlive({ pid, start, boot });
}

/** Leaves the worktree to an attached person until they detach or their terminal closes. */
export async function waitForDetach({ rm, tell }: Supervisor, attempt: Attempt, stopper: Stopper): Promise<void> {
  const { store } = rm;
  const { id, task_id: task } = attempt;
  const run = runOf(store.reader, id);
  // The person may have detached before the worker was stopped.
  if (run === undefined || run.attached_pid === null) return stopper.withdraw('attached');
  await store.write(`run ${task}: attached`, (tx) => {
    liveAttempt(tx, id);
    updateRun(tx, id, { attached_at: toTimestamp(rm.clock()) });
  });
  tell({ kind: 'turn', task, attempt: id, text: 'a person is attached' });
  for (
    let now: AttemptRun | undefined = run;
    now !== undefined && now.attached_pid !== null;
    now = runOf(store.reader, id)
  ) {
    if (stopper.asked === 'shutdown') throw new StillAttached(`a person is still attached to ${task}`);
    if (stopper.asked === 'lease_lost') return;
    if (!isAttached(now)) {
      // The terminal died without detaching; its processes must not run at the same time as the worker.
      killRun(attachedRunName(now.attached_pid, id));
      await store.write(`run ${task}: detached`, (tx) => updateRun(tx, id, detached));
    } else await delay(LOOK_EVERY_MS);
  }
  stopper.withdraw('attached');
  tell({ kind: 'turn', task, attempt: id, text: 'the person has detached' });
}
