import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import type { Audiobooks } from '../service/audiobooks.ts';
import { shelvesOf } from '../service/shelves.ts';
import { readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { bookRowSchema } from './schemas.ts';
import { bookRows } from './views.ts';

const rows = z.array(bookRowSchema);

export function shelfRoutes(app: Audiobooks) {
  const shelves = defineRoute({
    method: 'GET',
    path: '/shelves',
    permission: readPermission,
    summary: 'What to listen to now: begun books, the next of series, new ones, and what was finished',
    responses: {
      200: z.object({ continue: rows, next_in_series: rows, recently_added: rows, finished: rows }),
    },
    handler: async (input) => {
      const listener = await listenerOf(app, input);
      const found = await shelvesOf(app, listener);
      const shown = (books: Parameters<typeof bookRows>[1]) => bookRows(app.store, books, listener.userId);
      return ok({
        continue: await shown(found.continue),
        next_in_series: await shown(found.next_in_series),
        recently_added: await shown(found.recently_added),
        finished: await shown(found.finished),
      });
    },
  });
  return [shelves] as const;
}
