import { delay, isAlive, SECOND } from '@holdfast/base';

import { fileExists } from '../../adapters/files.ts';
import { hasHelpers, killRun } from '../../adapters/processes.ts';
import { clearLocks } from '../../adapters/worktree.ts';
import { leaseEnd } from '../../model/attempt.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { hasBegun, isOnOtherMachine, type OpenRun, runOf, unsettledRuns, updateRun } from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt, renewLease, setProcess } from '../../store/attempts.ts';
import { recordEvent, takeoverCount } from '../../store/events.ts';
import { iterationsOfAttempt } from '../../store/iterations.ts';
import type { Tx } from '../../store/open.ts';
import { deleteMergedBranches } from '../merge.ts';
import { finishAttempt, interruption, isInterruptedTooOften } from '../queue.ts';
import { callOf } from '../ringmaster.ts';
import { interruptTurn, settleRun } from './settle.ts';
import type { Supervisor } from './supervisor.ts';

type Recovering = Pick<Supervisor, 'rm' | 'id' | 'identity' | 'tell'>;

/**
 * Recovers from dead supervisors: ends their processes and settles ended attempts. Attempts that still hold their task
 * continue from the last recorded step.
 */
export async function recover(supervisor: Recovering): Promise<readonly Attempt[]> {
  const { rm, tell } = supervisor;
  const left = unsettledRuns(rm.store.reader).filter((run) => !isSupervised(run));
  for (const id of new Set(left.map(({ supervisor_id }) => supervisor_id))) {
    const killed = killRun(`${id}.`);
    await waitForHelpers(id);
    if (killed > 0) tell({ kind: 'note', text: `ended ${killed} processes of an earlier supervisor` });
  }
  const taken: Attempt[] = [];
  for (const run of left) {
    try {
      if (run.ended_at !== null || (await gaveUp(supervisor, run))) await settleRun(rm, run);
      else taken.push(await takeOver(supervisor, run));
    } catch (error) {
      tell({ kind: 'problem', task: run.task_id, text: error instanceof Error ? error.message : String(error) });
    }
  }
  // If the deletion fails, the branches stay, and the run continues.
  await deleteMergedBranches(rm).catch((error: unknown) => tell({ kind: 'problem', text: String(error) }));
  return taken;
}

const HELPER_SECONDS_MAX = 30;

/** Waits for git processes of a dead supervisor, so that they do not interfere with new ones. */
async function waitForHelpers(supervisorId: string): Promise<void> {
  for (let waited = 0; waited < HELPER_SECONDS_MAX * SECOND && hasHelpers(supervisorId); waited += 20) {
    await delay(20);
  }
}

/** While an attempt on another machine holds its lease, that machine supervises it. */
function isSupervised(run: OpenRun): boolean {
  const { supervisor_pid, supervisor_start, supervisor_boot } = run;
  if (isOnOtherMachine(run)) return run.ended_at === null;
  return isAlive({ pid: supervisor_pid, start: supervisor_start, boot: supervisor_boot });
}

/**
 * Ends an attempt if too many supervisors died during it, or if its worktree was deleted. Without the worktree, the
 * stored results of its turns no longer apply. Committed work stays on the branch, and the next attempt starts with it.
 * Returns whether it ended the attempt.
 */
async function gaveUp({ rm, tell }: Recovering, run: OpenRun): Promise<boolean> {
  const { task_id, attempt_id, folder } = run;
  const died = takeoverCount(rm.store.reader, task_id, attempt_id) + 1;
  const isTooOften = isInterruptedTooOften(rm, died);
  if (!isTooOften && (!hasBegun(run) || fileExists(folder))) return false;
  const reason = isTooOften ? 'The supervisor died while the task was running' : `The worktree ${folder} was deleted`;
  await rm.store.write(`run ${task_id}: given up`, (tx) => {
    const live = abandonedAttempt(tx, run);
    const released = { outcome: 'released', failureClass: 'infrastructure', reason, outputPath: null } as const;
    finishAttempt(tx, rm, callOf(rm), live, isTooOften ? interruption(rm, live, died, reason) : released);
  });
  tell({
    kind: 'problem',
    task: task_id,
    text: isTooOften ? `gave up: ${died} supervisors died while running it` : reason,
  });
  return true;
}

/** Returns the attempt that a dead supervisor left. Throws if another supervisor has already taken it over. */
function abandonedAttempt(tx: Tx, { attempt_id, task_id, supervisor_id }: OpenRun): Attempt {
  if (runOf(tx, attempt_id)?.supervisor_id === supervisor_id) return liveAttempt(tx, attempt_id);
  throw ringmasterErrors.TASK_RUNNING(`Another supervisor has taken over ${task_id}`);
}

async function takeOver({ rm, id, identity, tell }: Recovering, run: OpenRun): Promise<Attempt> {
  const attempt = await rm.store.write(`run ${run.task_id}: taken over`, (tx) => {
    const call = callOf(rm);
    const live = abandonedAttempt(tx, run);
    updateRun(tx, run.attempt_id, {
      supervisor_id: id,
      supervisor_pid: identity.pid,
      supervisor_start: identity.start,
      supervisor_boot: identity.boot,
    });
    setProcess(tx, live.id, identity);
    renewLease(tx, live.id, call.now, leaseEnd(call.now, rm.config.queue.lease_seconds), null);
    const data = { token: live.id, worker_id: live.worker_id, from: run.supervisor_pid };
    recordEvent(tx, call, { type: 'task_resumed', entity: 'task', id: run.task_id, data });
    return live;
  });
  // If the worker was still running, its turn is lost. If only tests or a review were left, the turn continues with
  // them.
  for (const turn of iterationsOfAttempt(rm.store.reader, run.attempt_id)) {
    if (turn.ended_at === null && turn.stage === 'working') await interruptTurn(rm, turn);
  }
  if (run.branch !== null && fileExists(run.folder)) clearLocks(run.folder, run.branch);
  tell({ kind: 'resumed', task: run.task_id, worker: run.worker_id, attempt: run.attempt_id, text: 'taken over' });
  return attempt;
}
