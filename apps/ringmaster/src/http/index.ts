/**
 * The routes of ringmaster below `/api/ringmaster`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { type App, defineApp } from '@holdfast/http';

import { Workspaces } from '../service/workspaces.ts';
import { backupRoutes } from './backup-routes.ts';
import { inquiryRoutes } from './inquiry-routes.ts';
import { liveRoutes } from './live-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';
import { projectRoutes } from './project-routes.ts';
import { pullRoutes } from './pull-routes.ts';
import { taskRoutes } from './task-routes.ts';
import { workRoutes } from './work-routes.ts';
import { workerRoutes } from './worker-routes.ts';

/** For a typed client. */
export type RingmasterRoutes = ReturnType<typeof routesOf>;

function routesOf(workspaces: Workspaces) {
  return [
    ...workspaceRoutes(workspaces),
    ...projectRoutes(workspaces),
    ...taskRoutes(workspaces),
    ...workRoutes(workspaces),
    ...workerRoutes(workspaces),
    ...pullRoutes(workspaces),
    ...inquiryRoutes(workspaces),
    ...liveRoutes(workspaces),
    ...backupRoutes(workspaces),
  ] as const;
}

export function ringmasterApp(workspaces: Workspaces): App {
  return defineApp({ name: 'ringmaster', basePath: '/api/ringmaster', routes: routesOf(workspaces) });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens nothing by itself: each project directory is opened when it is first asked for. */
export function openRingmasterApp(home: string): OpenedApp {
  const workspaces = new Workspaces(home);
  return { app: ringmasterApp(workspaces), close: () => workspaces.close() };
}
