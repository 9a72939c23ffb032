import { failpoint, isHoldfastError } from '@holdfast/base';

import { fileExists } from '../../adapters/files.ts';
import { type AttemptRun, hasBegun, runOf, runsOfTask } from '../../store/attempt-runs.ts';
import type { Attempt } from '../../store/attempts.ts';
import { iterationsOfAttempt, lastIterationNumber } from '../../store/iterations.ts';
import { existingTask } from '../../store/tasks.ts';
import { type Finish, nextStep, type Step } from '../../worker/next-step.ts';
import { budgetProblem } from '../budget.ts';
import { runReview, runTests } from './check.ts';
import { StillAttached, waitForDetach } from './detach.ts';
import { type Made, prepareFolder, workingFolder } from './folder.ts';
import { holdLease } from './lease.ts';
import { settingsFor } from './settings.ts';
import { settleRun } from './settle.ts';
import type { Stopper, Supervisor } from './supervisor.ts';
import { takeTurn, type Working } from './turn.ts';
import { setUpWorktree } from './worktree-setup.ts';

/** Runs an attempt until its report. Starts after the claim, or after the last step that a dead supervisor recorded. */
export async function runAttempt(supervisor: Supervisor, attempt: Attempt, stopper: Stopper): Promise<void> {
  const { rm } = supervisor;
  const task = existingTask(rm.store.reader, attempt.task_id);
  const settings = settingsFor(rm, task.project_id, attempt.worker_id, task);
  const lease = holdLease(supervisor, attempt, stopper);
  const sharedFolder = new SharedFolder(supervisor);
  let isReported = false;
  try {
    const ended = await stepByStep({ supervisor, attempt, settings, stopper, sharedFolder, holdBy: lease.holdBy });
    isReported = true;
    supervisor.tell({ kind: 'ended', ...names(attempt), text: ended });
  } catch (error) {
    await giveUp(supervisor, attempt, error);
  } finally {
    lease.release();
    sharedFolder.leave();
  }
  await settle(supervisor, attempt, isReported);
}

/** With `plain_folder = "one"`, attempts without a worktree use their shared folder one at a time. */
class SharedFolder {
  readonly #supervisor: Supervisor;
  #release: (() => void) | undefined;

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  async enter(run: AttemptRun): Promise<void> {
    const { folders, rm } = this.#supervisor;
    if (run.repository !== null || rm.config.run.plain_folder !== 'one' || this.#release !== undefined) return;
    this.#release = await folders.acquire(run.folder);
  }

  leave(): void {
    this.#release?.();
  }
}

const names = ({ task_id, worker_id, id }: Attempt) => ({ task: task_id, worker: worker_id, attempt: id });

type AttemptContext = Omit<Working, 'folder' | 'made' | 'setupLog'> & { readonly sharedFolder: SharedFolder };

async function stepByStep(begun: AttemptContext): Promise<string> {
  const { supervisor, attempt, stopper, settings } = begun;
  let made: Made | undefined;
  let setupLog = '';
  for (;;) {
    await waitForDetach(supervisor, attempt, stopper);
    const step = stopper.asked === undefined ? stepOf(begun, made !== undefined) : stopStep(begun);
    if (step.kind === 'finish') return finish(begun, step.finish);
    if (step.kind !== 'prepare') {
      await take(begun, step, made, setupLog);
      setupLog = '';
      continue;
    }
    try {
      made = await prepareFolder(supervisor, attempt, settings);
      if (made !== undefined) setupLog = await setUpWorktree(begun, made);
    } catch (error) {
      if (!isHoldfastError(error, 'WORKTREE_SETUP_FAILED')) throw error;
      return finish(begun, { kind: 'failed', failureClass: 'task', reason: error.message });
    }
    failpoint('ringmaster.run.prepared');
  }
}

async function finish({ supervisor, attempt }: AttemptContext, how: Finish): Promise<string> {
  const status = await supervisor.source.finish(attempt, how);
  return how.kind === 'failed' ? `${status}: ${firstLine(how.reason)}` : status;
}

type WorkStep = Extract<Step, { readonly number: number }>;

async function take(begun: AttemptContext, step: WorkStep, made: Made | undefined, setupLog: string): Promise<void> {
  const { supervisor, attempt } = begun;
  const run = runOf(supervisor.rm.store.reader, attempt.id);
  if (run === undefined) throw new TypeError('an attempt is prepared before it is worked on');
  await begun.sharedFolder.enter(run);
  // A person may have cancelled the attempt while it waited for the folder.
  if (begun.stopper.asked !== undefined) return;
  const working = {
    ...begun,
    made: run.base_commit === null ? made : undefined,
    setupLog,
    folder: workingFolder(run, begun.settings),
  };
  if (step.kind === 'test') return runTests(working, step.number);
  if (step.kind === 'review') return runReview(working, step.number);
  supervisor.tell({ kind: 'turn', ...names(attempt), iteration: step.number, text: `iteration ${step.number}` });
  return takeTurn(working, step.number);
}

function stepOf({ supervisor, attempt, settings }: AttemptContext, isMade: boolean): Step {
  const { reader } = supervisor.rm.store;
  const run = runOf(reader, attempt.id);
  const hasWorktree = run !== undefined && hasBegun(run);
  const isPlain = run !== undefined && run.folder !== '' && run.repository === null;
  const step = nextStep({
    hasFolder: isPlain || isMade || hasWorktree,
    turns: iterationsOfAttempt(reader, attempt.id),
    lastNumberOfTask: lastIterationNumber(reader, attempt.task_id),
    maxTurns: settings.maxTurns,
    hasTests: settings.testCommand.length > 0,
    review: settings.review,
    isOverBudget: budgetProblem(reader, supervisor.rm, attempt.task_id) !== undefined,
  });
  if (step.kind === 'finish' || !hasWorktree || fileExists(run.folder)) return step;
  // Ends the attempt, because no program can start in a deleted folder, and the failed start would look like a problem
  // with the program.
  const reason = `The worker deleted its worktree ${run.folder}`;
  return { kind: 'finish', finish: { kind: 'failed', failureClass: 'task', reason } };
}

/** Returns the step that releases the task after a stop between two steps. Throws if the lease is lost. */
function stopStep({ stopper }: AttemptContext): Step {
  if (stopper.asked === 'lease_lost') throw new LeaseLost('another worker holds the task now');
  const failureClass = stopper.asked === 'cancelled' ? 'cancelled' : 'infrastructure';
  return { kind: 'finish', finish: { kind: 'released', failureClass, reason: stopper.asked ?? 'stopped' } };
}

class LeaseLost extends Error {}

/** Handles an error in ringmaster itself: blocks the task with the reason, unless the lease is lost. */
async function giveUp(supervisor: Supervisor, attempt: Attempt, error: unknown): Promise<void> {
  const { source, tell } = supervisor;
  const isLost = error instanceof LeaseLost || (isHoldfastError(error) && error.code === 'STALE_TOKEN');
  if (isLost) {
    tell({ kind: 'lost', ...names(attempt), text: 'lease lost: ringmaster ignores the work of this attempt' });
    return;
  }
  const reason = error instanceof Error ? error.message : String(error);
  // The next supervisor continues the attempt when the person has detached.
  if (error instanceof StillAttached) return tell({ kind: 'lost', ...names(attempt), text: reason });
  tell({ kind: 'problem', ...names(attempt), text: reason });
  // The attempt has already ended with a decision when this error is thrown.
  if (isHoldfastError(error, 'DEPENDENCY_CONFLICT')) return;
  try {
    await source.finish(attempt, { kind: 'blocked', reason }, { keepsWork: false });
  } catch (second) {
    // The task becomes ready again when the lease expires.
    tell({ kind: 'problem', ...names(attempt), text: second instanceof Error ? second.message : String(second) });
  }
}

async function settle({ rm, tell, settling }: Supervisor, attempt: Attempt, isReported: boolean): Promise<void> {
  const run = runsOfTask(rm.store.reader, attempt.task_id).find(({ attempt_id }) => attempt_id === attempt.id);
  if (run === undefined || run.settled_at !== null || run.ended_at === null) return;
  try {
    // If the attempt is reported, its work is already committed.
    if (isReported) await settling.remove(run);
    else await settleRun(rm, run);
  } catch (error) {
    // The next supervisor tries again.
    tell({ kind: 'problem', ...names(attempt), text: error instanceof Error ? error.message : String(error) });
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
