import { accepted, defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import { notebookPath, type NotebookPath } from '../model/path.ts';
import type { Codex } from '../service/codex.ts';
import type { FileReference } from '../service/requests.ts';
import { knownPath } from '../service/paths.ts';
import type { Request } from '../service/requests.ts';
import { eventsOfBatch } from '../store/events.ts';
import { notebookOf } from '../store/notebooks.ts';
import type { Tx } from '../store/open.ts';
import { listTrash } from '../store/trash.ts';
import { batchView } from './batch-view.ts';
import { jsonBytesMax } from './limits.ts';
import { bytesOf, metadataOf, publishAll, publishOne } from './publishing.ts';
import { queueErrors } from './route-errors.ts';
import {
  type BatchRequest,
  batchRequestSchema,
  batchSchema,
  numberParameter,
  queuedSchema,
  trashSchema,
  waitQuery,
} from './schemas.ts';
import { acceptedEvent, finished, queued, waitLimits, waitWanted } from './waiting.ts';

const TRASH_SHOWN_MAX = 1_000;
const params = z.object({ id: numberParameter });
const query = z.object(waitQuery);
export function batchRoutes(codex: Codex) {
  const batch = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/batch',
    permission: 'app:codex:write',
    summary: 'Queue several operations, all or none; they are done in order, and end with the first that fails',
    request: { params, query, body: batchRequestSchema },
    responses: { 200: batchSchema, 202: batchSchema },
    errors: [...queueErrors, codexErrors.BATCH_TOO_LARGE],
    acceptsHeaders: ['Idempotency-Key'],
    limits: { ...waitLimits, bodyBytes: jsonBytesMax(codex) },
    handler: async (input) => {
      const place = { tx: codex.store.reader, notebookId: input.params.id };
      const requests = (): Request[] => input.body.operations.map((operation) => requestOf(operation, place));
      const { events } = await publishAll(codex, input, input.params.id, requests, { isBatch: true });
      const [last] = events.slice(-1);
      const correlationId = last?.correlation_id ?? '';
      const wait = waitWanted(input);
      if (last === undefined || wait === undefined) return accepted(batchView(correlationId, events));
      await codex.wait(last.id, wait, input.signal);
      return ok(batchView(correlationId, eventsOfBatch(codex.store.reader, correlationId)));
    },
  });
  const trash = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/trash',
    permission: 'app:codex:read',
    summary: 'What was deleted and can be brought back, the newest first',
    request: { params },
    responses: { 200: z.object({ data: z.array(trashSchema) }) },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND],
    handler: ({ params: { id } }) => {
      const { reader } = codex.store;
      notebookOf(reader, id);
      return ok({ data: listTrash(reader, id, TRASH_SHOWN_MAX).map(({ notebook_id: _own, ...rest }) => rest) });
    },
  });
  const undo = defineRoute({
    method: 'POST',
    path: '/notebooks/{id}/trash/{event_id}/restore',
    permission: 'app:codex:write',
    summary: 'Bring back what a delete put into the trash',
    request: {
      params: z.object({ id: numberParameter, event_id: numberParameter }),
      query: query.extend({
        path: z.string().min(1).optional().meta({ description: 'Where to; where it was if left out' }),
      }),
    },
    responses: { 200: queuedSchema, 202: queuedSchema },
    errors: [...queueErrors, codexErrors.FILE_EXISTS],
    acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    limits: waitLimits,
    handler: async (input) => {
      const { id, event_id } = input.params;
      const path = input.query.path === undefined ? undefined : notebookPath(input.query.path);
      const event = await publishOne(codex, input, id, () => ({ type: 'undo_delete', event_id, path }));
      const done = await finished(codex, input, event);
      return done === undefined ? acceptedEvent(event, queued(event)) : ok(queued(done));
    },
  });
  return [batch, trash, undo] as const;
}

interface Place {
  readonly tx: Tx;
  readonly notebookId: number;
}

function requestOf(operation: BatchRequest, place: Place): Request {
  const known = (path: string): NotebookPath => knownPath(place.tx, place.notebookId, path);

  switch (operation.type) {
    case 'create': {
      const { path, content, encoding } = operation;
      const bytes = bytesOf(content, encoding);
      return { type: 'create', path: notebookPath(path), content: bytes, metadata: metadataOf(operation) };
    }
    case 'update': {
      const { content, encoding, base_hash } = operation;
      const bytes = content === undefined ? undefined : bytesOf(content, encoding);
      return {
        type: 'update',
        file: fileIn(operation, known),
        content: bytes,
        metadata: metadataOf(operation),
        base_hash,
      };
    }
    case 'move':
      return {
        type: 'move',
        file: fileIn(operation, known),
        dest_path: notebookPath(operation.dest_path),
        links: operation.links,
      };
    case 'move_folder': {
      const { path, dest_path, links } = operation;
      return { type: 'move_folder', path: known(path), dest_path: notebookPath(dest_path), links };
    }
    case 'delete':
      return { type: 'delete', file: fileIn(operation, known) };
    case 'delete_folder':
      return { type: 'delete_folder', path: known(operation.path) };
    case 'create_folder':
    default:
      return { type: 'create_folder', path: notebookPath(operation.path) };
  }
}

function fileIn(
  { file_id, path = '' }: { readonly file_id?: string | undefined; readonly path?: string | undefined },
  known: (path: string) => NotebookPath,
): FileReference {
  return file_id === undefined ? { path: known(path) } : { id: file_id };
}
