import { defineRoute, ok, page, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { linkNames } from '../service/links/link-names.ts';
import { linksOf } from '../service/links/links-of.ts';
import { unresolvedLinks } from '../service/links/unresolved.ts';
import { fileOf } from '../service/read-files.ts';
import { notebookOf } from '../store/notebooks.ts';
import { afterErrors } from './route-errors.ts';
import { afterQuery, linkNamesSchema, linksSchema, numberParameter, unresolvedPage } from './schemas.ts';
import { afterEvent, waitLimits } from './waiting.ts';

const read = 'app:codex:read';
const params = z.object({ id: numberParameter });

/** How the files of a notebook refer to each other. */
export function linkRoutes(codex: Codex) {
  const links = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/files/{file_id}/links',
    permission: read,
    summary: 'Where a file leads, and what leads to it',
    request: { params: params.extend({ file_id: z.string() }), query: z.object(afterQuery) },
    responses: { 200: linksSchema },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.FILE_NOT_FOUND, ...afterErrors],
    limits: waitLimits,
    handler: async ({ params: { id, file_id }, query, signal }) => {
      await afterEvent(codex, query.after_event, signal);
      const { reader } = codex.store;
      return ok(await linksOf(codex, notebookOf(reader, id), fileOf(reader, id, file_id)));
    },
  });
  const unresolved = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/unresolved',
    permission: read,
    summary: 'Links that lead nowhere, by what they name; a page may be short although there are more',
    request: { params, query: z.object(pageQuery) },
    responses: { 200: unresolvedPage },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND],
    handler: async ({ params: { id }, query: { cursor, limit } }) => {
      notebookOf(codex.store.reader, id);
      const { links: found, next } = await unresolvedLinks(codex, id, cursor ?? '', limit);
      return ok(page(found, next));
    },
  });
  const names = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/link-names',
    permission: read,
    summary: 'Up to 20 files that a link may be about to name; those changed last when nothing is typed yet',
    request: { params, query: z.object({ q: z.string().max(200).default('') }) },
    responses: { 200: linkNamesSchema },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND],
    handler: ({ params: { id }, query: { q } }) => {
      notebookOf(codex.store.reader, id);
      return ok({ data: linkNames(codex, id, q) });
    },
  });
  return [links, unresolved, names] as const;
}
