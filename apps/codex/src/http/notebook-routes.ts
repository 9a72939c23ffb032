import { MINUTE } from '@holdfast/base';
import { created, defineRoute, noContent, nothing, ok } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { addNotebook, removeNotebook } from '../service/notebooks.ts';
import { countPending } from '../store/events.ts';
import { activeNotebook, notebookOf } from '../store/notebooks.ts';
import {
  newNotebookSchema,
  notebookSchema,
  numberParameter,
  reconcileSchema,
  reindexSchema,
  statusSchema,
} from './schemas.ts';
import { notebookView } from './views.ts';
import { waitLimits } from './waiting.ts';

const RECONCILE_WAIT_MS: number = 5 * MINUTE;

const params = z.object({ id: numberParameter });
const errors = [codexErrors.NOTEBOOK_NOT_FOUND];

export function notebookRoutes(codex: Codex) {
  const list = defineRoute({
    method: 'GET',
    path: '/notebooks',
    permission: 'app:codex:read',
    summary: 'All notebooks',
    responses: { 200: z.object({ data: z.array(notebookSchema) }) },
    handler: () => ok({ data: codex.notebooks().map((notebook) => notebookView(notebook)) }),
  });
  const add = defineRoute({
    method: 'POST',
    path: '/notebooks',
    permission: 'app:codex:write',
    summary: 'Make a folder a notebook; the folder and its repository are made when they are missing',
    request: { body: newNotebookSchema },
    responses: { 201: notebookSchema },
    idempotent: true,
    errors: [codexErrors.NOTEBOOK_EXISTS, codexErrors.NOTEBOOK_FOLDER, codexErrors.PATH_INVALID],
    handler: async ({ body, principal }) => {
      const notebook = await addNotebook(codex, body, { permissions: [...principal.permissions] });
      await codex.git.repository(notebook.id);
      return created(notebookView(notebook), `/api/codex/notebooks/${notebook.id}`);
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}',
    permission: 'app:codex:read',
    summary: 'One notebook',
    request: { params },
    responses: { 200: notebookSchema },
    errors,
    handler: ({ params: { id } }) => ok(notebookView(notebookOf(codex.store.reader, id))),
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/notebooks/{id}',
    permission: 'app:codex:write',
    summary: 'Forget a notebook; its files and their history stay where they are',
    request: { params },
    responses: { 204: nothing },
    errors,
    handler: async ({ params: { id } }) => {
      await removeNotebook(codex, notebookOf(codex.store.reader, id), codex);
      return noContent();
    },
  });
  return [list, add, show, remove, statusRoute(codex), reconcileRoute(codex), reindexRoute(codex)] as const;
}

function reconcileRoute(codex: Codex) {
  return defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/reconcile',
    permission: 'app:codex:write',
    summary: 'Compare the folder with the index now, and answer when every difference was looked at',
    request: { params },
    responses: { 200: reconcileSchema },
    errors: [...errors, codexErrors.NOTEBOOK_AWAY, codexErrors.NOTEBOOK_FOLDER],
    limits: waitLimits,
    handler: async ({ params: { id } }) => {
      const notebook = activeNotebook(codex.store.reader, id);
      const { seen, queued, skipped } = await codex.reconcile(notebook, RECONCILE_WAIT_MS);
      return ok({ seen, queued, skipped: skipped.map(({ path, reason }) => ({ path, reason })) });
    },
  });
}

function reindexRoute(codex: Codex) {
  return defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/reindex',
    permission: 'app:codex:write',
    summary: 'Make search, tags, properties and links again from the files, and answer when it is done',
    request: { params },
    responses: { 200: reindexSchema },
    errors,
    limits: waitLimits,
    handler: async ({ params: { id } }) => {
      const { files, indexed } = await codex.notes.rebuild(activeNotebook(codex.store.reader, id));
      return ok({ files, indexed });
    },
  });
}

function statusRoute(codex: Codex) {
  return defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/status',
    permission: 'app:codex:read',
    summary: 'Whether everything is saved, committed and watched, and what is in the way if not',
    request: { params },
    responses: { 200: statusSchema },
    errors: [...errors, codexErrors.GIT_UNAVAILABLE],
    handler: async ({ params: { id } }) => {
      notebookOf(codex.store.reader, id);
      const [git, watcher] = await Promise.all([codex.git.status(id), codex.watchers.status(id)]);
      return ok({
        pending: countPending(codex.store.reader, id),
        problem: codex.problems.get(id) ?? null,
        git: {
          pending: git.pending,
          problem: git.problem,
          held: [...git.held],
          index_locked: git.index_lock !== null,
          last_commit: git.last_commit,
        },
        watcher: watcher ?? null,
      });
    },
  });
}
