import { readPage } from '@holdfast/base';
import { created, defineRoute, ok, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { stepsFrom, taskStatuses } from '../model/task.ts';
import { addTask } from '../service/add-task.ts';
import { cancelTask } from '../service/cancel-task.ts';
import { editTask } from '../service/edit-task.ts';
import { mergeTask } from '../service/merge-task.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { why } from '../service/why.ts';
import { type BoardTask, boardTasks } from '../store/board.ts';
import { requestWorkspace, readPermission, writePermission } from './request-workspace.ts';
import {
  boardPage,
  explanationSchema,
  newTaskSchema,
  shownTaskSchema,
  taskChangeSchema,
  taskSchema,
} from './schemas.ts';
import { shownTask } from './shown-task.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND, ringmasterErrors.TASK_NOT_FOUND];

export function taskRoutes(workspaces: Workspaces) {
  const list = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks',
    permission: readPermission,
    summary: 'Tasks, the best first',
    request: {
      query: z.object({
        ...pageQuery,
        project: z.string().optional(),
        status: z.enum(taskStatuses).optional(),
        state: z.enum(['open', 'done', 'all']).default('all').meta({ description: 'Open is whatever is not done' }),
        search: z.string().max(1_000).default('').meta({ description: 'Only tasks with this in their title or id' }),
      }),
    },
    responses: { 200: boardPage },
    errors,
    handler: async (input) => {
      const { limit, cursor, ...query } = input.query;
      const { store } = await requestWorkspace(workspaces, input);
      const page = await readPage(
        limit,
        (count) => boardTasks(store.reader, { ...query, after: afterOf(cursor), limit: count }),
        cursorOf,
      );
      return ok({ ...page, data: page.data.map((task) => ({ ...task, may_become: [...stepsFrom(task)] })) });
    },
  });
  const one = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{id}',
    permission: readPermission,
    summary: 'A task with everything around it',
    responses: { 200: shownTaskSchema },
    errors,
    handler: async (input) => ok(shownTask(await requestWorkspace(workspaces, input), input.params.id)),
  });
  const explain = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{id}/why',
    permission: readPermission,
    summary: 'Why a task is where it is in the queue, or not in it',
    responses: { 200: explanationSchema },
    errors,
    handler: async (input) => {
      const { terms, holds, ...rest } = await why(await requestWorkspace(workspaces, input), { task: input.params.id });
      return ok({ ...rest, terms: { ...terms }, holds: [...holds] });
    },
  });
  return [list, one, explain, ...writeRoutes(workspaces)] as const;
}

/** A position in the order rather than an offset, so that tasks added or finished meanwhile shift nothing. */
function cursorOf(task: BoardTask): string {
  return `${task.combined_priority}~${task.id}`;
}

function afterOf(cursor: string | undefined): { readonly score: number; readonly id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [score = '', ...id] = cursor.split('~');
  return { score: Number(score), id: id.join('~') };
}

function writeRoutes(workspaces: Workspaces) {
  const add = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/tasks',
    permission: writePermission,
    summary: 'Adds a task',
    request: { body: newTaskSchema },
    responses: { 201: taskSchema },
    errors: [...errors, ringmasterErrors.PROJECT_NOT_FOUND],
    idempotent: true,
    handler: async (input) => {
      const { depends_on, ...body } = input.body;
      const task = await addTask(await requestWorkspace(workspaces, input), { ...body, dependsOn: depends_on });
      return created(task, `/api/ringmaster/workspaces/${input.params.workspace}/tasks/${task.id}`);
    },
  });
  const change = defineRoute({
    method: 'PATCH',
    path: '/workspaces/{workspace}/tasks/{id}',
    permission: writePermission,
    summary: 'Changes a task; with its version, only if nobody changed it since',
    request: { body: taskChangeSchema },
    responses: { 200: taskSchema },
    errors: [...errors, ringmasterErrors.TASK_STALE, ringmasterErrors.TASK_STATE, ringmasterErrors.TASK_RUNNING],
    handler: async (input) =>
      ok(await editTask(await requestWorkspace(workspaces, input), { ...input.body, id: input.params.id })),
  });
  const cancel = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/tasks/{id}/cancel',
    permission: writePermission,
    summary: 'Asks whoever works on it to stop',
    request: { body: z.strictObject({ now: z.boolean().default(false) }) },
    responses: { 200: taskSchema },
    errors: [...errors, ringmasterErrors.TASK_STATE],
    handler: async (input) =>
      ok(await cancelTask(await requestWorkspace(workspaces, input), input.params.id, input.body.now)),
  });
  const merge = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/tasks/{id}/merge',
    permission: writePermission,
    summary: 'Brings the work of a task into the branch of the project; conflicts become a decision',
    responses: { 200: z.object({ task_id: z.string(), branch: z.string(), into: z.string(), commit: z.string() }) },
    errors: [...errors, ringmasterErrors.NOTHING_TO_MERGE, ringmasterErrors.MERGE_CONFLICT],
    handler: async (input) => ok(await mergeTask(await requestWorkspace(workspaces, input), { task: input.params.id })),
  });
  return [add, change, cancel, merge] as const;
}
