/**
 * The routes of utask below `/api/utask`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import {
  type App,
  contentTag,
  defineApp,
  defineRoute,
  events,
  noContent,
  nothing,
  ok,
  optionalMatch,
  routesFor,
  sse,
  zodOf,
} from '@holdfast/http';
import type { RemoteTools } from '@holdfast/cli/mcp';
import { type GivenObject, nullable, object, type ObjectValue, type Overview, text } from '@holdfast/operation';
import { z } from 'zod';
import { configuration } from '../adapters/configuration.ts';
import { utaskErrors } from '../model/errors.ts';
import { encodeTask, type Task } from '../model/task.ts';
import { server, tools } from '../mcp/tools.ts';
import * as operations from '../operations/tasks.ts';
import { updateTask } from '../service/change-tasks.ts';
import { LazyUtask, type OpenUtask, openUtask } from '../service/open-utask.ts';
import { overview } from '../service/overview.ts';
import { hostOf, type UtaskHost } from '../service/undo.ts';
import { ChangeFeed } from './change-feed.ts';

/** Types of the routes, for a typed client. */
export type UtaskRoutes = ReturnType<typeof routes>;

export function utaskApp(open: OpenUtask): App {
  return defineApp({ name: 'utask', basePath: '/api/utask', routes: routes(open, new ChangeFeed(open)) });
}

export interface OpenedApp {
  readonly app: App;
  readonly tools: RemoteTools;
  readonly overview: Overview;
  /** Reason why the list cannot be reached yet; routes report it too. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/**
 * Serves the task list that `ut` uses in this environment; the caller closes the result. Every request retries an
 * unreachable NATS server.
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
  const remote: RemoteTools = {
    server,
    permission: 'app:utask:read',
    open: async (caller) => tools(hostOf(await utask.get()), caller),
  };
  return {
    app: utaskApp(utask.get),
    overview: overview(utask.get),
    tools: remote,
    problem,
    close: () => utask.close(),
  };
}

const PAGE_LIMIT = 50;
const PAGE_LIMIT_MAX = 1_000;

export function routes(open: OpenUtask, feed: ChangeFeed) {
  const route = routesFor<UtaskHost>(async () => hostOf(await open()));
  return [
    route(operations.listTasks, {
      method: 'GET',
      path: '/tasks',
      from: ({ query }) => {
        const { limit = PAGE_LIMIT } = query as { readonly limit?: number };
        return { limit: Math.min(limit, PAGE_LIMIT_MAX) };
      },
    }),
    route(operations.showTask, {
      method: 'GET',
      path: '/tasks/{id}',
      extras: ({ revision: _, ...task }) => tagged(task),
    }),
    route(operations.addTask, {
      method: 'POST',
      path: '/tasks',
      idempotent: true,
      status: 201,
      location: ({ id }) => `/api/utask/tasks/${id}`,
      extras: tagged,
    }),
    route(operations.restoreTask, { method: 'POST', path: '/tasks/{id}/restore', extras: tagged }),
    route(operations.showHistory, { method: 'GET', path: '/tasks/{id}/history' }),
    route(operations.listTags, { method: 'GET', path: '/tags' }),
    route(operations.showStatus, { method: 'GET', path: '/status' }),
    ...conditionalRoutes(open),
    defineRoute({
      method: 'GET',
      path: '/events',
      permission: 'app:utask:read',
      summary: 'Stream changes from every machine; after a "reset" event, read everything again',
      request: { query: z.object({ since: z.string().optional() }) },
      responses: {
        200: events(zodOf(nullable(object({ id: text(), task: nullable(operations.taskObject) })), 'reply')),
      },
      handler: (input) => sse(input, { feed }),
    }),
  ] as const;
}

function tagged(task: object): { readonly etag: string } {
  return { etag: contentTag(encodeTask(task as Task)) };
}

const { id: _id, ...updateFields } = operations.updateTask.input;
const updateBody = zodOf(object(updateFields), 'body') as z.ZodType<
  ObjectValue<typeof updateFields>,
  GivenObject<typeof updateFields>
>;
const errors = [utaskErrors.TASK_NOT_FOUND, utaskErrors.ID_AMBIGUOUS];
const taskReply = zodOf(operations.taskObject, 'reply') as z.ZodType<Task>;

/** These routes are not bound to operations, because If-Match must be checked at the moment of the change. */
function conditionalRoutes(open: OpenUtask) {
  const update = defineRoute({
    method: 'PATCH',
    path: '/tasks/{id}',
    permission: 'app:utask:write',
    summary: operations.updateTask.summary,
    operation: operations.updateTask,
    request: { body: updateBody },
    responses: { 200: taskReply },
    errors: operations.updateTask.errors ?? errors,
    handler: async ({ params, body, request }) => {
      const match = optionalMatch(request);
      const host = hostOf(await open());
      const task = await updateTask(host, {
        ...body,
        id: params.id,
        check: (before) => match?.assert(tagged(before).etag),
      });
      return ok(task, tagged(task));
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/tasks/{id}',
    permission: 'app:utask:write',
    summary: 'Delete a task',
    operation: operations.deleteTasks,
    responses: { 204: nothing },
    errors,
    handler: async ({ params, request }) => {
      const match = optionalMatch(request);
      const utask = await open();
      await utask.delete(params.id, (before) => match?.assert(tagged(before).etag));
      return noContent();
    },
  });
  return [update, remove] as const;
}
