/**
 * The routes of np below `/api/np`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { join } from 'node:path';
import {
  type App,
  bytes,
  contentTag,
  defineApp,
  defineRoute,
  type EventFeed,
  events,
  routesFor,
  sse,
  zodOf,
} from '@holdfast/http';
import type { RemoteTools } from '@holdfast/cli/mcp';
import { boolean, list, object, operationErrors, type Overview } from '@holdfast/operation';
import { z } from 'zod';
import { npErrors } from '../model/errors.ts';
import { eventObject } from '../model/event.ts';
import { toMarkdown } from '../model/exported.ts';
import { count, storedText } from '../model/plan.ts';
import { server, tools } from '../mcp/tools.ts';
import * as sessions from '../operations/sessions.ts';
import * as tasks from '../operations/tasks.ts';
import { type AddedEvents, currentRevision, watchEvents } from '../service/log.ts';
import { type Np, openNp, pinSession, type SessionTarget } from '../service/np.ts';
import { overview } from '../service/overview.ts';
import { exportSession } from '../service/sessions.ts';
import { routeAddresses } from './route-addresses.ts';
export type { Event as NpEvent } from '../model/event.ts';

/** Types of the routes, for a typed client. */
export type NpRoutes = ReturnType<typeof routes>;

export function npApp(np: Np): App {
  return defineApp({ name: 'np', basePath: '/api/np', routes: routes(np) });
}

export interface OpenedApp {
  readonly app: App;
  readonly tools: RemoteTools;
  readonly overview: Overview;
  close(): Promise<void>;
}

/**
 * Opens the database below the data home or at `address`; the caller closes it. Reports each damaged value that reads
 * leave out, once.
 */
export async function openNpApp(
  home: string,
  onProblem: (error: unknown) => void,
  address?: string,
): Promise<OpenedApp> {
  const reported = new Set<string>();
  const onUnreadable = (key: string, error: unknown): void => {
    if (!reported.has(key)) onProblem(error);
    reported.add(key);
  };
  const np = await openNp({ path: join(home, 'np.db'), address, onUnreadable });
  return { app: npApp(np), overview: overview(np), tools: remoteTools(np), close: () => np.close() };
}

/** An agent on another machine names the session in the URL, because it has no directory on this machine. */
export function remoteTools(np: Np): RemoteTools {
  return {
    server,
    permission: 'app:np:read',
    open: async (caller, query) => {
      const session = query.get('session');
      if (session === null) {
        throw operationErrors.INPUT_INVALID('The URL does not name a session.', {
          hint: 'Add ?session=ID to the URL of the MCP server. The dashboard and `np ls` show the ids.',
        });
      }
      const { sid } = await pinSession(np, { sid: session });
      // Omits `start_session`: a session starts in a directory on the machine that does the work.
      return tools(targetOf(np, sid), caller).filter(({ name }) => name !== 'start_session');
    },
  };
}

export function routes(np: Np) {
  const route = routesFor<SessionTarget>(({ params }) => targetOf(np, params['sid'] ?? ''));
  return [
    route(sessions.listSessions, routeAddresses['session.list']),
    route(sessions.startSession, { ...routeAddresses['session.start'], status: 201, idempotent: true }),
    route(sessions.showPlan, {
      ...routeAddresses['plan.show'],
      extras: (plan) => ({ etag: contentTag(JSON.stringify(plan)) }),
    }),
    route(sessions.archiveSession, routeAddresses['session.archive']),
    route(sessions.showGoal, routeAddresses['goal.show']),
    route(sessions.setGoal, routeAddresses['goal.set']),
    route(sessions.updateGoal, routeAddresses['goal.update']),
    route(tasks.listTasks, routeAddresses['task.list']),
    route(tasks.findTasks, routeAddresses['task.find']),
    route(tasks.addTasks, { ...routeAddresses['task.add'], idempotent: true }),
    route(tasks.updateTasks, routeAddresses['task.update']),
    route(tasks.moveTask, routeAddresses['task.move']),
    route(tasks.deleteTask, routeAddresses['task.delete']),
    route(tasks.claimTask, routeAddresses['task.claim']),
    route(tasks.releaseTask, routeAddresses['task.release']),
    route(sessions.undoChange, routeAddresses['plan.undo']),
    route(sessions.readLog, routeAddresses['log.read']),
    route(sessions.readGlobalLog, routeAddresses['log.all']),
    exportRoute(np),
    changesRoute(np),
  ] as const;
}

function targetOf(np: Np, sid: string): SessionTarget {
  return {
    np,
    where: { sid },
    get directory(): never {
      throw operationErrors.INPUT_INVALID('directory is missing');
    },
  };
}

/** Sends the session as a download, so that a browser can save it. */
function exportRoute(np: Np) {
  return defineRoute({
    ...routeAddresses['session.export'],
    permission: 'app:np:read',
    summary: sessions.exportSession.summary,
    operation: sessions.exportSession,
    request: { query: z.object({ format: z.enum(['md', 'json']).default('md') }) },
    responses: { 200: bytes('text/markdown') },
    errors: [npErrors.SESSION_NOT_FOUND],
    handler: async ({ params: { sid }, query: { format } }) => {
      const exported = await exportSession(np, { sid });
      const isMarkdown = format === 'md';
      const type = isMarkdown ? 'text/markdown; charset=utf-8' : 'application/json';
      const disposition = `attachment; filename="np-${exported.session.sid}.${format}"`;
      const headers = { 'content-type': type, 'content-disposition': disposition };
      return new Response(isMarkdown ? toMarkdown(exported) : JSON.stringify(exported, null, 2), { headers });
    },
  });
}

const changeObject = object({
  revision: count,
  reset: boolean('True if the client must read everything again'),
  events: list(object({ sid: storedText, event: eventObject })),
});

function changesRoute(np: Np) {
  const feed = changeFeed(np);
  return defineRoute({
    method: 'GET',
    path: '/events',
    permission: 'app:np:read',
    summary: 'Stream changes to all sessions, or to one',
    request: { query: z.object({ since: z.string().optional(), sid: z.string().optional() }) },
    responses: { 200: events(zodOf(changeObject, 'reply')) },
    handler: (input) => {
      const { sid } = input.query;
      if (sid === undefined) return sse(input, { feed });
      const isWanted = ({ reset, events: added }: AddedEvents): boolean =>
        reset || added.some((each) => each.sid === sid);
      return sse(input, { feed, filter: ({ data }) => isWanted(data as AddedEvents) });
    },
  });
}

/** The id of an event is a revision, so that a client that reconnects resumes after the last event it received. */
function changeFeed(np: Np): EventFeed {
  return {
    head: async () => String(await currentRevision(np)),
    accepts: (id) => /^\d{1,15}$/u.test(id),
    open: async function* (since, signal) {
      for await (const change of watchEvents(np, { since: Number(since), signal })) {
        yield { id: String(change.revision), event: change.reset ? 'reset' : 'change', data: change };
      }
    },
  };
}
