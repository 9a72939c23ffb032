import { defineRoute, ok, optionalMatch, page, pageOf, pageQuery, revisionTag } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { rightsOf, setRights } from '../service/rights.ts';
import { managePermission } from './caller.ts';
import { rightsSchema } from './schemas.ts';

const params = z.object({
  user_id: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.-]+$/u, 'expected the id of a user'),
});

export function rightsRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/rights',
    permission: managePermission,
    summary: 'All users with their rights; who was never given any sees every library, and may edit and download',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf(rightsSchema.extend({ username: z.string() })) },
    handler: async (input) => {
      const { items, cursor } = await app.accounts.page(input.query);
      const rows = items.map(async ({ id, username }) => {
        const { libraries, edit, download } = await rightsOf(app.store, id);
        return { user_id: id, username, libraries, edit, download };
      });
      return ok(page(await Promise.all(rows), cursor));
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/rights/{user_id}',
    permission: managePermission,
    summary: 'The rights of one user',
    request: { params },
    responses: { 200: rightsSchema },
    handler: async ({ params: { user_id: user } }) => {
      const rights = await rightsOf(app.store, user);
      return ok({ ...rights, user_id: user }, { etag: revisionTag(rights.revision) });
    },
  });
  const set = defineRoute({
    method: 'PUT',
    path: '/rights/{user_id}',
    permission: managePermission,
    summary: 'Which libraries a user sees, and whether they may edit and download',
    request: { params, body: rightsSchema.omit({ user_id: true }).strict() },
    responses: { 200: rightsSchema },
    errors: [audiobookErrors.LIBRARY_NOT_FOUND],
    handler: async ({ params: { user_id: user }, body, request }) => {
      const match = optionalMatch(request);
      const rights = await setRights(app, user, body, (revision) => match?.assert(revisionTag(revision)));
      return ok(rights, { etag: revisionTag(rights.revision) });
    },
  });
  return [list, show, set] as const;
}
