import { choice, flag, integer, list, object, optional, text, withDefault } from '@holdfast/operation';
import { npErrors } from '../model/errors.ts';
import { storedText } from '../model/session.ts';
import { STATUSES } from '../model/status.ts';
import { changeObject, defineOperation, plan, reason, taskObject } from './objects.ts';

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
  absent: { mcp: 'show_plan takes a status' },
  run: async () => {
    const { listTasks: listAll } = await import('../service/show-plan.ts');
    return async ({ np, where }, { status }) => {
      const { session, tasks } = await listAll(np, where, status);
      return { sid: session.sid, tasks };
    };
  },
});

export const addTasks = defineOperation({
  name: 'task.add',
  summary: 'Add tasks in the order of work, all in one transaction; adding one again changes nothing',
  permission: write,
  input: {
    tasks: list(object({ title: text('Title'), description: withDefault(text('Description'), '') }), { max: 10_000 }),
    reason,
    plan,
  },
  output: changeObject,
  errors: [...missing, ...texts],
  run: async () => {
    const { addTasks: add } = await import('../service/add-tasks.ts');
    const { answerChange } = await import('../service/answer.ts');
    return (target, input, caller) =>
      answerChange(target, input, caller, async (call) => {
        const added = await add(target.np, { ...call, ...input });
        return { tasks: added.map(({ task, isNew }) => ({ ...task, changed: isNew })) };
      });
  },
});

export const updateTasks = defineOperation({
  name: 'task.update',
  summary: 'Change status, title or description of tasks, all in one transaction',
  permission: write,
  input: {
    updates: list(
      object({
        id,
        status: optional(choice(STATUSES, 'New status')),
        title: optional(text('New title')),
        description: optional(text('New description')),
        reason,
        if_version: optional(integer('Only if the task still has this version', { min: 0 })),
      }),
      { max: 10_000 },
    ),
    plan,
  },
  output: changeObject,
  errors: [...errors, ...texts, npErrors.TASK_STALE, npErrors.REASON_REQUIRED, npErrors.NOTHING_TO_CHANGE],
  run: async () => {
    const { updateTasks: update } = await import('../service/update-tasks.ts');
    const { answerChange } = await import('../service/answer.ts');
    return (target, input, caller) =>
      answerChange(target, input, caller, async (call) => {
        const updated = await update(target.np, { ...call, ...input });
        return { tasks: updated.map(({ task, hasChanged }) => ({ ...task, changed: hasChanged })) };
      });
  },
});

export const moveTask = defineOperation({
  name: 'task.move',
  summary: 'Move a task to another position in the plan',
  permission: write,
  input: {
    id,
    to: optional(integer('Position, counted from 1', { min: 1, label: 'n' })),
    before: optional(text('Task to stand before', { label: 'id' })),
    after: optional(text('Task to stand after', { label: 'id' })),
    reason,
    plan,
  },
  output: changeObject,
  errors,
  run: async () => {
    const { moveTask: move } = await import('../service/move-task.ts');
    const { answerChange } = await import('../service/answer.ts');
    return (target, input, caller) =>
      answerChange(target, input, caller, async (call) => {
        const { task, changed } = await move(target.np, { ...call, ...input });
        return { tasks: [{ ...task, changed: changed.length > 0 }] };
      });
  },
});

export const deleteTask = defineOperation({
  name: 'task.delete',
  summary: 'Delete a task, which requires a reason; the log keeps it',
  permission: write,
  input: { id, reason, plan },
  output: changeObject,
  errors: [...errors, npErrors.REASON_REQUIRED],
  run: async () => {
    const { deleteTask: remove } = await import('../service/delete-task.ts');
    const { answerChange } = await import('../service/answer.ts');
    return (target, input, caller) =>
      answerChange(target, input, caller, async (call) => {
        const task = await remove(target.np, { ...call, ...input });
        return { tasks: [{ ...task, changed: true }] };
      });
  },
});

export const claimTask = defineOperation({
  name: 'task.claim',
  summary: 'Claim a task for one actor, or release it',
  permission: write,
  input: {
    id,
    actor: text('Who claims it', { label: 'name' }),
    release: flag('Give it back instead'),
    reason,
    plan,
  },
  output: changeObject,
  errors: [...errors, npErrors.TASK_CLAIMED, npErrors.TASK_FINISHED],
  run: async () => {
    const { claimTask: claim } = await import('../service/claim-task.ts');
    const { answerChange } = await import('../service/answer.ts');
    return (target, input, caller) =>
      answerChange(target, input, caller, async (call) => {
        const task = await claim(target.np, { ...call, ...input });
        return { tasks: [{ ...task, changed: true }] };
      });
  },
});
