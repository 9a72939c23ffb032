/**
 * The routes of ringmaster below `/api/ringmaster`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import type { RemoteTools } from '@holdfast/cli/mcp';
import { type App, defineApp } from '@holdfast/http';
import { operationErrors, type Overview } from '@holdfast/operation';

import { type LaunchOptions, runLauncher } from '../adapters/launch-run.ts';
import { server, tools } from '../mcp/tools.ts';
import { overview } from '../service/overview.ts';
import { Workspaces } from '../service/workspaces.ts';
import { liveRoutes } from './live.ts';
import {
  graphRoutes,
  machineRoutes,
  maintenanceRoutes,
  queueRoutes,
  runRoutes,
  taskRoutes,
  workerRoutes,
  workspaceRoutes,
  workspaceRoutesFor,
} from './routes.ts';

export type RingmasterRoutes = ReturnType<typeof routesOf>;

function routesOf(workspaces: Workspaces) {
  const route = workspaceRoutesFor(workspaces);
  return [
    ...workspaceRoutes(workspaces, route),
    ...taskRoutes(route),
    ...graphRoutes(route),
    ...queueRoutes(route),
    ...machineRoutes(route),
    ...workerRoutes(route),
    ...runRoutes(workspaces, route),
    ...maintenanceRoutes(route),
    ...liveRoutes(workspaces),
  ] as const;
}

export function ringmasterApp(workspaces: Workspaces): App {
  return defineApp({ name: 'ringmaster', basePath: '/api/ringmaster', routes: routesOf(workspaces) });
}

export interface OpenedApp {
  readonly app: App;
  readonly tools: RemoteTools;
  readonly overview: Overview;
  close(): Promise<void>;
}

/** Opens no workspace yet: each is opened on its first request. */
export function openRingmasterApp(options: LaunchOptions): OpenedApp {
  const workspaces = new Workspaces(options.home, runLauncher(options));
  return {
    app: ringmasterApp(workspaces),
    overview: overview(workspaces),
    tools: remoteTools(workspaces),
    close: () => workspaces.close(),
  };
}

/** An agent on another machine names the workspace in the URL, because it has no directory on this machine. */
export function remoteTools(workspaces: Workspaces): RemoteTools {
  return {
    server,
    permission: 'app:ringmaster:read',
    open: async (caller, query) => {
      const workspace = query.get('workspace');
      if (workspace === null) {
        throw operationErrors.INPUT_INVALID('The URL does not name a workspace.', {
          hint: 'Add ?workspace=ID to the URL of the MCP server. In the dashboard, the id is part of the address of a workspace.',
        });
      }
      return tools(await workspaces.open(workspace, { type: 'agent', id: caller.name }), caller);
    },
  };
}
