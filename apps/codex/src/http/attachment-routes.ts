import { created, defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import { settingsFrom } from '../model/settings.ts';
import { attach } from '../service/attach.ts';
import type { Codex } from '../service/codex.ts';
import { activeNotebook } from '../store/notebooks.ts';
import { collected } from './content-routes.ts';
import { attachedSchema, numberParameter } from './schemas.ts';
import { fileView } from './views.ts';
import { waitLimits } from './waiting.ts';

/** What a browser says of what is pasted or dropped. What it really is, the bytes decide. */
const TYPES = [
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'text/csv',
  'video/mp4',
  'video/quicktime',
  'video/webm',
] as const;

export function attachmentRoutes(codex: Codex) {
  const add = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/attachments',
    permission: 'app:codex:write',
    summary: 'Keep the bytes of the request beside the notes: 201 when they are new, 200 when they were there already',
    description:
      'Takes pictures, sound, video, PDF, office documents, archives and text. `markdown` is what to write into the note.',
    request: {
      params: z.object({ id: numberParameter }),
      query: z.object({
        name: z.string().min(1).max(255).meta({ description: 'What the file was called' }),
        note: z.string().min(1).optional().meta({ description: 'Path of the note that it is for' }),
      }),
      upload: {
        types: TYPES,
        limitBytes: (codex?.settings ?? settingsFrom({})).attachment_max_bytes,
      },
    },
    responses: { 200: attachedSchema, 201: attachedSchema },
    errors: [
      codexErrors.NOTEBOOK_NOT_FOUND,
      codexErrors.ATTACHMENT_TYPE,
      codexErrors.FILE_TOO_LARGE,
      codexErrors.PATH_INVALID,
      codexErrors.NOTEBOOK_AWAY,
      codexErrors.QUEUE_FULL,
    ],
    limits: waitLimits,
    handler: async ({ params: { id }, query, upload, principal }) => {
      const notebook = activeNotebook(codex.store.reader, id);
      const bytes = await collected(upload.stream);
      const { file, isNew, markdown } = await attach(codex, notebook, principal.name, { ...query, bytes });
      const body = { file: fileView(codex.store.reader, file), markdown };
      return isNew ? created(body, `/api/codex/notebooks/${id}/files/${file.id}`) : ok(body);
    },
  });
  return [add] as const;
}
