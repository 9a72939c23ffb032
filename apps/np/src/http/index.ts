/**
 * The routes of np below `/api/np`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { join } from 'node:path';
import { type App, defineApp } from '@holdfast/http';
import { type Np, openNp } from '../service/np.ts';
import { routes } from './routes.ts';

export type { Event as NpEvent } from '../model/event.ts';
/** For a typed client. */
export type NpRoutes = ReturnType<typeof routes>;

export function npApp(np: Np): App {
  return defineApp({ name: 'np', basePath: '/api/np', routes: routes(np) });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens the database below the data home; the caller closes it. */
export async function openNpApp(home: string): Promise<OpenedApp> {
  const np = await openNp({ path: join(home, 'np.db') });
  return { app: npApp(np), close: () => np.close() };
}
