import {
  FAILURE_OPTIONS,
  failureAnswers,
  mergeAnswers,
  offeredAnswer,
  statusAfter,
  waitsForMerge,
} from '../model/decisions.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Task, TaskStatus } from '../model/task.ts';
import { checkTitle, textList } from '../model/texts.ts';
import type { NewInquiry } from '../operations/inquiries.ts';
import { requestMerge } from '../store/attempt-runs.ts';
import { insertDependency } from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { type Inquiry, insertInquiryRow, listInquiries, storeAnswer } from '../store/inquiries.ts';
import type { Tx } from '../store/open.ts';
import { existingTask, insertTask, newChildId, updateTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

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

/** A decision blocks the task it is about until it is answered; a question does not. */
export function inquire(rm: Ringmaster, input: NewInquiry): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(`${input.kind} about ${input.task}`, (tx) => insertInquiry(tx, call, input));
}

/** Inserts the inquiry within the caller's transaction. */
export function insertInquiry(tx: Tx, call: Call, input: NewInquiry): Task {
  const title = checkTitle(input.question);
  const about = existingTask(tx, input.task);
  const id = newChildId(tx, about.id, input.kind);
  const { project_id, priority } = about;
  // A sibling of the task, not a child: a child that blocks its own parent would be a cycle.
  insertTask(tx, { id, project_id, parent_id: about.parent_id, type: input.kind, title, priority, status: 'ready' });
  insertInquiryRow(tx, {
    task_id: id,
    about_id: about.id,
    // Keeps the whole question, because the title is only one line of it.
    context: input.context ?? (title === input.question.trim() ? null : input.question),
    options: JSON.stringify(input.options ?? []),
    recommendation: input.recommendation ?? null,
    urgency: input.urgency ?? 'medium',
    default_answer: input.default_answer ?? null,
  });
  const type = input.kind === 'decision' ? 'blocks' : 'relates-to';
  insertDependency(tx, { child_id: about.id, parent_id: id, type }, call.actor.id, call.now);
  recordEvent(tx, call, { type: `${input.kind}_asked`, entity: 'task', id, data: { about: about.id } });
  return existingTask(tx, id);
}

/** `blocked_reason` of a task that waits only for this answer. The answer removes it. */
export function waitsForAnswer(id: string): string {
  return `Waits for the answer to ${id}`;
}

export function answerInquiry(
  rm: Ringmaster,
  { inquiry: id, answer: given }: { readonly inquiry: string; readonly answer: string },
): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(`answer ${id}`, (tx) => {
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
    return existingTask(tx, id);
  });
}

/** Applies the answer if the task still waits for it, after a worker's question, a merge conflict or a failure. */
function continueAfterAnswer(tx: Tx, call: Call, inquiry: Inquiry, answer: string): void {
  const { task_id, about_id } = inquiry;
  const about = existingTask(tx, about_id);
  const status = statusFor(about, inquiry, answer);
  if (status === undefined || status === about.status) return;
  const retried = about.status === 'failed' ? { failures: 0, next_eligible_at: null } : {};
  updateTask(tx, about_id, { status, blocked_reason: null, ...retried });
  // Only the answer 'try the merge again' sets the status to done.
  if (status === 'done') requestMerge(tx, about_id, call.now);
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
  if (about.status === 'failed') return options === FAILURE_OPTIONS ? statusAfter(failureAnswers, answer) : undefined;
  if (about.status !== 'blocked') return undefined;
  if (about.blocked_reason === waitsForMerge(task_id)) return statusAfter(mergeAnswers, answer);
  return about.blocked_reason === waitsForAnswer(task_id) ? 'ready' : undefined;
}
