import { npErrors } from '../model/errors.ts';
import { snapshotOf, type Task } from '../model/session.ts';
import { freeTaskId, idStem, isSameContent, type TaskContent, taskHash } from '../model/task-id.ts';
import { checkReason, checkText, checkTitle } from '../model/text.ts';
import { events } from '../store/definitions.ts';
import { readTasksByPrefix } from '../store/plan.ts';
import { type Change, changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

export interface AddTasksRequest extends Call {
  readonly tasks: readonly TaskContent[];
  readonly reason?: string | undefined;
}

export interface AddedTask {
  readonly task: Task;
  /** False if the session had this task already. */
  readonly isNew: boolean;
}

/** Adds all tasks in one transaction, numbered in the order given. */
export function addTasks(np: Np, request: AddTasksRequest): Promise<readonly AddedTask[]> {
  if (request.tasks.length === 0) throw npErrors.NOTHING_TO_CHANGE('No task was given to add.');
  for (const { title, description } of request.tasks) {
    checkTitle(title);
    checkText(description, 'description');
  }
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const addedHere = new Map<string, TaskContent>();
    const added: AddedTask[] = [];
    for (const content of request.tasks) added.push(await addTask(change, content, addedHere, reason));
    return added;
  });
}

async function addTask(
  change: Change,
  content: TaskContent,
  addedHere: Map<string, TaskContent>,
  reason: string | undefined,
): Promise<AddedTask> {
  const { sid, at, tx } = change;
  const hash = taskHash(content, sid);
  const stem = idStem(hash);
  const similar = await readTasksByPrefix(tx, sid, stem);
  for (const task of similar) {
    const original = addedHere.get(task.id) ?? (await originalContent(change, task));
    if (isSameContent(original, content)) return { task, isNew: false };
  }
  const id = freeTaskId(hash, new Set(similar.map((task) => task.id)));
  const { title, description } = content;
  const created_seq = await change.nextSeq();
  const task: Task = {
    id,
    title,
    description,
    status: 'pending',
    created_at: at,
    updated_at: at,
    created_seq,
    version: 1,
  };
  await change.addTask(task);
  change.emit('task_added', { task: snapshotOf(task) }, reason);
  addedHere.set(id, content);
  return { task, isNew: true };
}

/** Returns the texts that a task was created from, read from its event: the task may have been reworded. */
async function originalContent({ tx, sid }: Change, task: Task): Promise<TaskContent> {
  const event = await tx.get(events, { sid, seq: task.created_seq });
  return event?.type === 'task_added' ? event.payload.task : task;
}
