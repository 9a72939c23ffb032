import {
  addDependency,
  dependencyTree,
  drawGraph,
  nextTask,
  rankTasks,
  readyTasks,
  removeDependency,
  showQueue,
} from '../operations/graph.ts';
import { claimTask, heartbeat, reapTasks, reportTask } from '../operations/queue.ts';
import type { WorkspaceRoute } from './route.ts';

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
