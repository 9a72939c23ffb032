import { choice, flag, integer, list, object, optional, pageFields, text, withDefault } from '@holdfast/operation';
import { npErrors } from '../model/errors.ts';
import { STATUSES, storedText } from '../model/plan.ts';
import {
  actor,
  changeObject,
  changing,
  defineOperation,
  force,
  plan,
  reason,
  sessionObject,
  taskObject,
} from './objects.ts';

const write = 'app:np:write';
const missing = [npErrors.SESSION_NOT_FOUND, npErrors.SESSION_AMBIGUOUS];
const texts = [npErrors.SESSION_ARCHIVED, npErrors.TEXT_INVALID, npErrors.TEXT_TOO_LONG];
const errors = [...missing, npErrors.SESSION_ARCHIVED, npErrors.TASK_NOT_FOUND, npErrors.TASK_AMBIGUOUS];
const id = text('Id of the task, or a unique prefix of it');

export const listTasks = defineOperation({
  name: 'task.list',
  summary: 'List the tasks',
  permission: 'app:np:read',
  input: {
    status: optional(choice(STATUSES, 'Only tasks with this status')),
    ready: flag('Only tasks that can start now: unclaimed, and all tasks that must come first are done'),
  },
  output: object({ sid: storedText, tasks: list(taskObject) }),
  errors: missing,
  absent: { mcp: 'show_plan can filter by status' },
  run: async () => {
    const { listTasks: listAll } = await import('../service/plan.ts');
    return async ({ np, where }, { status, ready }) => {
      const { session, tasks } = await listAll(np, where, status, ready);
      return { sid: session.sid, tasks };
    };
  },
});

export const findTasks = defineOperation({
  name: 'task.find',
  summary: 'Find tasks in all sessions by words in their title, description, reason or notes',
  permission: 'app:np:read',
  input: { words: list(text('Word that the task contains'), { min: 1, max: 20 }), limit: pageFields.limit },
  output: list(object({ session: sessionObject, task: taskObject })),
  absent: { mcp: 'An agent uses only the session of its directory' },
  run: async () => {
    const { findTasks: find } = await import('../service/find.ts');
    return ({ np }, input) => find(np, input);
  },
});

export const addTasks = defineOperation({
  name: 'task.add',
  summary:
    'Add tasks in one transaction, in the order in which to do them; adding a task that already exists changes nothing',
  permission: write,
  input: {
    tasks: list(
      object({
        title: text('Title'),
        description: withDefault(text('Description'), ''),
        after: optional(list(id, { max: 100, summary: 'Tasks that must be done first' })),
      }),
      { max: 10_000 },
    ),
    actor,
    reason,
    plan,
  },
  output: changeObject,
  errors: [...errors, ...texts],
  run: changing(async () => (await import('../service/tasks.ts')).addTasks),
});

export const updateTasks = defineOperation({
  name: 'task.update',
  summary: 'Change the status, title or description of tasks or add notes, all in one transaction',
  permission: write,
  input: {
    updates: list(
      object({
        id,
        status: optional(choice(STATUSES, 'New status')),
        title: optional(text('New title')),
        description: optional(text('New description')),
        reason,
        note: optional(text('Note to add to the task')),
        if_version: optional(integer('Update only if the task still has this version', { min: 0 })),
      }),
      { max: 10_000 },
    ),
    actor,
    force,
    plan,
  },
  output: changeObject,
  errors: [
    ...errors,
    ...texts,
    npErrors.TASK_CLAIMED,
    npErrors.TASK_STALE,
    npErrors.REASON_REQUIRED,
    npErrors.NOTHING_TO_CHANGE,
  ],
  run: changing(async () => (await import('../service/tasks.ts')).updateTasks),
});

export const moveTask = defineOperation({
  name: 'task.move',
  summary: 'Move a task to another position in the plan',
  permission: write,
  input: {
    id,
    to: optional(integer('New position, counted from 1', { min: 1, label: 'n' })),
    before: optional(text('Put the task before this other task', { label: 'id' })),
    after: optional(text('Put the task after this other task', { label: 'id' })),
    actor,
    reason,
    plan,
  },
  output: changeObject,
  errors,
  run: changing(async () => (await import('../service/tasks.ts')).moveTask),
});

export const deleteTask = defineOperation({
  name: 'task.delete',
  summary: 'Delete a task; requires a reason, and the log keeps the task',
  permission: write,
  input: { id, actor, reason, force, plan },
  output: changeObject,
  errors: [...errors, npErrors.TASK_CLAIMED, npErrors.REASON_REQUIRED],
  run: changing(async () => (await import('../service/tasks.ts')).deleteTask),
});

export const claimTask = defineOperation({
  name: 'task.claim',
  summary: 'Claim a task, so that no other actor can finish it',
  permission: write,
  input: {
    id,
    actor,
    for: optional(text('How long the claim lasts: 90s, 30m, 2h or 1d; default: until released', { label: 'duration' })),
    takeover: flag('Take the task from the actor that has claimed it; requires a reason'),
    reason,
    plan,
  },
  output: changeObject,
  errors: [...errors, npErrors.TASK_CLAIMED, npErrors.TASK_FINISHED, npErrors.REASON_REQUIRED],
  run: changing(async () => (await import('../service/claims.ts')).claimTask),
});

export const releaseTask = defineOperation({
  name: 'task.release',
  summary: 'Release a claimed task, which makes it pending again',
  permission: write,
  input: { id, actor, force, reason, plan },
  output: changeObject,
  errors: [...errors, npErrors.TASK_CLAIMED],
  run: changing(async () => (await import('../service/claims.ts')).releaseTask),
});
