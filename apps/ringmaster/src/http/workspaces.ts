import { routesFor } from '@holdfast/http';

import { answerInquiry, askPerson, listInquiries } from '../operations/inquiries.ts';
import { cleanUp, createBackup, examine, listBackups, verifyBackups } from '../operations/maintenance.ts';
import { addProject, listProjects, setProject, showProject } from '../operations/projects.ts';
import { addSummary, listSummaries } from '../operations/summaries.ts';
import { listWorkers, pauseWorkers, workerOutput } from '../operations/workers.ts';
import {
  listEvents,
  listWorkspaces,
  primeAgent,
  showMetrics,
  showStatus,
  undoChange,
} from '../operations/workspace.ts';
import type { Workspaces } from '../service/workspaces.ts';
import type { WorkspaceRoute } from './route.ts';

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
