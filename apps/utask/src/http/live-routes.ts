import { defineRoute, events, ok, sse } from '@holdfast/http';
import { z } from 'zod';
import { countTasks } from '../service/count-tags.ts';
import type { OpenUtask } from '../service/open-utask.ts';
import type { ChangeFeed } from './change-feed.ts';
import { changeSchema, statusSchema, tagSchema } from './schemas.ts';

const permission = 'app:utask:read';

export function liveRoutes(open: OpenUtask, feed: ChangeFeed) {
  const tags = defineRoute({
    method: 'GET',
    path: '/tags',
    permission,
    summary: 'All tags, with how many tasks have them, and how many tasks there are',
    responses: { 200: z.object({ data: z.array(tagSchema), open: z.int(), done: z.int() }) },
    handler: async () => {
      const counted = await countTasks(await open());
      return ok({ data: [...counted.tags], open: counted.open, done: counted.done });
    },
  });
  const status = defineRoute({
    method: 'GET',
    path: '/status',
    permission,
    summary: 'Where the tasks are, what is promised there and what is lacking',
    responses: { 200: statusSchema },
    handler: async () => {
      const { facts } = await open();
      return ok({ ...facts, lacks: [...facts.lacks] });
    },
  });
  const live = defineRoute({
    method: 'GET',
    path: '/events',
    permission,
    summary: 'Changes as they happen, from every machine; after "reset" everything has to be read again',
    request: { query: z.object({ since: z.string().optional() }) },
    responses: { 200: events(changeSchema) },
    handler: (input) => sse(input, { feed }),
  });
  return [tags, status, live] as const;
}
