import { defineRoute, ok, page, pageOf, pageQuery, revisionTag } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { listBooks } from '../service/queries/list-books.ts';
import { searchBooks } from '../service/queries/search-books.ts';
import { showBook } from '../service/queries/show-book.ts';
import { callerOf, readPermission, visibleBook } from './caller.ts';
import { bookRowSchema, bookSchema, idParameter } from './schemas.ts';
import { bookRows, bookView } from './views.ts';

const word = z.string().trim().min(1).max(500);

const listQuery = z.object({
  ...pageQuery,
  library: idParameter.optional(),
  author: word.optional(),
  series: word.optional(),
  narrator: word.optional(),
  genre: word.optional(),
  tag: word.optional(),
  language: word.optional(),
  state: z.enum(['unstarted', 'started', 'finished', 'missing', 'deleted']).optional(),
  q: word.optional(),
  sort: z.enum(['title', 'author', 'added', 'duration', 'recent']).default('title'),
  desc: z.enum(['true', 'false']).default('false'),
});

// oxlint-disable-next-line typescript/explicit-function-return-type -- the exact type of the routes types the client
export function bookRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/books',
    permission: readPermission,
    summary: 'Books, filtered and in an order; a page may have fewer than asked for and still not be the last',
    request: { query: listQuery },
    responses: {
      200: pageOf(bookRowSchema).extend({
        total: z.int().nullable().meta({ description: 'How many there are in all, where that is known exactly' }),
      }),
    },
    errors: [audiobookErrors.AUTHOR_NOT_FOUND, audiobookErrors.SERIES_NOT_FOUND],
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const { query } = input;
      const { items, cursor } =
        query.q === undefined
          ? await listBooks(app.catalogue, {
              ...query,
              sort: query.sort === 'author' || query.sort === 'added' ? query.sort : 'title',
              missing: query.state === 'missing',
              deleted: query.state === 'deleted',
              reverse: query.desc === 'true',
            })
          : await searchBooks(app.catalogue, app.search, { query: query.q, limit: query.limit, cursor: query.cursor });
      const shown = items.filter(({ library_id: library }) => caller.sees(library));
      return ok({ ...page(await bookRows(app.catalogue.store, shown, caller.userId), cursor), total: null });
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
      const caller = await callerOf(app, input);
      const { id } = await visibleBook(app.catalogue.store, caller, input.params.id);
      const found = await showBook(app.catalogue, id);
      return ok(await bookView(app.catalogue.store, found, caller), { etag: revisionTag(found.book.revision) });
    },
  });
  return [list, show] as const;
}
