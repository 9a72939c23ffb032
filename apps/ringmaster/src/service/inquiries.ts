import {
  DEPENDENCY_OPTIONS,
  dependencyAnswers,
  EPIC_OPTIONS,
  epicAnswers,
  FAILURE_OPTIONS,
  failureAnswers,
  isFreshStart,
  MERGE_OPTIONS,
  mergeAnswers,
  noChangeAnswers,
  offeredAnswer,
  statusAfter,
  waitsForAnswer,
  waitsForChange,
  waitsForMerge,
} from '../model/decisions.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Task, TaskStatus } from '../model/task.ts';
import { textList } from '../model/texts.ts';
import type { AskedInquiry, NewInquiry } from '../operations/inquiries.ts';
import { dropWork, requestMerge } from '../store/attempt-runs.ts';
import { liveAttempt } from '../store/attempts.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { type Inquiry, listInquiries, storeAnswer } from '../store/inquiries.ts';
import type { Tx } from '../store/open.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { closeEpics } from './epics.ts';
import { insertInquiry } from './insert-inquiry.ts';
import { writeTaskFiles } from './projections.ts';
import { finishAttempt } from './queue.ts';
import { callOf, type Ringmaster, workerCall } from './ringmaster.ts';

export interface ShownInquiry extends Omit<Inquiry, 'options'> {
  readonly options: readonly string[];
}

export function allInquiries(
  { store }: Ringmaster,
  { kind, all = false }: { readonly kind?: NewInquiry['kind'] | undefined; readonly all?: boolean | undefined },
): readonly ShownInquiry[] {
  return listInquiries(store.reader, { kind, all }).map(shownInquiry);
}

export function shownInquiry(inquiry: Inquiry): ShownInquiry {
  return { ...inquiry, options: textList(inquiry.options) };
}

/**
 * Adds a decision or question. A decision blocks the task that it is about until a person answers; a question does not.
 */
export async function inquire(rm: Ringmaster, { token, ...input }: AskedInquiry): Promise<Task> {
  const asked = await rm.store.write(`${input.kind} about ${input.task}`, (tx) => {
    if (token === undefined) return insertInquiry(tx, callOf(rm), input);
    const attempt = liveAttempt(tx, token);
    const call = workerCall(rm, attempt.worker_id);
    const inquiry = insertInquiry(tx, call, input);
    // The worker cannot continue without the answer, so its claim ends.
    if (input.kind === 'decision' && attempt.task_id === input.task) {
      const reason = waitsForAnswer(inquiry.id);
      const ending = { outcome: 'blocked', failureClass: null, outputPath: null, isAsked: true } as const;
      finishAttempt(tx, rm, call, attempt, { ...ending, reason });
    }
    return inquiry;
  });
  if (token !== undefined) writeTaskFiles(rm, input.task);
  return asked;
}

export function answerInquiry(
  rm: Ringmaster,
  { inquiry: id, answer }: { readonly inquiry: string; readonly answer: string },
): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(`answer ${id}`, (tx) => resolveInquiry(tx, call, id, answer));
}

/** Stores the answer and applies it, within the caller's transaction. */
export function resolveInquiry(tx: Tx, call: Call, id: string, given: string): Task {
  const open = listInquiries(tx, { id }).find(({ answered_at }) => answered_at === null);
  if (open === undefined) throw ringmasterErrors.NOT_AN_INQUIRY(`${id} is not an open decision or question`);
  const answer = offeredAnswer(textList(open.options), given);
  storeAnswer(tx, id, { answer, answered_by: call.actor.id, answered_at: call.now });
  updateTask(tx, id, { status: 'done', completed_at: call.now });
  recordEvent(tx, call, {
    type: open.type === 'decision' ? 'decision_resolved' : 'question_answered',
    entity: 'task',
    id,
    data: { about: open.about_id },
    after: { answer },
  });
  continueAfterAnswer(tx, call, open, answer);
  closeEpics(tx, call, existingTask(tx, open.about_id));
  return existingTask(tx, id);
}

/** Applies the answer to a question or decision, if the task still waits for it. */
function continueAfterAnswer(tx: Tx, call: Call, inquiry: Inquiry, answer: string): void {
  const { task_id, about_id } = inquiry;
  const about = existingTask(tx, about_id);
  const status = statusFor(about, inquiry, answer);
  if (status === undefined || status === about.status) return;
  const retried = about.status === 'failed' ? { failures: 0, next_eligible_at: null } : {};
  const completed = status === 'done' ? { completed_at: call.now } : {};
  updateTask(tx, about_id, { status, blocked_reason: null, ...retried, ...completed });
  if (inquiry.options === MERGE_OPTIONS) {
    if (status === 'done') requestMerge(tx, about_id, call.now);
    else if (isFreshStart(answer)) dropWork(tx, about_id, call.now);
  }
  recordEvent(tx, call, {
    type: 'task_updated',
    entity: 'task',
    id: about_id,
    data: { answered: task_id },
    before: { status: about.status },
    after: { status },
  });
}

function statusFor(about: Task, { task_id, options }: Inquiry, answer: string): TaskStatus | undefined {
  if (options === EPIC_OPTIONS) return statusAfter(epicAnswers, answer);
  if (about.status === 'failed') return options === FAILURE_OPTIONS ? statusAfter(failureAnswers, answer) : undefined;
  if (about.status !== 'blocked') return undefined;
  if (about.blocked_reason === waitsForMerge(task_id)) return statusAfter(mergeAnswers, answer);
  if (about.blocked_reason === waitsForChange(task_id)) return statusAfter(noChangeAnswers, answer);
  if (about.blocked_reason !== waitsForAnswer(task_id)) return undefined;
  return options === DEPENDENCY_OPTIONS ? statusAfter(dependencyAnswers, answer) : 'ready';
}
