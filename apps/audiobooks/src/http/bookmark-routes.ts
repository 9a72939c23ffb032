import { created, defineRoute, noContent, nothing, ok, page, pageOf, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import type { Bookmark } from '../model/playback.ts';
import { count, id, time } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { addBookmark, changeBookmark, listBookmarks, removeBookmark } from '../service/listening/bookmarks.ts';
import { readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { idParameter } from './schemas.ts';

const bookmarkSchema = z.object({ id, book_id: id, position_ms: count, note: z.string(), created_at: time });
const note = z.string().max(10_000);
const params = z.object({ id: idParameter });

function view({ id: own, book_id: book, book_position_ms: position, note: text, created_at: at }: Bookmark) {
  return { id: own, book_id: book, position_ms: position, note: text, created_at: at };
}

export function bookmarkRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/books/{id}/bookmarks',
    permission: readPermission,
    summary: "The caller's marks in a book",
    request: { params, query: z.object(pageQuery) },
    responses: { 200: pageOf(bookmarkSchema) },
    errors: [audiobookErrors.BOOK_NOT_FOUND],
    handler: async (input) => {
      const listener = await listenerOf(app, input);
      const { items, cursor } = await listBookmarks(app, listener, input.params.id, input.query);
      return ok(page(items.map(view), cursor));
    },
  });
  const add = defineRoute({
    method: 'POST',
    path: '/books/{id}/bookmarks',
    permission: readPermission,
    summary: 'Marks a place; it stays at the same words when files are merged or replaced',
    request: {
      params,
      body: z.object({ position_ms: count, generation: count.optional(), note: note.default('') }),
    },
    responses: { 201: bookmarkSchema },
    idempotent: true,
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.BOOK_WITHOUT_FILES],
    handler: async (input) => {
      const mark = await addBookmark(app, await listenerOf(app, input), input.params.id, input.body);
      return created(view(mark), `/api/audiobooks/bookmarks/${mark.id}`);
    },
  });
  const change = defineRoute({
    method: 'PATCH',
    path: '/bookmarks/{id}',
    permission: readPermission,
    summary: 'Changes the note or the place of a mark',
    request: { params, body: z.object({ note: note.optional(), position_ms: count.optional() }) },
    responses: { 200: bookmarkSchema },
    errors: [audiobookErrors.BOOKMARK_NOT_FOUND],
    handler: async (input) =>
      ok(view(await changeBookmark(app, await listenerOf(app, input), input.params.id, input.body))),
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/bookmarks/{id}',
    permission: readPermission,
    summary: 'Removes a mark',
    request: { params },
    responses: { 204: nothing },
    errors: [audiobookErrors.BOOKMARK_NOT_FOUND],
    handler: async (input) => {
      await removeBookmark(app, await listenerOf(app, input), input.params.id);
      return noContent();
    },
  });
  return [list, add, change, remove] as const;
}
