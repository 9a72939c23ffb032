import type { Task } from '../model/task.ts';
import { checkTitle } from '../model/texts.ts';
import type { NewInquiry } from '../operations/inquiries.ts';
import { insertDependency } from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { insertInquiryRow } from '../store/inquiries.ts';
import type { Tx } from '../store/open.ts';
import { activeTask, existingTask, insertTask, newChildId } from '../store/tasks.ts';

/** Inserts the inquiry within the caller's transaction. */
export function insertInquiry(tx: Tx, call: Call, input: NewInquiry): Task {
  const title = checkTitle(input.question);
  const about = activeTask(tx, input.task);
  const id = newChildId(tx, about.id, input.kind);
  const { project_id, priority } = about;
  // Makes the inquiry a sibling of the task, not a child: a child that blocks its own parent would be a cycle.
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
  recordEvent(tx, call, {
    type: `${input.kind}_asked`,
    entity: 'task',
    id,
    data: { about: about.id },
    notify: { situation: input.kind, text: `${about.id} ${about.title}: ${title}`, task: id },
  });
  return existingTask(tx, id);
}
