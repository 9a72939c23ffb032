import { MINUTE } from '@holdfast/base';
import { type BoundRequest, httpErrors, routesFor } from '@holdfast/http';

import * as graph from '../operations/graph.ts';
import { showInbox } from '../operations/inbox.ts';
import * as inquiries from '../operations/inquiries.ts';
import * as machines from '../operations/machines.ts';
import * as maintenance from '../operations/maintenance.ts';
import * as projects from '../operations/projects.ts';
import * as queue from '../operations/queue.ts';
import * as runs from '../operations/runs.ts';
import * as summaries from '../operations/summaries.ts';
import * as tasks from '../operations/tasks.ts';
import * as workers from '../operations/workers.ts';
import * as workspace from '../operations/workspace.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import type { Starting } from '../service/run/supervisors.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { machineAddresses } from './route-addresses.ts';

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
    route(tasks.listTasks, { method: 'GET', path: TASKS }),
    route(tasks.addTask, {
      method: 'POST',
      path: TASKS,
      idempotent: true,
      status: 201,
      // A client with permission to add tasks must not set worker arguments, which can give an agent more permissions.
      omit: ['worker_args'],
      location: ({ id }, { params }) => `/api/ringmaster/workspaces/${params['workspace']}/tasks/${id}`,
    }),
    route(tasks.setTaskStatus, { method: 'POST', path: '/workspaces/{workspace}/task-status' }),
    route(tasks.deleteTasks, { method: 'POST', path: '/workspaces/{workspace}/task-deletion' }),
    route(tasks.restoreTasks, { method: 'POST', path: '/workspaces/{workspace}/task-restoration' }),
    route(tasks.showTask, { method: 'GET', path: TASK }),
    route(tasks.editTask, { method: 'PATCH', path: TASK, omit: ['worker_args'] }),
    route(tasks.cancelTask, { method: 'POST', path: `${TASK}/cancel` }),
    route(tasks.mergeTask, { method: 'POST', path: `${TASK}/merge` }),
    route(tasks.requestChanges, { method: 'POST', path: `${TASK}/requested-changes` }),
    route(tasks.diffTask, { method: 'GET', path: `${TASK}/diff` }),
    route(tasks.readLog, { method: 'GET', path: `${TASK}/log` }),
    route(graph.explainTask, { method: 'GET', path: `${TASK}/why` }),
    route(tasks.recordedPrompt, { method: 'GET', path: `${TASK}/prompt` }),
    route(tasks.assemblePrompt, { method: 'POST', path: `${TASK}/prompt` }),
  ] as const;
}

const TASK = '/workspaces/{workspace}/tasks/{task}';

export function graphRoutes(route: WorkspaceRoute) {
  return [
    route(graph.drawGraph, {
      method: 'GET',
      path: '/workspaces/{workspace}/graph',
      omit: ['format'],
      from: () => ({ format: 'json' as const }),
    }),
    route(graph.rankTasks, { method: 'POST', path: '/workspaces/{workspace}/rank' }),
    route(graph.dependencyTree, { method: 'GET', path: `${TASK}/dependencies` }),
    route(graph.addDependency, { method: 'POST', path: `${TASK}/dependencies` }),
    route(graph.removeDependency, { method: 'DELETE', path: `${TASK}/dependencies/{depends_on}` }),
    route(graph.readyTasks, { method: 'GET', path: '/workspaces/{workspace}/ready' }),
    route(graph.nextTask, { method: 'GET', path: '/workspaces/{workspace}/next' }),
    route(graph.showQueue, { method: 'GET', path: '/workspaces/{workspace}/queue' }),
  ] as const;
}

/** Routes for workers that fetch their own tasks. */
export function queueRoutes(route: WorkspaceRoute) {
  return [
    route(queue.claimTask, { method: 'POST', path: '/workspaces/{workspace}/claim', omit: ['pid'], idempotent: true }),
    route(queue.heartbeat, { method: 'POST', path: '/workspaces/{workspace}/heartbeat' }),
    route(queue.reportTask, { method: 'POST', path: '/workspaces/{workspace}/report' }),
    route(queue.reapTasks, { method: 'POST', path: '/workspaces/{workspace}/reap' }),
  ] as const;
}

/**
 * For requests that can take a long time, because the server pushes to or fetches from the remote repository before it
 * replies.
 */
const transferLimits = { timeoutMs: 10 * MINUTE };

/** Routes for supervisors on other machines. */
export function machineRoutes(route: WorkspaceRoute) {
  return [
    route(machines.claimForMachine, { ...machineAddresses.claim, limits: transferLimits }),
    route(machines.heartbeatOfMachine, machineAddresses.heartbeat),
    route(machines.outputOfMachine, machineAddresses.output),
    route(machines.finishForMachine, { ...machineAddresses.finish, limits: transferLimits }),
  ] as const;
}

const WORKSPACE = '/workspaces/{workspace}';

export function workspaceRoutes(workspaces: Workspaces, route: WorkspaceRoute) {
  const all = routesFor<Workspaces>(() => workspaces);
  return [
    all(workspace.listWorkspaces, { method: 'GET', path: '/workspaces' }),
    all(workspace.addWorkspace, { method: 'POST', path: '/workspaces', status: 201, idempotent: true }),
    route(workspace.showStatus, { method: 'GET', path: `${WORKSPACE}/status` }),
    route(workspace.showMetrics, { method: 'GET', path: `${WORKSPACE}/metrics` }),
    route(workspace.listEvents, { method: 'GET', path: `${WORKSPACE}/events` }),
    route(workspace.undoChange, { method: 'POST', path: `${WORKSPACE}/undo` }),
    route(workspace.primeAgent, { method: 'GET', path: `${WORKSPACE}/prime` }),
    route(projects.listProjects, { method: 'GET', path: `${WORKSPACE}/projects` }),
    route(projects.addProject, {
      method: 'POST',
      path: `${WORKSPACE}/projects`,
      idempotent: true,
      status: 201,
      location: ({ id }, { params }) => `/api/ringmaster/workspaces/${params['workspace']}/projects/${id}`,
    }),
    route(projects.showProject, { method: 'GET', path: `${WORKSPACE}/projects/{project}` }),
    route(projects.setProject, { method: 'PATCH', path: `${WORKSPACE}/projects/{project}` }),
    route(showInbox, { method: 'GET', path: `${WORKSPACE}/inbox` }),
    route(inquiries.listInquiries, { method: 'GET', path: `${WORKSPACE}/inquiries` }),
    route(inquiries.askPerson, { method: 'POST', path: `${WORKSPACE}/inquiries` }),
    route(inquiries.answerInquiry, { method: 'POST', path: `${WORKSPACE}/inquiries/{inquiry}/answer` }),
    route(summaries.listSummaries, { method: 'GET', path: `${WORKSPACE}/summaries` }),
    route(summaries.addSummary, { method: 'POST', path: `${WORKSPACE}/summaries` }),
  ] as const;
}

export function workerRoutes(route: WorkspaceRoute) {
  return [
    route(workers.listWorkers, { method: 'GET', path: `${WORKSPACE}/workers` }),
    route(workers.workerOutput, { method: 'GET', path: `${WORKSPACE}/output` }),
    route(workers.pauseWorkers, { method: 'PUT', path: `${WORKSPACE}/paused`, omit: ['worker'] }),
    route(workers.pauseWorkers, { method: 'PUT', path: `${WORKSPACE}/workers/{worker}/paused` }),
  ] as const;
}

export function runRoutes(workspaces: Workspaces, route: WorkspaceRoute) {
  const starting = routesFor<Starting>(async (request) => ({
    rm: await requestWorkspace(workspaces, request),
    launch: workspaces.launch,
  }));
  return [
    route(runs.listPrograms, { method: 'GET', path: `${WORKSPACE}/run` }),
    starting(runs.startRun, { method: 'POST', path: `${WORKSPACE}/run` }),
    route(runs.stopRun, { method: 'DELETE', path: `${WORKSPACE}/run` }),
  ] as const;
}

export function maintenanceRoutes(route: WorkspaceRoute) {
  return [
    route(maintenance.listBackups, { method: 'GET', path: `${WORKSPACE}/backups` }),
    route(maintenance.createBackup, { method: 'POST', path: `${WORKSPACE}/backups` }),
    route(maintenance.verifyBackups, { method: 'GET', path: `${WORKSPACE}/backups/check` }),
    route(maintenance.cleanUp, { method: 'POST', path: `${WORKSPACE}/cleanup` }),
    route(maintenance.examine, { method: 'POST', path: `${WORKSPACE}/check` }),
  ] as const;
}
