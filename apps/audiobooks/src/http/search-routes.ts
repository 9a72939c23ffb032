import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import type { Audiobooks } from '../service/audiobooks.ts';
import { browseBooks } from '../service/queries/browse-books.ts';
import { searchGroups } from '../service/queries/search-groups.ts';
import { callerOf, readPermission } from './caller.ts';
import { bookRowSchema, groupSchema } from './schemas.ts';
import { bookRows } from './views.ts';

const BOOKS = 8;
const GROUPS = 5;

export function searchRoutes(app: Audiobooks) {
  const search = defineRoute({
    method: 'GET',
    path: '/search',
    permission: readPermission,
    summary: 'A few of everything that begins like this, for looking while somebody types',
    request: { query: z.object({ q: z.string().trim().min(1).max(200) }) },
    responses: {
      200: z.object({
        books: z.array(bookRowSchema),
        authors: z.array(groupSchema),
        series: z.array(groupSchema),
        narrators: z.array(groupSchema),
      }),
    },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const { q } = input.query;
      const wish = { q, sort: 'title', reverse: false, limit: BOOKS } as const;
      const found = await browseBooks(app, await app.search(), caller, wish);
      const [authors, series, narrators] = await Promise.all([
        searchGroups(app, caller, 'author', q, GROUPS),
        searchGroups(app, caller, 'series', q, GROUPS),
        searchGroups(app, caller, 'narrator', q, GROUPS),
      ]);
      const books = await bookRows(app.store, found.items, caller.userId);
      return ok({ books, authors: [...authors], series: [...series], narrators: [...narrators] });
    },
  });
  return [search] as const;
}
