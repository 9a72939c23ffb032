import { type BoundRequest, httpErrors, routesFor } from '@holdfast/http';

import {
  addDependency,
  dependencyTree,
  drawGraph,
  explainTask,
  nextTask,
  rankTasks,
  readyTasks,
  removeDependency,
  showQueue,
} from '../operations/graph.ts';
import { answerInquiry, askPerson, listInquiries } from '../operations/inquiries.ts';
import { cleanUp, createBackup, examine, listBackups, verifyBackups } from '../operations/maintenance.ts';
import { addProject, listProjects, setProject, showProject } from '../operations/projects.ts';
import { claimTask, heartbeat, reapTasks, reportTask } from '../operations/queue.ts';
import { addSummary, listSummaries } from '../operations/summaries.ts';
import {
  addTask,
  assemblePrompt,
  cancelTask,
  diffTask,
  editTask,
  listTasks,
  mergeTask,
  readLog,
  recordedPrompt,
  setTaskStatus,
  showTask,
} from '../operations/tasks.ts';
import { listWorkers, pauseWorkers, workerOutput } from '../operations/workers.ts';
import {
  listEvents,
  listWorkspaces,
  primeAgent,
  showMetrics,
  showStatus,
  undoChange,
} from '../operations/workspace.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import type { Workspaces } from '../service/workspaces.ts';

/** Opens the workspace that the path names, with the caller as the actor. */
export function requestWorkspace(
  workspaces: Workspaces,
  { params, principal }: Pick<BoundRequest, 'params' | 'principal'>,
): Promise<Ringmaster> {
  if (principal === undefined) throw httpErrors.UNAUTHENTICATED('Sign in first');
  return workspaces.open(params['workspace'] ?? '', { type: 'person', id: principal.name });
}

export type WorkspaceRoute = ReturnType<typeof workspaceRoutesFor>;

export function workspaceRoutesFor(workspaces: Workspaces) {
  return routesFor<Ringmaster>((request) => requestWorkspace(workspaces, request));
}

const TASKS = '/workspaces/{workspace}/tasks';

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

const TASK = '/workspaces/{workspace}/tasks/{task}';

export function graphRoutes(route: WorkspaceRoute) {
  return [
    route(drawGraph, {
      method: 'GET',
      path: '/workspaces/{workspace}/graph',
      omit: ['format'],
      from: () => ({ format: 'json' as const }),
    }),
    route(rankTasks, { method: 'POST', path: '/workspaces/{workspace}/rank' }),
    route(dependencyTree, { method: 'GET', path: `${TASK}/dependencies` }),
    route(addDependency, { method: 'POST', path: `${TASK}/dependencies` }),
    route(removeDependency, { method: 'DELETE', path: `${TASK}/dependencies/{depends_on}` }),
    route(readyTasks, { method: 'GET', path: '/workspaces/{workspace}/ready' }),
    route(nextTask, { method: 'GET', path: '/workspaces/{workspace}/next' }),
    route(showQueue, { method: 'GET', path: '/workspaces/{workspace}/queue' }),
  ] as const;
}

/** For workers on other machines, which pull their tasks. */
export function queueRoutes(route: WorkspaceRoute) {
  return [
    route(claimTask, { method: 'POST', path: '/workspaces/{workspace}/claim', omit: ['pid'], idempotent: true }),
    route(heartbeat, { method: 'POST', path: '/workspaces/{workspace}/heartbeat' }),
    route(reportTask, { method: 'POST', path: '/workspaces/{workspace}/report' }),
    route(reapTasks, { method: 'POST', path: '/workspaces/{workspace}/reap' }),
  ] as const;
}

const WORKSPACE = '/workspaces/{workspace}';

export function workspaceRoutes(workspaces: Workspaces, route: WorkspaceRoute) {
  return [
    routesFor<Workspaces>(() => workspaces)(listWorkspaces, { method: 'GET', path: '/workspaces' }),
    route(showStatus, { method: 'GET', path: `${WORKSPACE}/status` }),
    route(showMetrics, { method: 'GET', path: `${WORKSPACE}/metrics` }),
    route(listEvents, { method: 'GET', path: `${WORKSPACE}/events` }),
    route(undoChange, { method: 'POST', path: `${WORKSPACE}/undo` }),
    route(primeAgent, { method: 'GET', path: `${WORKSPACE}/prime` }),
    route(listProjects, { method: 'GET', path: `${WORKSPACE}/projects` }),
    route(addProject, {
      method: 'POST',
      path: `${WORKSPACE}/projects`,
      idempotent: true,
      status: 201,
      location: ({ id }, { params }) => `/api/ringmaster/workspaces/${params['workspace']}/projects/${id}`,
    }),
    route(showProject, { method: 'GET', path: `${WORKSPACE}/projects/{project}` }),
    route(setProject, { method: 'PATCH', path: `${WORKSPACE}/projects/{project}` }),
    route(listInquiries, { method: 'GET', path: `${WORKSPACE}/inquiries` }),
    route(askPerson, { method: 'POST', path: `${WORKSPACE}/inquiries` }),
    route(answerInquiry, { method: 'POST', path: `${WORKSPACE}/inquiries/{inquiry}/answer` }),
    route(listSummaries, { method: 'GET', path: `${WORKSPACE}/summaries` }),
    route(addSummary, { method: 'POST', path: `${WORKSPACE}/summaries` }),
  ] as const;
}

export function workerRoutes(route: WorkspaceRoute) {
  return [
    route(listWorkers, { method: 'GET', path: `${WORKSPACE}/workers` }),
    route(workerOutput, { method: 'GET', path: `${WORKSPACE}/output` }),
    route(pauseWorkers, { method: 'PUT', path: `${WORKSPACE}/paused`, omit: ['worker'] }),
    route(pauseWorkers, { method: 'PUT', path: `${WORKSPACE}/workers/{worker}/paused` }),
  ] as const;
}

export function maintenanceRoutes(route: WorkspaceRoute) {
  return [
    route(listBackups, { method: 'GET', path: `${WORKSPACE}/backups` }),
    route(createBackup, { method: 'POST', path: `${WORKSPACE}/backups` }),
    route(verifyBackups, { method: 'GET', path: `${WORKSPACE}/backups/check` }),
    route(cleanUp, { method: 'POST', path: `${WORKSPACE}/cleanup` }),
    route(examine, { method: 'POST', path: `${WORKSPACE}/check` }),
  ] as const;
}
