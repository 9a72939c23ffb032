/**
 * The routes of ringmaster below `/api/ringmaster`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { type App, defineApp } from '@holdfast/http';

import { Places } from '../service/places.ts';
import { backupRoutes } from './backup-routes.ts';
import { inquiryRoutes } from './inquiry-routes.ts';
import { liveRoutes } from './live-routes.ts';
import { placeRoutes } from './place-routes.ts';
import { projectRoutes } from './project-routes.ts';
import { pullRoutes } from './pull-routes.ts';
import { taskRoutes } from './task-routes.ts';
import { workRoutes } from './work-routes.ts';
import { workerRoutes } from './worker-routes.ts';

/** For a typed client. */
export type RingmasterRoutes = ReturnType<typeof routesOf>;

function routesOf(places: Places) {
  return [
    ...placeRoutes(places),
    ...projectRoutes(places),
    ...taskRoutes(places),
    ...workRoutes(places),
    ...workerRoutes(places),
    ...pullRoutes(places),
    ...inquiryRoutes(places),
    ...liveRoutes(places),
    ...backupRoutes(places),
  ] as const;
}

export function ringmasterApp(places: Places): App {
  return defineApp({ name: 'ringmaster', basePath: '/api/ringmaster', routes: routesOf(places) });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens nothing by itself: each project directory is opened when it is first asked for. */
export function openRingmasterApp(home: string): OpenedApp {
  const places = new Places(home);
  return { app: ringmasterApp(places), close: () => places.close() };
}
