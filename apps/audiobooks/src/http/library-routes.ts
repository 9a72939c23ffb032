import { created, defineRoute, noContent, nothing, ok, page, pageOf } from '@holdfast/http';
import { z } from 'zod';

import { libraryRoot } from '../adapters/library-root.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/library.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import {
  libraryAt,
  libraryById,
  listLibraries,
  refuseOverlap,
  removeLibrary,
  renameLibrary,
} from '../service/libraries.ts';
import { countOf } from '../service/queries/book-filter.ts';
import { type Caller, callerOf, managePermission, readPermission } from './caller.ts';
import { idParameter, librarySchema, meSchema } from './schemas.ts';

const params = z.object({ id: idParameter });
const name = z.string().trim().min(1).max(200);
const notFound = [audiobookErrors.LIBRARY_NOT_FOUND];

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
    responses: { 200: pageOf(librarySchema) },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const shown = await visibleLibraries(app, caller);
      return ok(page(await Promise.all(shown.map((library) => libraryView(app, caller, library))), undefined));
    },
  });
  return [me, list, ...managing(app)] as const;
}

function managing(app: Audiobooks) {
  const add = defineRoute({
    method: 'POST',
    path: '/libraries',
    permission: managePermission,
    summary: 'Make a folder of the server a library; scan it afterwards',
    request: { body: z.strictObject({ root: z.string().startsWith('/').max(4_096), name: name.optional() }) },
    responses: { 201: librarySchema },
    errors: [...notFound, audiobookErrors.LIBRARY_OVERLAPS],
    idempotent: true,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const root = libraryRoot(input.body.root);
      await refuseOverlap(app, root, libraryRoot(app.home));
      const library = await libraryAt(app, root, input.body.name);
      return created(await libraryView(app, caller, library), `/api/audiobooks/libraries/${library.id}`);
    },
  });
  const rename = defineRoute({
    method: 'PATCH',
    path: '/libraries/{id}',
    permission: managePermission,
    summary: 'Give a library another name; its folder stays what it is',
    request: { params, body: z.strictObject({ name }) },
    responses: { 200: librarySchema },
    errors: notFound,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      await presentLibrary(app, input.params.id);
      const library = await renameLibrary(app, input.params.id, input.body.name);
      return ok(await libraryView(app, caller, library));
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/libraries/{id}',
    permission: managePermission,
    summary: 'Take a library off; no file is touched, and adding its folder again brings everything back',
    request: { params },
    responses: { 204: nothing },
    errors: notFound,
    handler: async (input) => {
      await presentLibrary(app, input.params.id);
      await removeLibrary(app, input.params.id);
      return noContent();
    },
  });
  return [add, rename, remove] as const;
}

async function visibleLibraries(audiobooks: Audiobooks, caller: Caller): Promise<readonly Library[]> {
  return (await listLibraries(audiobooks)).filter(({ id }) => caller.sees(id));
}

/** The library with this id, unless it was taken off. */
export async function presentLibrary(audiobooks: Audiobooks, id: string): Promise<Library> {
  const library = await libraryById(audiobooks, id);
  if (library.removed_at === null) return library;
  throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${id}.`);
}

async function libraryView(
  audiobooks: Audiobooks,
  caller: Caller,
  { id, name: shown, root, scanned_at }: Library,
): Promise<z.infer<typeof librarySchema>> {
  const books = (await countOf(audiobooks.store, [id])) ?? 0;
  return { id, name: shown, books, scanned_at, ...(caller.can.manage ? { root } : {}) };
}
