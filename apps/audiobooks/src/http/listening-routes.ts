import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import { EVENT_TYPES } from '../model/playback.ts';
import { preferenceChangesShape, preferencesShape, speed } from '../model/preferences.ts';
import { count } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { changePreferences, preferencesOf } from '../service/listening/preferences.ts';
import { recordPlayback, REFUSALS } from '../service/listening/record-playback.ts';
import { readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { progressSchema, progressView } from './progress-view.ts';
import { idParameter } from './schemas.ts';

const name = z.string().min(1).max(100);
const REPORTS_MAX = 500;

const reportSchema = z.object({
  event_id: name.meta({ description: 'Made by the device; the same event sent again counts once' }),
  book_id: idParameter,
  event_type: z.enum(EVENT_TYPES),
  position_ms: count.optional().meta({ description: 'In the whole book; or segment_id and position_seconds' }),
  generation: count
    .optional()
    .meta({ description: 'The timeline that position_ms is on; the present one if left out' }),
  segment_id: idParameter.optional(),
  position_seconds: z.number().nonnegative().optional(),
  occurred_at: z.iso.datetime({ offset: true }).meta({ description: 'By the clock of the device' }),
  play_speed: speed,
  device_id: name,
  session_id: name.optional().meta({ description: 'Listening is counted between events of one session' }),
});

export function listeningRoutes(app: Audiobooks) {
  const report = defineRoute({
    method: 'POST',
    path: '/playback',
    permission: readPermission,
    summary: 'What players report: events in, the place in each book out. The newest event wins, however late it comes',
    request: {
      body: z.object({
        events: z.array(reportSchema).min(1).max(REPORTS_MAX),
        sent_at: z.iso
          .datetime({ offset: true })
          .optional()
          .meta({ description: 'What the clock of the device shows now: one that is wrong is put right by it' }),
      }),
    },
    responses: {
      200: z.object({
        accepted: count,
        duplicates: count.meta({ description: 'Taken in before' }),
        refused: z.array(z.object({ event_id: z.string(), code: z.enum(REFUSALS) })),
        progress: z.array(progressSchema),
      }),
    },
    handler: async (input) => {
      const listener = await listenerOf(app, input);
      const done = await recordPlayback(app, listener, input.body.events, input.body.sent_at);
      return ok({ ...done, progress: done.progress.map(progressView) });
    },
  });
  return [report, ...preferenceRoutes(app)] as const;
}

const errors = [audiobookErrors.BOOK_NOT_FOUND];

function preferenceRoutes(app: Audiobooks) {
  const show = defineRoute({
    method: 'GET',
    path: '/preferences',
    permission: readPermission,
    summary: 'How the caller likes to listen',
    responses: { 200: preferencesShape },
    handler: async (input) => ok(await preferencesOf(app, await listenerOf(app, input))),
  });
  const change = defineRoute({
    method: 'PUT',
    path: '/preferences',
    permission: readPermission,
    summary: 'Changes what is given; what is left out stays as it is',
    request: { body: preferenceChangesShape },
    responses: { 200: preferencesShape },
    errors,
    handler: async (input) => ok(await changePreferences(app, await listenerOf(app, input), input.body)),
  });
  return [show, change] as const;
}
