import { created, defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { createNote, dailyNote } from '../service/new-note.ts';
import { listTemplates } from '../service/templates.ts';
import { activeNotebook, notebookOf } from '../store/notebooks.ts';
import { dailySchema, fileSchema, newNoteSchema, numberParameter, templatesSchema } from './schemas.ts';
import { fileTag, fileView } from './views.ts';
import { waitLimits } from './waiting.ts';

const params = z.object({ id: numberParameter });
const errors = [
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.PATH_INVALID,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.QUEUE_FULL,
  codexErrors.FILE_EXISTS,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.WAIT_TIMEOUT,
];

/** Notes that begin as something: from a template, or as the note of a day. */
export function noteRoutes(codex: Codex) {
  const templates = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/templates',
    permission: 'app:codex:read',
    summary: 'The texts that notes can begin as, by path',
    request: { params },
    responses: { 200: templatesSchema },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND],
    handler: ({ params: { id } }) => {
      notebookOf(codex.store.reader, id);
      return ok({ data: listTemplates(codex, id) });
    },
  });
  const note = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/notes',
    permission: 'app:codex:write',
    summary: 'Make a note, from a template if one is named; answers when it is there',
    description: 'Without a path, its name is made from its title, with a number behind it when that is taken.',
    request: { params, body: newNoteSchema },
    responses: { 201: fileSchema },
    idempotent: true,
    errors,
    limits: waitLimits,
    handler: async ({ params: { id }, body, principal }) => {
      const notebook = activeNotebook(codex.store.reader, id);
      const row = await createNote(codex, notebook, principal.name, body);
      return created(fileView(codex.store.reader, row), `/api/codex/notebooks/${id}/files/${row.id}`, {
        etag: fileTag(row),
      });
    },
  });
  const daily = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/daily',
    permission: 'app:codex:write',
    summary: 'The note of a day: 200 when there is one, 201 when it was made',
    request: { params, body: dailySchema },
    responses: { 200: fileSchema, 201: fileSchema },
    errors,
    limits: waitLimits,
    handler: async ({ params: { id }, body, principal }) => {
      const notebook = activeNotebook(codex.store.reader, id);
      const { file, isNew } = await dailyNote(codex, notebook, principal.name, body.date);
      const tag = { etag: fileTag(file) };
      return isNew
        ? created(fileView(codex.store.reader, file), `/api/codex/notebooks/${id}/files/${file.id}`, tag)
        : ok(fileView(codex.store.reader, file), tag);
    },
  });
  return [templates, note, daily] as const;
}
