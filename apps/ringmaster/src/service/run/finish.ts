import { failpoint } from '@holdfast/base';

import { failureAnswers, noChangeAnswers, waitsForAnswer, waitsForChange } from '../../model/decisions.ts';
import type { Task } from '../../model/task.ts';
import { runOf, runsOfTask, updateRun } from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt } from '../../store/attempts.ts';
import { type Call, recordEvent } from '../../store/events.ts';
import { openDecision } from '../../store/inquiries.ts';
import { iterationsOfAttempt } from '../../store/iterations.ts';
import type { Tx } from '../../store/open.ts';
import { pauseWorker } from '../../store/workers.ts';
import type { Finish } from '../../worker/next-step.ts';
import { budgetProblem } from '../budget.ts';
import { insertInquiry } from '../insert-inquiry.ts';
import { writeTaskFiles } from '../projections.ts';
import { type Ending as AttemptEnding, finishAttempt } from '../queue.ts';
import { type Ringmaster, workerCall } from '../ringmaster.ts';
import { settingsFor } from './settings.ts';
import { keepWork } from './settle.ts';

export interface FinishOptions {
  /**
   * True to commit the work to the task's branch. False after an unexpected error, so that the work stays in the
   * worktree.
   */
  readonly keepsWork?: boolean;
  /** Ends the attempt within the transaction. Default: `endHere`. */
  readonly end?: EndAttempt;
}

/** An attempt that ends now, with the commit of its work. */
export interface EndingRun {
  readonly live: Attempt;
  readonly finish: Finish;
  /** Undefined if the attempt had no worktree. */
  readonly head: string | undefined;
  readonly hasWork: boolean;
  readonly outputPath: string | null;
}

type EndAttempt = (tx: Tx, rm: Ringmaster, ending: EndingRun) => Task;

/** Ends an attempt in one commit, together with the question or decision that results from it. */
export async function finishRun(
  rm: Ringmaster,
  attempt: Attempt,
  finish: Finish,
  { keepsWork = true, end: endAs = endHere }: FinishOptions = {},
): Promise<Task> {
  const run = runsOfTask(rm.store.reader, attempt.task_id).find(({ attempt_id }) => attempt_id === attempt.id);
  const head = run === undefined || !keepsWork ? undefined : await keepWork(rm, run);
  failpoint('ringmaster.run.committed');
  const ended = await rm.store.write(`report ${attempt.id}: ${finish.kind}`, (tx) =>
    endAs(tx, rm, endingOf(tx, attempt.id, finish, head)),
  );
  failpoint('ringmaster.run.finished');
  writeTaskFiles(rm, ended.id);
  return ended;
}

/** Stores the commit of the work. Throws STALE_TOKEN if the attempt has ended already. */
export function endingOf(tx: Tx, attempt: number, finish: Finish, head: string | undefined): EndingRun {
  const live = liveAttempt(tx, attempt);
  if (head !== undefined) updateRun(tx, attempt, { head_commit: head });
  const hasWork = head !== undefined && head !== runOf(tx, attempt)?.base_commit;
  const how = head === undefined || hasWork ? finish : withoutWork(finish);
  const path = iterationsOfAttempt(tx, attempt).findLast(({ log_path }) => log_path !== null)?.log_path;
  return { live, finish: how, head, hasWork, outputPath: path ?? null };
}

export function endHere(tx: Tx, rm: Ringmaster, ending: EndingRun): Task {
  const { id, worker_id } = ending.live;
  const call = workerCall(rm, worker_id);
  const task = end(tx, rm, call, ending);
  const { autoMerge } = settingsFor(rm, task.project_id, worker_id);
  // Requests the merge in the same commit, so that a crash before the merge does not lose it.
  if (autoMerge && task.status === 'done' && ending.hasWork) updateRun(tx, id, { merge_requested_at: call.now });
  return task;
}

/**
 * Adapts the ending of an attempt that left no work: `done` becomes `no_change`, because tests or a review have removed
 * the worker's changes.
 */
function withoutWork(finish: Finish): Finish {
  if (finish.kind !== 'done' || finish.note !== null) return finish;
  return { kind: 'no_change', reason: "The worker's changes were gone after the tests and the review" };
}

type Ending = Pick<EndingRun, 'live' | 'finish' | 'outputPath'>;

function end(tx: Tx, rm: Ringmaster, call: Call, ending: Ending): Task {
  const { live, finish, outputPath } = ending;
  if (finish.kind === 'failed') return fail(tx, rm, call, ending, finish);
  const base = { failureClass: null, reason: null, outputPath };
  const finished = (how: Pick<AttemptEnding, 'outcome'> & Partial<AttemptEnding>): Task =>
    finishAttempt(tx, rm, call, live, { ...base, ...how });
  if (finish.kind === 'done') {
    const open = openDecision(tx, live.task_id);
    if (open !== undefined) return finished({ outcome: 'blocked', reason: waitsForAnswer(open), isAsked: true });
    return finished({ outcome: 'succeeded', reason: finish.note });
  }
  if (finish.kind === 'budget') return finished(budgetEnding(tx, rm, live.task_id));
  if (finish.kind === 'review') return finished({ outcome: 'review' });
  if (finish.kind === 'blocked') return finished({ outcome: 'blocked', reason: finish.reason });
  if (finish.kind === 'released') {
    return finished({ outcome: 'released', failureClass: finish.failureClass, reason: finish.reason });
  }
  if (finish.kind === 'no_change') {
    const { id } = insertInquiry(tx, call, {
      task: live.task_id,
      kind: 'decision',
      question: `${live.worker_id} ended without changing anything. Was no change needed?`,
      context: finish.reason,
      options: Object.keys(noChangeAnswers),
    });
    return finished({ outcome: 'no_change', reason: waitsForChange(id), isAsked: true });
  }
  const asked = insertInquiry(tx, call, {
    task: live.task_id,
    kind: 'question',
    question: headline(finish.question),
    context: finish.question,
    urgency: 'high',
  });
  return finished({ outcome: 'blocked', reason: waitsForAnswer(asked.id), isAsked: true });
}

/**
 * Blocks the task if its own budget is used up. If the project's or the daily budget is used up, releases the task,
 * which then waits for new budget.
 */
function budgetEnding(
  tx: Tx,
  rm: Ringmaster,
  task: string,
): Pick<AttemptEnding, 'outcome' | 'failureClass' | 'reason' | 'isAsked'> {
  const { scope, text } = budgetProblem(tx, rm, task) ?? { scope: 'day', text: 'A budget was used up' };
  return scope === 'task'
    ? { outcome: 'blocked', failureClass: null, reason: text, isAsked: true }
    : { outcome: 'released', failureClass: 'infrastructure', reason: text };
}

/** Ends the attempt as failed. Opens a decision for a person if the task has reached max_attempts. */
function fail(
  tx: Tx,
  rm: Ringmaster,
  call: Call,
  { live, outputPath }: Ending,
  { failureClass, reason, park }: Extract<Finish, { readonly kind: 'failed' }>,
): Task {
  const ending = { outcome: 'failed', failureClass, reason, outputPath, park, isAsked: true } as const;
  const task = finishAttempt(tx, rm, call, live, ending);
  if (park !== undefined && !rm.config.run.auto_resume) takeOffline(tx, call, live.worker_id, reason);
  if (task.status !== 'failed') return task;
  insertInquiry(tx, call, {
    task: task.id,
    kind: 'decision',
    question: headline(
      `${task.id} failed ${task.failures === 1 ? 'once' : `${task.failures} times`}. What should happen to it?`,
    ),
    context: reason,
    options: Object.keys(failureAnswers),
  });
  return task;
}

/** Gives the worker no tasks until a person resumes it. Used if auto_resume is false. */
function takeOffline(tx: Tx, call: Call, worker: string, reason: string): void {
  pauseWorker(tx, worker, call.now);
  recordEvent(tx, call, { type: 'worker_offline', entity: 'worker', id: worker, data: { reason } });
}

const HEADLINE_CHARACTERS = 200;

function headline(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const characters = Array.from(line);
  return characters.length <= HEADLINE_CHARACTERS ? line : `${characters.slice(0, HEADLINE_CHARACTERS - 1).join('')}…`;
}
