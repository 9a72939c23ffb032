import { created, defineRoute, type EventFeed, events, ok, sse } from '@holdfast/http';
import { restoreToRevision } from '@holdfast/sqlite';
import { z } from 'zod';

import type { Databases } from '../adapters/databases.ts';
import { backUp, listBackups } from '../service/backups.ts';
import { describeDatabases } from '../service/describe-databases.ts';
import { listKeys } from '../service/list-keys.ts';
import { shownCommit } from '../service/shown-change.ts';
import { Backup, Commit, databaseName, DatabaseState, Key } from './schemas.ts';

const ofDatabase = z.object({ name: databaseName });

interface About {
  readonly version: string;
  readonly commandsFolder: string | undefined;
}

/** Databases, their keys, commits and backups. */
export function systemRoutes(databases: Databases, activity: EventFeed, about: About) {
  return [
    defineRoute({
      method: 'GET',
      path: '/info',
      permission: 'system:read',
      summary: 'Versions, and what the process uses',
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
            .describe('Where the commands are, if the PATH of the server does not lead there'),
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
    }),
    defineRoute({
      method: 'GET',
      path: '/databases',
      permission: 'system:read',
      summary: 'The databases that exist, and how they are',
      responses: { 200: z.object({ data: z.array(DatabaseState) }) },
      handler: async () => ok({ data: await describeDatabases(databases) }),
    }),
    ...restoreRoutes(databases),
    ...browseRoutes(databases, activity),
  ] as const;
}

function browseRoutes(databases: Databases, activity: EventFeed) {
  return [
    defineRoute({
      method: 'GET',
      path: '/databases/{name}/keys',
      permission: 'system:read',
      summary: 'Keys that begin with a prefix, in order',
      request: {
        params: ofDatabase,
        query: z.object({
          prefix: z.string().max(1_000).default(''),
          after: z.string().max(1_000).optional(),
          limit: z.coerce.number<string | number>().int().min(1).max(500).default(100),
        }),
      },
      responses: { 200: z.object({ data: z.array(Key), next_cursor: z.string().nullable() }) },
      handler: async ({ params, query }) => {
        const { data, next_cursor } = await listKeys(databases, params.name, { ...query, after: query.after });
        return ok({ data: [...data], next_cursor });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/databases/{name}/commits',
      permission: 'system:read',
      summary: 'The latest commits, newest first',
      request: {
        params: ofDatabase,
        query: z.object({
          before: z.coerce.number<string | number>().int().min(1).optional(),
          limit: z.coerce.number<string | number>().int().min(1).max(100).default(30),
        }),
      },
      responses: { 200: z.object({ data: z.array(Commit) }) },
      handler: async ({ params, query }) => {
        const database = await databases.get(params.name);
        const last = Math.min(
          query.before === undefined ? Number.MAX_SAFE_INTEGER : query.before - 1,
          database.revision(),
        );
        const since = Math.max(last - query.limit, database.oldestRevision() - 1, 0);
        const entries = last <= since ? [] : database.changes(since, last - since);
        return ok({ data: entries.toReversed().map((entry) => shownCommit(params.name, entry)) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/activity',
      permission: 'system:read',
      summary: 'Every commit of every database, as it happens',
      responses: { 200: events(Commit) },
      handler: (input) => sse(input, { feed: activity }),
    }),
  ] as const;
}

function restoreRoutes(databases: Databases) {
  return [
    defineRoute({
      method: 'GET',
      path: '/databases/{name}/backups',
      permission: 'system:read',
      summary: 'The backups of a database',
      request: { params: ofDatabase },
      responses: { 200: z.object({ data: z.array(Backup) }) },
      handler: ({ params }) => ok({ data: listBackups(databases, params.name) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/databases/{name}/backups',
      permission: 'system:admin',
      summary: 'Makes a backup now',
      request: { params: ofDatabase },
      responses: { 201: Backup },
      idempotent: true,
      handler: async ({ params }) => {
        const backup = await backUp(databases, params.name);
        return created(backup, `/api/system/databases/${params.name}/backups`);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/databases/{name}/restore',
      permission: 'system:admin',
      summary: 'Goes back to a revision, as one more commit',
      request: { params: ofDatabase, body: z.object({ revision: z.number().int().min(0) }) },
      responses: {
        200: z.object({ revision: z.number().int(), changed: z.number().int(), undo_with: z.number().int() }),
      },
      handler: async ({ params, body }) => {
        const database = await databases.get(params.name);
        const before = database.revision();
        const { value, revision } = await restoreToRevision(database, body.revision);
        return ok({ revision, changed: value, undo_with: before });
      },
    }),
  ] as const;
}
