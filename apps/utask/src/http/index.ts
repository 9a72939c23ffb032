/**
 * The routes of utask below `/api/utask`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { type App, defineApp } from '@holdfast/http';
import { configuration } from '../adapters/configuration.ts';
import { openStore } from '../service/open-store.ts';
import type { Store } from '../store/store.ts';
import { ChangeFeed } from './change-feed.ts';
import { liveRoutes } from './live-routes.ts';
import { taskRoutes } from './task-routes.ts';

/** For a typed client. */
export type UtaskRoutes = ReturnType<typeof routesOf>;

function routesOf(store: Store) {
  return [...taskRoutes(store), ...liveRoutes(store, new ChangeFeed(store))] as const;
}

export function utaskApp(store: Store): App {
  const routes = routesOf(store);
  return defineApp({ name: 'utask', basePath: '/api/utask', routes });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens the task list that `ut` would use with this environment; the one who serves it closes it. */
export async function openUtaskApp(
  home: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenedApp> {
  const store = await openStore(configuration({}, { ...env, HOLDFAST_HOME: home }));
  return { app: utaskApp(store), close: () => store.close() };
}
