import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import type { Codex } from '../service/codex.ts';
import { figuresSchema } from './schemas.ts';

const MINUTES_MAX = 1_440;

export function figureRoutes(codex: Codex) {
  const figures = defineRoute({
    method: 'GET',
    path: '/events/figures',
    permission: 'app:codex:read',
    summary: 'How the queue was doing, for plots',
    description:
      'What was done is counted from the events. How long things waited is noted every five seconds by the server and ' +
      'kept in memory for a day: after a restart it begins anew.',
    request: {
      query: z.object({ minutes: z.coerce.number<string | number>().int().min(1).max(MINUTES_MAX).default(60) }),
    },
    responses: { 200: figuresSchema },
    handler: ({ query: { minutes } }) => ok(codex.figures.figures(minutes)),
  });
  return [figures] as const;
}
