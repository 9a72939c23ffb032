import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import type { RequestedChanges } from '../operations/tasks.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { insertMessage } from '../store/chat.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { activeTask, existingTask, updateTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

/**
 * Sends a task back to its workers. The next attempt continues with the same work, and its prompt contains the
 * comments.
 */
export function requestChanges(
  rm: Ringmaster,
  { task: id, text = '', comments = [] }: RequestedChanges,
): Promise<Task> {
  const lines = [text.trim(), ...comments.map((comment) => `- ${comment.trim()}`)].filter((line) => line !== '');
  if (lines.length === 0) throw ringmasterErrors.TEXT_INVALID('Say what to change: give a text or a comment');
  const call = callOf(rm);
  return rm.store.write(`task request changes ${id}`, (tx) => {
    const { status } = activeTask(tx, id);
    if (liveAttemptOfTask(tx, id) !== undefined) throw ringmasterErrors.TASK_RUNNING(`A worker holds ${id}`);
    if (!isReviewable(status)) {
      throw ringmasterErrors.TASK_STATE(`${id} is ${status}; changes can be requested in review or after it`);
    }
    addFeedback(tx, call, id, `Review by ${call.actor.id}, who asks for changes:\n${lines.join('\n')}`);
    reopen(tx, call, id, {});
    return existingTask(tx, id);
  });
}

/** Stores a comment for the next prompt of the task. */
export function addFeedback(tx: Tx, { now }: Call, id: string, content: string): void {
  insertMessage(tx, {
    project_id: existingTask(tx, id).project_id,
    task_id: id,
    role: 'user',
    content,
    media_type: null,
    media_path: null,
    created_at: now,
  });
}

/** Reopens a task after a reviewer asked for changes, so that a worker continues with the comments. */
export function reopen(tx: Tx, call: Call, id: string, data: object): void {
  const { status } = existingTask(tx, id);
  if (!isReviewable(status)) return;
  updateTask(tx, id, { status: 'ready', completed_at: null, next_eligible_at: null });
  const change = { before: { status }, after: { status: 'ready' } };
  recordEvent(tx, call, { type: 'changes_requested', entity: 'task', id, data, ...change });
}

function isReviewable(status: Task['status']): boolean {
  return status === 'review' || status === 'done';
}
