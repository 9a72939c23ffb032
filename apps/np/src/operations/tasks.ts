import { choice, flag, integer, list, object, optional, text, withDefault } from '@holdfast/operation';
import { npErrors } from '../model/errors.ts';
import { STATUSES, storedText } from '../model/plan.ts';
import { changeObject, changing, defineOperation, plan, reason, taskObject } from './objects.ts';

const write = 'app:np:write';
const missing = [npErrors.SESSION_NOT_FOUND, npErrors.SESSION_AMBIGUOUS];
const texts = [npErrors.SESSION_ARCHIVED, npErrors.TEXT_INVALID, npErrors.TEXT_TOO_LONG];
const errors = [...missing, npErrors.SESSION_ARCHIVED, npErrors.TASK_NOT_FOUND, npErrors.TASK_AMBIGUOUS];
const id = text('Id of the task, or a unique prefix of it');

export const listTasks = defineOperation({
  name: 'task.list',
  summary: 'List the tasks',
  permission: 'app:np:read',
  input: { status: optional(choice(STATUSES, 'Only tasks with this status')) },
  output: object({ sid: storedText, tasks: list(taskObject) }),
  errors: missing,
  absent: { mcp: 'show_plan can filter by status' },
  run: async () => {
    const { listTasks: listAll } = await import('../service/plan.ts');
    return async ({ np, where }, { status }) => {
      const { session, tasks } = await listAll(np, where, status);
      return { sid: session.sid, tasks };
    };
  },
});

export const addTasks = defineOperation({
  name: 'task.add',
  summary:
    'Add tasks, listed in the order in which to do them, in one transaction; adding the same task again changes nothing',
  permission: write,
  input: {
    tasks: list(object({ title: text('Title'), description: withDefault(text('Description'), '') }), { max: 10_000 }),
    reason,
    plan,
  },
  output: changeObject,
  errors: [...missing, ...texts],
  run: changing(async () => (await import('../service/tasks.ts')).addTasks),
});

export const updateTasks = defineOperation({
  name: 'task.update',
  summary: 'Change the status, title or description of tasks, all in one transaction',
  permission: write,
  input: {
    updates: list(
      object({
        id,
        status: optional(choice(STATUSES, 'New status')),
        title: optional(text('New title')),
        description: optional(text('New description')),
        reason,
        if_version: optional(integer('Update only if the task still has this version', { min: 0 })),
      }),
      { max: 10_000 },
    ),
    plan,
  },
  output: changeObject,
  errors: [...errors, ...texts, npErrors.TASK_STALE, npErrors.REASON_REQUIRED, npErrors.NOTHING_TO_CHANGE],
  run: changing(async () => (await import('../service/tasks.ts')).updateTasks),
});

export const moveTask = defineOperation({
  name: 'task.move',
  summary: 'Move a task to another position in the plan',
  permission: write,
  input: {
    id,
    to: optional(integer('New position, counted from 1', { min: 1, label: 'n' })),
    before: optional(text('Put the task before this one', { label: 'id' })),
    after: optional(text('Put the task after this one', { label: 'id' })),
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
  input: { id, reason, plan },
  output: changeObject,
  errors: [...errors, npErrors.REASON_REQUIRED],
  run: changing(async () => (await import('../service/tasks.ts')).deleteTask),
});

export const claimTask = defineOperation({
  name: 'task.claim',
  summary: 'Claim a task for one actor, or release it',
  permission: write,
  input: {
    id,
    actor: text('Actor that claims the task', { label: 'name' }),
    release: flag('Release the task instead'),
    reason,
    plan,
  },
  output: changeObject,
  errors: [...errors, npErrors.TASK_CLAIMED, npErrors.TASK_FINISHED],
  run: changing(async () => (await import('../service/tasks.ts')).claimTask),
});
