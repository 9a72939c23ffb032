/**
 * The routes of codex below `/api/codex`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { join } from 'node:path';

import { type App, defineApp, type Statuses } from '@holdfast/http';

import { settingsFrom } from '../model/settings.ts';
import { type Codex, openCodex } from '../service/codex.ts';
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

function routesOf(codex: Codex) {
  return [
    ...notebookRoutes(codex),
    ...contentRoutes(codex),
    ...attachmentRoutes(codex),
    ...historyRoutes(codex),
    ...fileRoutes(codex),
    ...folderRoutes(codex),
    ...batchRoutes(codex),
    // Before the events, so that its name is not taken for an id.
    ...figureRoutes(codex),
    ...searchRoutes(codex),
    ...treeRoutes(codex),
    ...eventRoutes(codex),
    ...notebookHistoryRoutes(codex),
    ...noteRoutes(codex),
    ...linkRoutes(codex),
  ] as const;
}

export function codexApp(codex: Codex): App {
  return defineApp({ name: 'codex', basePath: '/api/codex', statuses, routes: routesOf(codex) });
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
  const codex = await openCodex({
    home,
    databasePath: join(home, 'codex.db'),
    settings: settingsFrom(env),
    onProblem,
  });
  return { app: codexApp(codex), close: () => codex.close() };
}
