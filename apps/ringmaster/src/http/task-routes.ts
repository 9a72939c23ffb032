import { created, defineRoute, ok, page, pageQuery } from '@holdfast/http';
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
      const found = boardTasks(store.reader, { ...query, after: afterOf(cursor), limit: limit + 1 });
      const shown = found.slice(0, limit);
      const next = found.length > limit ? cursorOf(shown.at(-1)) : undefined;
      return ok(
        page(
          shown.map((task) => ({ ...task, may_become: [...stepsFrom(task)] })),
          next,
        ),
      );
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
      const { terms, holds, ...rest } = why(await requestWorkspace(workspaces, input), input.params.id);
      return ok({ ...rest, terms: { ...terms }, holds: [...holds] });
    },
  });
  return [list, one, explain, ...writeRoutes(workspaces)] as const;
}

/** The place in the order, not a number of rows: what is added or finished meanwhile shifts nothing. */
function cursorOf(task: BoardTask | undefined): string | undefined {
  return task === undefined ? undefined : `${task.combined_priority}~${task.id}`;
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
    handler: async (input) => ok(await mergeTask(await requestWorkspace(workspaces, input), input.params.id)),
  });
  return [add, change, cancel, merge] as const;
}
