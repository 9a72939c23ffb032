import { epicAnswers } from '../model/decisions.ts';
import type { Task } from '../model/task.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { openDecision } from '../store/inquiries.ts';
import type { Tx } from '../store/open.ts';
import { existingTask, partsOf, updateTask } from '../store/tasks.ts';
import { insertInquiry } from './insert-inquiry.ts';

/**
 * Closes the epics above a task if all their parts are done. If all parts are finished but some failed, asks a person
 * instead. Runs within the caller's transaction, after each change that can finish a part.
 */
export function closeEpics(tx: Tx, call: Call, { parent_id: id }: Pick<Task, 'parent_id'>): void {
  if (id === null) return;
  const epic = existingTask(tx, id);
  if (epic.type !== 'epic' || epic.status === 'done' || epic.deleted_at !== null) return;
  const parts = partsOf(tx, id);
  if (parts.length === 0 || parts.some(({ status }) => status !== 'done' && status !== 'failed')) return;
  const failed = parts.filter(({ status }) => status === 'failed');
  if (failed.length > 0) {
    if (openDecision(tx, id) === undefined) askAbout(tx, call, epic, failed);
    return;
  }
  setStatus(tx, call, epic, { status: 'done', completed_at: call.now });
  closeEpics(tx, call, epic);
}

function askAbout(tx: Tx, call: Call, epic: Task, failed: readonly Pick<Task, 'id' | 'title'>[]): void {
  insertInquiry(tx, call, {
    task: epic.id,
    kind: 'decision',
    question: 'No part of this epic is open, but some parts failed. Close the epic?',
    context: failed.map(({ id, title }) => `${id} failed: ${title}`).join('\n'),
    options: Object.keys(epicAnswers),
  });
}

/** Reopens the closed epics above an unfinished task: a new or restored part, or a part that is ready again. */
export function reopenEpics(tx: Tx, call: Call, { parent_id: id, status }: Pick<Task, 'parent_id' | 'status'>): void {
  if (id === null || status === 'done' || status === 'failed') return;
  const epic = existingTask(tx, id);
  if (epic.type !== 'epic' || epic.status !== 'done') return;
  setStatus(tx, call, epic, { status: 'ready', completed_at: null });
  reopenEpics(tx, call, { ...epic, status: 'ready' });
}

function setStatus(tx: Tx, call: Call, epic: Task, changes: Pick<Task, 'status' | 'completed_at'>): void {
  updateTask(tx, epic.id, { ...changes, blocked_reason: null });
  recordEvent(tx, call, {
    type: changes.status === 'done' ? 'task_completed' : 'task_updated',
    entity: 'task',
    id: epic.id,
    data: { because_of: 'parts' },
    before: { status: epic.status },
    after: { status: changes.status },
  });
}
