/**
 * The codex routes below `/api/codex`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { join } from 'node:path';

import type { RemoteTools } from '@holdfast/cli/mcp';
import { type App, defineApp, type Statuses } from '@holdfast/http';
import type { Overview } from '@holdfast/operation';

import { server, tools } from '../mcp/tools.ts';
import { settingsFrom } from '../model/settings.ts';
import { type Codex, openCodex } from '../service/codex.ts';
import { overview } from '../service/overview.ts';
import type { ProblemListener } from '../service/problems.ts';
import { contentRoutes } from './content.ts';
import { fileRoutes } from './files.ts';
import { historyRoutes } from './history.ts';
import { notebookRoutes } from './notebooks.ts';
import { noteRoutes } from './notes.ts';
import { queueRoutes } from './queue.ts';
import { remoteRoutes } from './remotes.ts';

/** Error codes whose HTTP status differs from the default of their kind. */
const statuses: Statuses = {
  ATTACHMENT_TYPE: 415,
  DISK_FULL: 507,
  FILE_CHANGED: 412,
  FILE_TOO_LARGE: 413,
  INPUT_INVALID: 422,
  QUEUE_FULL: 429,
};

export type CodexRoutes = ReturnType<typeof routesOf>;

function routesOf(codex: Codex) {
  return [
    ...notebookRoutes(codex),
    ...remoteRoutes(codex),
    ...contentRoutes(codex),
    ...historyRoutes(codex),
    ...fileRoutes(codex),
    ...noteRoutes(codex),
    ...queueRoutes(codex),
  ] as const;
}

export function codexApp(codex: Codex): App {
  return defineApp({ name: 'codex', basePath: '/api/codex', statuses, routes: routesOf(codex) });
}

export interface OpenedApp {
  readonly app: App;
  readonly tools: RemoteTools;
  readonly overview: Overview;
  close(): Promise<void>;
}

/** Opens the database below the data home and processes its queues. The caller closes it. */
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
  const remote: RemoteTools = { server, permission: 'app:codex:read', open: (caller) => tools(codex, caller) };
  return { app: codexApp(codex), overview: overview(codex), tools: remote, close: () => codex.close() };
}
