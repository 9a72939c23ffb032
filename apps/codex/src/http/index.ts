/**
 * The routes of codex below `/api/codex`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { join } from 'node:path';

import { type App, defineApp, type Statuses } from '@holdfast/http';

import { settingsFrom } from '../model/settings.ts';
import { type Engine, openEngine } from '../service/engine.ts';
import type { ProblemListener } from '../service/problems.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { contentRoutes } from './content-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { figureRoutes } from './figure-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { folderRoutes } from './folder-routes.ts';
import { historyRoutes } from './history-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { noteRoutes } from './note-routes.ts';
import { notebookHistoryRoutes } from './notebook-history-routes.ts';
import { notebookRoutes } from './notebook-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { treeRoutes } from './tree-routes.ts';

/** Codes whose status says more than their kind does. */
const statuses: Statuses = {
  ATTACHMENT_TYPE: 415,
  DISK_FULL: 507,
  FILE_CHANGED: 412,
  FILE_TOO_LARGE: 413,
  QUEUE_FULL: 429,
};

/** For a typed client. */
export type CodexRoutes = ReturnType<typeof routesOf>;

function routesOf(engine: Engine) {
  return [
    ...notebookRoutes(engine),
    ...contentRoutes(engine),
    ...attachmentRoutes(engine),
    ...historyRoutes(engine),
    ...fileRoutes(engine),
    ...folderRoutes(engine),
    ...batchRoutes(engine),
    // Before the events, so that its name is not taken for an id.
    ...figureRoutes(engine),
    ...searchRoutes(engine),
    ...treeRoutes(engine),
    ...eventRoutes(engine),
    ...notebookHistoryRoutes(engine),
    ...noteRoutes(engine),
    ...linkRoutes(engine),
  ] as const;
}

export function codexApp(engine: Engine): App {
  return defineApp({ name: 'codex', basePath: '/api/codex', statuses, routes: routesOf(engine) });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens the database below the data home and works through its queues; the one who serves it closes it. */
export async function openCodexApp(
  home: string,
  onProblem: ProblemListener,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenedApp> {
  const engine = await openEngine({
    home,
    databasePath: join(home, 'codex.db'),
    settings: settingsFrom(env),
    onProblem,
  });
  return { app: codexApp(engine), close: () => engine.close() };
}
