import { defineRoute, ok, page, pageOf, pageQuery, revisionTag } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { browseBooks } from '../service/queries/browse-books.ts';
import { showBook } from '../service/queries/show-book.ts';
import { bookAsked, callerOf, readPermission } from './caller.ts';
import { bookRowSchema, bookSchema, idParameter } from './schemas.ts';
import { bookRows, bookView } from './views.ts';

const word = z.string().trim().min(1).max(500);

const listQuery = z.object({
  ...pageQuery,
  library: idParameter.optional(),
  author: word.optional().meta({ description: 'An id or a name; so are the others' }),
  series: word.optional(),
  narrator: word.optional(),
  genre: word.optional(),
  tag: word.optional(),
  language: word.optional(),
  state: z.enum(['unstarted', 'started', 'finished', 'missing', 'deleted']).optional(),
  q: word.optional().meta({ description: 'Words of any field; the best match comes first' }),
  sort: z
    .enum(['title', 'author', 'added', 'duration', 'recent'])
    .default('title')
    .meta({ description: 'Of one series: by position' }),
  desc: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'The other way round; left out, what was added or heard last comes first' }),
});

export function bookRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/books',
    permission: readPermission,
    summary: 'Books by any filters in any order; a page can be short, or empty, and still lead on to more',
    request: { query: listQuery },
    responses: {
      200: pageOf(bookRowSchema).extend({
        total: z.int().nullable().meta({ description: 'How many there are in all, where that is known exactly' }),
      }),
    },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const { desc, sort, ...wish } = input.query;
      const reverse = desc === undefined ? sort === 'added' || sort === 'recent' : desc === 'true';
      const hidden = wish.state === 'deleted' && !caller.can.edit;
      const found = hidden
        ? { items: [], cursor: undefined, total: 0 }
        : await browseBooks(app, await app.search(), caller, { ...wish, sort, reverse });
      const rows = await bookRows(app.store, found.items, caller.userId);
      return ok({ ...page(rows, found.cursor), total: found.total ?? null });
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/books/{id}',
    permission: readPermission,
    summary: 'One book with its chapters, files and other editions',
    request: { params: z.object({ id: idParameter }) },
    responses: { 200: bookSchema },
    errors: [audiobookErrors.BOOK_NOT_FOUND],
    handler: async (input) => {
      const { caller, book } = await bookAsked(app, input, input.params.id);
      const found = await showBook(app, book.id);
      return ok(await bookView(app.store, found, caller), {
        etag: revisionTag(found.book.revision),
        // The caller's place is in it, too, and is no part of the tag: nobody may answer from what they have.
        headers: { 'cache-control': 'no-store' },
      });
    },
  });
  return [list, show] as const;
}
