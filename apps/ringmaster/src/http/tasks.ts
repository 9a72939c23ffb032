import { explainTask } from '../operations/graph.ts';
import { assemblePrompt, recordedPrompt } from '../operations/prompts.ts';
import {
  addTask,
  cancelTask,
  diffTask,
  editTask,
  listTasks,
  mergeTask,
  readLog,
  setTaskStatus,
  showTask,
} from '../operations/tasks.ts';
import type { WorkspaceRoute } from './route.ts';

const TASKS = '/workspaces/{workspace}/tasks';
const TASK = '/workspaces/{workspace}/tasks/{task}';

export function taskRoutes(route: WorkspaceRoute) {
  return [
    route(listTasks, { method: 'GET', path: TASKS }),
    route(addTask, {
      method: 'POST',
      path: TASKS,
      idempotent: true,
      status: 201,
      location: ({ id }, { params }) => `/api/ringmaster/workspaces/${params['workspace']}/tasks/${id}`,
    }),
    route(setTaskStatus, { method: 'POST', path: '/workspaces/{workspace}/task-status' }),
    route(showTask, { method: 'GET', path: TASK }),
    route(editTask, { method: 'PATCH', path: TASK }),
    route(cancelTask, { method: 'POST', path: `${TASK}/cancel` }),
    route(mergeTask, { method: 'POST', path: `${TASK}/merge` }),
    route(diffTask, { method: 'GET', path: `${TASK}/diff` }),
    route(readLog, { method: 'GET', path: `${TASK}/log` }),
    route(explainTask, { method: 'GET', path: `${TASK}/why` }),
    route(recordedPrompt, { method: 'GET', path: `${TASK}/prompt` }),
    route(assemblePrompt, { method: 'POST', path: `${TASK}/prompt` }),
  ] as const;
}
