import { readPage } from '@holdfast/base';
import { defineRoute, ok, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { commitView } from '../git/commit-view.ts';
import { notebookHistory } from '../git/history.ts';
import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { notebookOf } from '../store/notebooks.ts';
import { commitSchema, historySchema, numberParameter } from './schemas.ts';

const commitName = z.string().regex(/^([0-9a-f]{4,64}|HEAD(~\d{1,6})?)$/iu);
const errors = [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.FILE_NOT_FOUND, codexErrors.GIT_UNAVAILABLE];

/** The past of a whole notebook. */
export function notebookHistoryRoutes(codex: Codex) {
  const history = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/history',
    permission: 'app:codex:read',
    summary: 'The commits of a notebook, the newest first',
    request: {
      params: z.object({ id: numberParameter }),
      query: z.object({ ...pageQuery, cursor: commitName.optional() }),
    },
    responses: { 200: historySchema },
    errors,
    handler: async ({ params: { id }, query: { limit, cursor } }) => {
      notebookOf(codex.store.reader, id);
      const repository = await codex.git.repository(id);
      const page = await readPage(
        limit,
        (count) => notebookHistory(repository, { limit: count, before: cursor }),
        (last) => last.sha,
      );
      return ok(page);
    },
  });
  const commit = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/commits/{sha}',
    permission: 'app:codex:read',
    summary: 'One commit with the difference of each file, up to a bound',
    request: { params: z.object({ id: numberParameter, sha: commitName }) },
    responses: { 200: commitSchema },
    errors,
    handler: async ({ params: { id, sha } }) => {
      notebookOf(codex.store.reader, id);
      return ok(await commitView(await codex.git.repository(id), sha));
    },
  });
  return [history, commit] as const;
}
