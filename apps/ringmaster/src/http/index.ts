/**
 * The routes of ringmaster below `/api/ringmaster`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { type App, defineApp } from '@holdfast/http';

import { Workspaces } from '../service/workspaces.ts';
import { liveRoutes } from './live.ts';
import {
  graphRoutes,
  maintenanceRoutes,
  queueRoutes,
  taskRoutes,
  workerRoutes,
  workspaceRoutes,
  workspaceRoutesFor,
} from './routes.ts';

/** Types for a client. */
export type RingmasterRoutes = ReturnType<typeof routesOf>;

function routesOf(workspaces: Workspaces) {
  const route = workspaceRoutesFor(workspaces);
  return [
    ...workspaceRoutes(workspaces, route),
    ...taskRoutes(route),
    ...graphRoutes(route),
    ...queueRoutes(route),
    ...workerRoutes(route),
    ...maintenanceRoutes(route),
    ...liveRoutes(workspaces),
  ] as const;
}

export function ringmasterApp(workspaces: Workspaces): App {
  return defineApp({ name: 'ringmaster', basePath: '/api/ringmaster', routes: routesOf(workspaces) });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens no workspace yet: each is opened on its first request. */
export function openRingmasterApp(home: string): OpenedApp {
  const workspaces = new Workspaces(home);
  return { app: ringmasterApp(workspaces), close: () => workspaces.close() };
}
