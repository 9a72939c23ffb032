/**
 * The routes of utask below `/api/utask`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { type App, defineApp } from '@holdfast/http';
import { configuration } from '../adapters/configuration.ts';
import { LazyUtask, type OpenUtask } from '../service/open-utask.ts';
import { openUtask } from '../service/open-utask.ts';
import { ChangeFeed } from './change-feed.ts';
import { routes } from './routes.ts';

/** For a typed client. */
export type UtaskRoutes = ReturnType<typeof routes>;

export function utaskApp(open: OpenUtask): App {
  return defineApp({ name: 'utask', basePath: '/api/utask', routes: routes(open, new ChangeFeed(open)) });
}

export interface OpenedApp {
  readonly app: App;
  /** Why the list cannot be reached yet; routes report it too. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/**
 * Serves the task list that `ut` uses in this environment; the caller closes it. An absent NATS server
 * is retried with every request.
 */
export async function openUtaskApp(
  home: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenedApp> {
  const place = configuration({}, { ...env, HOLDFAST_HOME: home });
  const utask = new LazyUtask(() => openUtask(place));
  const problem = await utask.get().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { app: utaskApp(utask.get), problem, close: () => utask.close() };
}
