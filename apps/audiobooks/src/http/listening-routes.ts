import {
  defineRoute,
  noContent,
  nothing,
  ok,
  optionalMatch,
  page,
  pageOf,
  pageQuery,
  revisionTag,
} from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import { EVENT_TYPES, JUMP_REASONS, type Progress } from '../model/playback.ts';
import { preferenceChangesShape, preferencesShape, speed } from '../model/preferences.ts';
import { count, id, time } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { changePreferences, preferencesOf } from '../service/listening/preferences.ts';
import { forgetProgress, jumpsIn, listProgress, progressIn, setProgress } from '../service/listening/progress.ts';
import { recordPlayback, REFUSALS } from '../service/listening/record-playback.ts';
import { readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { idParameter } from './schemas.ts';

const progressSchema = z.object({
  book_id: id,
  position_ms: count,
  segment_id: id,
  position_seconds: z.number(),
  generation: count.meta({ description: 'The timeline of the book that the place is on' }),
  percent: z.number(),
  finished: z.boolean(),
  completions: count,
  speed: z.number(),
  updated_at: time,
  device_id: z.string().nullable(),
  revision: count,
});

function progressView(entry: Progress): z.infer<typeof progressSchema> {
  return {
    book_id: entry.book_id,
    position_ms: entry.book_position_ms,
    segment_id: entry.segment_id,
    position_seconds: entry.position_seconds,
    generation: entry.generation,
    percent: entry.percent_complete,
    finished: entry.finished,
    completions: entry.completions,
    speed: entry.play_speed,
    updated_at: entry.updated_at,
    device_id: entry.device_id,
    revision: entry.revision,
  };
}

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

// oxlint-disable-next-line typescript/explicit-function-return-type -- the exact type of the routes types the client
export function listeningRoutes(app: Audiobooks) {
  const report = defineRoute({
    method: 'POST',
    path: '/playback',
    permission: readPermission,
    summary: 'What players report: events in, the place in each book out. The newest event wins, however late it comes',
    request: { body: z.object({ events: z.array(reportSchema).min(1).max(REPORTS_MAX) }) },
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
      const done = await recordPlayback(app.catalogue, listener, input.body.events);
      return ok({ ...done, progress: done.progress.map(progressView) });
    },
  });
  return [report, ...progressRoutes(app), ...preferenceRoutes(app)] as const;
}

const book = z.object({ book: idParameter });
const errors = [audiobookErrors.BOOK_NOT_FOUND];

// oxlint-disable-next-line typescript/explicit-function-return-type -- see above
function progressRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/progress',
    permission: readPermission,
    summary: 'Where the caller is in their books, the latest first',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf(progressSchema) },
    handler: async (input) => {
      const { items, cursor } = await listProgress(app.catalogue, await listenerOf(app, input), input.query);
      return ok(page(items.map(progressView), cursor));
    },
  });
  const one = defineRoute({
    method: 'GET',
    path: '/progress/{book}',
    permission: readPermission,
    summary: 'Where the caller is in a book; null when they have not begun it',
    request: { params: book },
    responses: { 200: progressSchema.nullable() },
    errors,
    handler: async (input) => {
      const found = await progressIn(app.catalogue, await listenerOf(app, input), input.params.book);
      return found === undefined ? ok(null) : ok(progressView(found), { etag: tagOf(found) });
    },
  });
  const set = defineRoute({
    method: 'PUT',
    path: '/progress/{book}',
    permission: readPermission,
    summary: 'Marks a book as finished or not, or goes to a place in it',
    request: {
      params: book,
      body: z.object({ finished: z.boolean().optional(), position_ms: count.optional() }),
    },
    responses: { 200: progressSchema },
    errors: [...errors, audiobookErrors.BOOK_WITHOUT_FILES],
    handler: async (input) => {
      const match = optionalMatch(input.request);
      const after = await setProgress(app.catalogue, await listenerOf(app, input), input.params.book, {
        ...input.body,
        expect: (current) => match?.assert(current === undefined ? undefined : tagOf(current)),
      });
      return ok(progressView(after), { etag: tagOf(after) });
    },
  });
  const forget = defineRoute({
    method: 'DELETE',
    path: '/progress/{book}',
    permission: readPermission,
    summary: 'As if the book had never been begun; what was listened stays counted',
    request: { params: book },
    responses: { 204: nothing },
    errors,
    handler: async (input) => {
      const match = optionalMatch(input.request);
      await forgetProgress(app.catalogue, await listenerOf(app, input), input.params.book, (current) =>
        match?.assert(current === undefined ? undefined : tagOf(current)),
      );
      return noContent();
    },
  });
  const left = defineRoute({
    method: 'GET',
    path: '/progress/{book}/jumps',
    permission: readPermission,
    summary: 'The last places that were left by going elsewhere, the newest first',
    request: { params: book },
    responses: {
      200: z.array(
        z.object({
          position_ms: count,
          at: time,
          device_id: z.string().nullable(),
          reason: z.enum(JUMP_REASONS),
        }),
      ),
    },
    errors,
    handler: async (input) => {
      const found = await jumpsIn(app.catalogue, await listenerOf(app, input), input.params.book);
      return ok(
        found.map(({ book_position_ms: position, at, device_id: device, reason }) => ({
          position_ms: position,
          at,
          device_id: device,
          reason,
        })),
      );
    },
  });
  return [list, one, set, forget, left] as const;
}

function tagOf({ revision }: Progress): string {
  return revisionTag(revision);
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- see above
function preferenceRoutes(app: Audiobooks) {
  const show = defineRoute({
    method: 'GET',
    path: '/preferences',
    permission: readPermission,
    summary: 'How the caller likes to listen',
    responses: { 200: preferencesShape },
    handler: async (input) => ok(await preferencesOf(app.catalogue, await listenerOf(app, input))),
  });
  const change = defineRoute({
    method: 'PUT',
    path: '/preferences',
    permission: readPermission,
    summary: 'Changes what is given; what is left out stays as it is',
    request: { body: preferenceChangesShape },
    responses: { 200: preferencesShape },
    errors,
    handler: async (input) => ok(await changePreferences(app.catalogue, await listenerOf(app, input), input.body)),
  });
  return [show, change] as const;
}
