import { readPage } from '@holdfast/base';
import { bytes, contentTag, defineRoute, type EventFeed, events, ok, page, pageQuery, sse } from '@holdfast/http';
import { z } from 'zod';
import { npErrors } from '../model/errors.ts';
import { FIRST_EVENT_SEQ } from '../model/event.ts';
import { toMarkdown } from '../model/markdown.ts';
import { type Change, currentRevision, watchChanges } from '../service/change-feed.ts';
import { exportSession } from '../service/export-session.ts';
import { searchSessions } from '../service/list-sessions.ts';
import type { Np } from '../service/np.ts';
import { readLog, readLogBefore } from '../service/read-log.ts';
import { showPlan } from '../service/show-plan.ts';
import { changeSchema, eventPage, planSchema, summaryPage } from './schemas.ts';

const permission = 'app:np:read';
const errors = [npErrors.SESSION_NOT_FOUND];

/** Reading only: plans are written by the agents that keep them. */
export function routes(np: Np) {
  const list = defineRoute({
    method: 'GET',
    path: '/sessions',
    permission,
    summary: 'Sessions, active ones first, each list with the newest first',
    request: {
      query: z.object({
        ...pageQuery,
        state: z.enum(['active', 'archived', 'all']).default('all'),
        search: z
          .string()
          .max(1_000)
          .default('')
          .meta({ description: 'Only sessions with this in their directory, goal or id' }),
      }),
    },
    responses: { 200: summaryPage },
    handler: async ({ query }) => {
      const { items, cursor } = await searchSessions(np, query);
      const summaries = items.map(({ session, goal, counts }) => {
        const { pending, in_progress, completed, failed, cancelled } = counts;
        return { session, goal: goal ?? null, counts: { pending, in_progress, completed, failed, cancelled } };
      });
      return ok(page(summaries, cursor));
    },
  });
  const plan = defineRoute({
    method: 'GET',
    path: '/sessions/{sid}',
    permission,
    summary: 'One plan: goal and tasks',
    responses: { 200: planSchema },
    errors,
    handler: async ({ params }) => {
      const found = await showPlan(np, { sid: params.sid });
      const body = { ...found, goal: found.goal ?? null };
      return ok(body, { etag: contentTag(JSON.stringify(body)) });
    },
  });
  return [list, plan, ...logRoutes(np)] as const;
}

function logRoutes(np: Np) {
  const log = defineRoute({
    method: 'GET',
    path: '/sessions/{sid}/events',
    permission,
    summary: 'What happened in a session',
    request: {
      query: z.object({
        ...pageQuery,
        cursor: z
          .string()
          .regex(/^\d{1,15}$/u)
          .optional(),
        order: z.enum(['oldest', 'newest']).default('oldest').meta({ description: 'Which comes first' }),
      }),
    },
    responses: { 200: eventPage },
    errors,
    handler: async ({ params: { sid }, query: { cursor, limit, order } }) => {
      const at = cursor === undefined ? undefined : Number(cursor);
      if (order === 'newest') {
        const { events: found } = await readLogBefore(np, { sid }, { before: at, limit });
        const oldest = found.at(-1)?.seq ?? FIRST_EVENT_SEQ;
        return ok(page(found, oldest > FIRST_EVENT_SEQ ? String(oldest) : undefined));
      }
      const found = await readPage(
        limit,
        async (count) => (await readLog(np, { sid }, { after: at ?? -1, limit: count })).events,
        (last) => String(last.seq),
      );
      return ok(found);
    },
  });
  const markdown = defineRoute({
    method: 'GET',
    path: '/sessions/{sid}/export',
    permission,
    summary: 'Plan and log as one document',
    request: { query: z.object({ format: z.enum(['md', 'json']).default('md') }) },
    responses: { 200: bytes('text/markdown') },
    errors,
    handler: async ({ params: { sid }, query: { format } }) => {
      const exported = await exportSession(np, { sid });
      const isMarkdown = format === 'md';
      const type = isMarkdown ? 'text/markdown; charset=utf-8' : 'application/json';
      const disposition = `attachment; filename="np-${exported.session.sid}.${format}"`;
      const headers = { 'content-type': type, 'content-disposition': disposition };
      return new Response(isMarkdown ? toMarkdown(exported) : JSON.stringify(exported, null, 2), { headers });
    },
  });
  const feed = eventFeed(np);
  const live = defineRoute({
    method: 'GET',
    path: '/events',
    permission,
    summary: 'Changes as they happen, of all sessions or of one',
    request: { query: z.object({ since: z.string().optional(), sid: z.string().optional() }) },
    responses: { 200: events(changeSchema) },
    handler: (input) => {
      const { sid } = input.query;
      if (sid === undefined) return sse(input, { feed });
      const isWanted = ({ reset, events: added }: Change): boolean => reset || added.some((each) => each.sid === sid);
      return sse(input, { feed, filter: ({ data }) => isWanted(data as Change) });
    },
  });
  return [log, markdown, live] as const;
}

/** Stream ids are revisions, so that a client that reconnects continues where it stopped. */
function eventFeed(np: Np): EventFeed {
  return {
    head: async () => String(await currentRevision(np)),
    accepts: (id) => /^\d{1,15}$/u.test(id),
    open: async function* (since, signal) {
      for await (const change of watchChanges(np, { since: Number(since), signal })) {
        yield { id: String(change.revision), event: change.reset ? 'reset' : 'change', data: change };
      }
    },
  };
}
