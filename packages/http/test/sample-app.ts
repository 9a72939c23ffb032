import { defineErrors } from '@holdfast/base';
import { z } from 'zod';

import {
  type App,
  type Authenticate,
  bytes,
  created,
  createLogger,
  createServer,
  defineApp,
  defineRoute,
  type EventFeed,
  events,
  noContent,
  nothing,
  ok,
  pageQuery,
  type Principal,
  requireMatch,
  revisionTag,
  type Server,
  sse,
} from '../src/index.ts';
import type { ServerOptions } from '../src/server/options.ts';

/** A small application for tests of the features that all applications share. */

export const planErrors = defineErrors({
  PLAN_NOT_FOUND: { kind: 'not_found', means: 'There is no such plan.', hint: 'List the plans.' },
  PLAN_LOCKED: { kind: 'unavailable', means: 'The plan is being written.', hint: 'Try again.' },
});

export const Plan = z.object({ id: z.string(), title: z.string(), revision: z.number().int() }).meta({ id: 'Plan' });
type Plan = z.infer<typeof Plan>;

const NewPlan = z.object({ title: z.string().min(1).max(100), tags: z.array(z.string()).default([]) });

export class Plans {
  readonly byId = new Map<string, Plan>();
  creations = 0;

  create(title: string): Plan {
    this.creations += 1;
    const plan = { id: `p${this.creations}`, title, revision: 1 };
    this.byId.set(plan.id, plan);
    return plan;
  }

  get(id: string): Plan {
    const plan = this.byId.get(id);
    if (plan === undefined) throw planErrors.PLAN_NOT_FOUND(`There is no plan "${id}"`);
    return plan;
  }
}

function planRoutes(plans: Plans, feed: EventFeed) {
  return [
    defineRoute({
      method: 'GET',
      path: '/plans',
      permission: 'np:read',
      summary: 'All plans',
      request: { query: z.object({ ...pageQuery, tag: z.string().optional() }) },
      responses: { 200: z.object({ data: z.array(Plan), next_cursor: z.string().nullable() }) },
      handler: ({ query }) => ok({ data: [...plans.byId.values()].slice(0, query.limit), next_cursor: null }),
    }),
    defineRoute({
      method: 'POST',
      path: '/plans',
      permission: 'np:write',
      summary: 'Makes a plan',
      request: { body: NewPlan },
      responses: { 201: Plan },
      idempotent: true,
      handler: async ({ body }) => {
        const plan = plans.create(body.title);
        return created(plan, `/api/np/plans/${plan.id}`, { etag: revisionTag(plan.revision) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/plans/{id}',
      permission: 'np:read',
      summary: 'One plan',
      responses: { 200: Plan },
      errors: [planErrors.PLAN_NOT_FOUND],
      handler: ({ params }) => {
        const plan = plans.get(params.id);
        // The response has a field that the schema lacks; the server must not send it.
        return ok({ ...plan, owner_password_hash: 'never-to-be-seen' }, { etag: revisionTag(plan.revision) });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/plans/{id}',
      permission: 'np:write',
      summary: 'Changes a plan',
      request: { params: z.object({ id: z.string().regex(/^p\d+$/) }), body: NewPlan },
      responses: { 200: Plan },
      handler: async ({ params, body, request }) => {
        const match = requireMatch(request);
        const plan = plans.get(params.id);
        match.assert(revisionTag(plan.revision));
        const changed = { ...plan, title: body.title, revision: plan.revision + 1 };
        plans.byId.set(plan.id, changed);
        return ok(changed, { etag: revisionTag(changed.revision) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/plans/{id}',
      permission: 'np:admin',
      summary: 'Removes a plan',
      responses: { 204: nothing },
      handler: ({ params }) => {
        plans.byId.delete(params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/events',
      permission: 'np:read',
      summary: 'What changes',
      responses: { 200: events(z.object({ key: z.string() })) },
      handler: (input) => sse(input, { feed }),
    }),
    defineRoute({
      method: 'GET',
      path: '/hello',
      permission: 'public',
      summary: 'Greets',
      request: { headers: z.object({ 'x-name': z.string().default('you') }) },
      responses: { 200: z.object({ hello: z.string() }) },
      handler: ({ headers }) => ok({ hello: headers['x-name'] }),
    }),
    defineRoute({
      method: 'POST',
      path: '/files/{rest+}',
      permission: 'np:write',
      summary: 'Takes a file',
      request: { upload: { types: ['application/octet-stream'], limitBytes: 1_000 } },
      responses: { 200: z.object({ rest: z.string(), bytes: z.number() }), 202: bytes('text/plain') },
      handler: async ({ params, upload }) => {
        let received = 0;
        for await (const chunk of upload.stream) received += chunk.byteLength;
        return ok({ rest: params.rest, bytes: received });
      },
    }),
  ] as const;
}

export type PlanRoutes = ReturnType<typeof planRoutes>;

export const READER: Principal = {
  userId: 'u1',
  name: 'Reader',
  permissions: new Set(['np:read']),
  kind: 'session',
};
export const WRITER: Principal = {
  userId: 'u2',
  name: 'Writer',
  permissions: new Set(['np:read', 'np:write']),
  kind: 'token',
};
export const ADMIN: Principal = {
  userId: 'u3',
  name: 'Admin',
  permissions: new Set(['np:read', 'np:write', 'np:admin', 'system:read']),
  kind: 'token',
};

const principalByCredential: Readonly<Record<string, Principal>> = {
  'session=reader': READER,
  'Bearer writer': WRITER,
  'Bearer admin': ADMIN,
};

export const authenticate: Authenticate = async ({ headers }) =>
  principalByCredential[headers.get('authorization') ?? headers.get('cookie') ?? ''];

export const ORIGIN = 'http://localhost';
export const asReader = { cookie: 'session=reader', origin: ORIGIN } as const;
export const asWriter = { authorization: 'Bearer writer' } as const;
export const asAdmin = { authorization: 'Bearer admin' } as const;

const emptyFeed: EventFeed = {
  head: () => '0',
  open: (_since, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
        }),
    }),
  }),
};

export function planApp(plans: Plans = new Plans(), feed: EventFeed = emptyFeed): App {
  return defineApp({ name: 'np', basePath: '/api/np', routes: planRoutes(plans, feed) });
}

/** A server that collects its log lines. */
export function sampleServer(options: Partial<ServerOptions> = {}): { server: Server; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
  const info = { title: 'Sample', version: '1.2.3' };
  const server = createServer({ apps: [planApp()], authenticate, info, origins: [ORIGIN], logger, ...options });
  return { server, lines };
}

interface JsonPost {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export function postJson(body: unknown, headers: Readonly<Record<string, string>> = {}): JsonPost {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** An application with these routes, for tests of a single behaviour. */
export function appOf(...routes: App['routes']): App {
  return { name: 'test', basePath: '', routes };
}
