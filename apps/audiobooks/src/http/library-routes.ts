import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import type { Library } from '../model/library.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { listLibraries } from '../service/libraries.ts';
import { bookCounts, NONE } from '../store/definitions.ts';
import { type Caller, callerOf, readPermission } from './caller.ts';
import { librarySchema, meSchema } from './schemas.ts';

// oxlint-disable-next-line typescript/explicit-function-return-type -- the exact type of the routes types the client
export function libraryRoutes(app: Audiobooks) {
  const me = defineRoute({
    method: 'GET',
    path: '/me',
    permission: readPermission,
    summary: 'What the caller may do, and which libraries there are for them',
    responses: { 200: meSchema },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      return ok({ can: caller.can, libraries: (await visibleLibraries(app, caller)).map(({ id }) => id) });
    },
  });
  const list = defineRoute({
    method: 'GET',
    path: '/libraries',
    permission: readPermission,
    summary: 'The libraries that the caller may see',
    responses: { 200: z.object({ data: z.array(librarySchema) }) },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const shown = await visibleLibraries(app, caller);
      return ok({ data: await Promise.all(shown.map((library) => libraryView(app, caller, library))) });
    },
  });
  return [me, list] as const;
}

async function visibleLibraries({ catalogue }: Audiobooks, caller: Caller): Promise<readonly Library[]> {
  return (await listLibraries(catalogue)).filter(({ id }) => caller.sees(id));
}

async function libraryView(
  { catalogue }: Audiobooks,
  caller: Caller,
  { id, name, root, scanned_at }: Library,
): Promise<z.infer<typeof librarySchema>> {
  const books = await catalogue.store.get(bookCounts, { kind: 'all', value: NONE });
  return { id, name, books, scanned_at, ...(caller.can.manage ? { root } : {}) };
}
