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
import { JUMP_REASONS, type Progress } from '../model/playback.ts';
import { count, time } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { forgetProgress, jumpsIn, listProgress, progressIn, setProgress } from '../service/listening/progress.ts';
import { readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { progressSchema, progressView } from './progress-view.ts';
import { idParameter } from './schemas.ts';

const book = z.object({ book: idParameter });
const errors = [audiobookErrors.BOOK_NOT_FOUND];

export function progressRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/progress',
    permission: readPermission,
    summary: 'Where the caller is in their books, the latest first',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf(progressSchema) },
    handler: async (input) => {
      const { items, cursor } = await listProgress(app, await listenerOf(app, input), input.query);
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
      const found = await progressIn(app, await listenerOf(app, input), input.params.book);
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
      const after = await setProgress(app, await listenerOf(app, input), input.params.book, {
        ...input.body,
        expect: (current) => match?.assert(current === undefined ? undefined : tagOf(current)),
      });
      return ok(progressView(after), { etag: tagOf(after) });
    },
  });
  return [list, one, set, ...leaveRoutes(app)] as const;
}

function leaveRoutes(app: Audiobooks) {
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
      await forgetProgress(app, await listenerOf(app, input), input.params.book, (current) =>
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
      const found = await jumpsIn(app, await listenerOf(app, input), input.params.book);
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
  return [forget, left] as const;
}

function tagOf({ revision }: Progress): string {
  return revisionTag(revision);
}
