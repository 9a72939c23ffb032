import { defineRoute, type EventFeed, events, ok, routesFor, sse } from '@holdfast/http';
import { z } from 'zod';

import type { Databases } from '../adapters/databases.ts';
import type { Folders } from '../adapters/folders.ts';
import {
  createBackup,
  listBackups,
  listCommits,
  listDatabases,
  listKeys,
  restoreDatabase,
} from '../operations/databases.ts';
import { createDemo, removeDemo, showDemo } from '../operations/demo.ts';
import { listFolders } from '../operations/folders.ts';
import type { DemoContext } from '../service/demo.ts';
import { Commit } from './schemas.ts';

interface About {
  readonly version: string;
  readonly commandsFolder: string | undefined;
}

/** Routes for the server process, and for the databases with their keys, commits and backups. */
export function systemRoutes(
  databases: Databases,
  activity: EventFeed,
  about: About,
  folders: Folders,
  demo: DemoContext,
) {
  const demoRoute = routesFor<DemoContext>(() => demo);
  const route = routesFor<Databases>(() => databases);
  return [
    infoRoute(about),
    routesFor<Folders>(() => folders)(listFolders, { method: 'GET', path: '/folders' }),
    demoRoute(showDemo, { method: 'GET', path: '/demo' }),
    demoRoute(createDemo, { method: 'POST', path: '/demo' }),
    demoRoute(removeDemo, { method: 'DELETE', path: '/demo' }),
    route(listDatabases, { method: 'GET', path: '/databases' }),
    route(listKeys, { method: 'GET', path: '/databases/{database}/keys' }),
    route(listCommits, { method: 'GET', path: '/databases/{database}/commits' }),
    route(listBackups, { method: 'GET', path: '/databases/{database}/backups' }),
    route(createBackup, {
      method: 'POST',
      path: '/databases/{database}/backups',
      status: 201,
      idempotent: true,
      location: (_backup, { params }) => `/api/system/databases/${params['database']}/backups`,
    }),
    route(restoreDatabase, { method: 'POST', path: '/databases/{database}/restore' }),
    defineRoute({
      method: 'GET',
      path: '/activity',
      permission: 'system:read',
      summary: 'Stream every commit in every database',
      responses: { 200: events(Commit) },
      handler: (input) => sse(input, { feed: activity }),
    }),
  ] as const;
}

function infoRoute(about: About) {
  return defineRoute({
    method: 'GET',
    path: '/info',
    permission: 'system:read',
    summary: 'Show versions and resource usage of the server process',
    responses: {
      200: z.object({
        version: z.string(),
        node: z.string(),
        uptime_seconds: z.number(),
        memory_bytes: z.number(),
        cpu_seconds: z.number(),
        commands_folder: z
          .string()
          .nullable()
          .describe('Folder with the commands, if it is not in PATH; null otherwise'),
      }),
    },
    handler: () => {
      const { user, system } = process.cpuUsage();
      return ok({
        version: about.version,
        node: process.versions.node,
        uptime_seconds: Math.round(process.uptime()),
        memory_bytes: process.memoryUsage.rss(),
        cpu_seconds: (user + system) / 1_000_000,
        commands_folder: about.commandsFolder ?? null,
      });
    },
  });
}
