import { defineRoute, ok, page, pageOf, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import { OPERATION_TYPES } from '../model/operation.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { cancelOperation } from '../service/operations/cancel-operation.ts';
import { undoOperation } from '../service/undo-operation.ts';
import { pageOfOperations, readLog, readOperation } from '../store/operations.ts';
import { managePermission } from './caller.ts';
import { operationView } from './operation-view.ts';
import { idParameter, logLineSchema, operationSchema } from './schemas.ts';
import { begun } from './starting.ts';

const params = z.object({ id: idParameter });
const notFound = [audiobookErrors.OPERATION_NOT_FOUND];

export function operationRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/operations',
    permission: managePermission,
    summary: 'What was done with libraries and files, the latest first',
    request: { query: z.object({ ...pageQuery, type: z.enum(OPERATION_TYPES).optional() }) },
    responses: { 200: pageOf(operationSchema) },
    handler: async ({ query }) => {
      const { items, cursor } = await pageOfOperations(app.store, query.type, query);
      return ok(page(items.map(operationView), cursor));
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/operations/{id}',
    permission: managePermission,
    summary: 'One operation',
    request: { params },
    responses: { 200: operationSchema },
    errors: notFound,
    handler: async (input) => ok(operationView(await readOperation(app.store, input.params.id))),
  });
  const log = defineRoute({
    method: 'GET',
    path: '/operations/{id}/log',
    permission: managePermission,
    summary: 'What an operation had to say, in order; next_cursor is what goes into after',
    request: {
      params,
      query: z.object({ limit: pageQuery.limit, after: z.coerce.number().int().nonnegative().default(0) }),
    },
    responses: { 200: pageOf(logLineSchema) },
    errors: notFound,
    handler: async ({ params: { id }, query }) => {
      await readOperation(app.store, id);
      const lines = await readLog(app.store, id, query.after, query.limit);
      return ok(page(lines, lines.length < query.limit ? undefined : String(lines.at(-1)?.seq)));
    },
  });
  return [list, show, log, ...endingRoutes(app)] as const;
}

function endingRoutes(app: Audiobooks) {
  const cancel = defineRoute({
    method: 'POST',
    path: '/operations/{id}/cancel',
    permission: managePermission,
    summary: 'Ask an operation to stop; what it has begun is taken back',
    request: { params },
    responses: { 200: operationSchema },
    errors: [...notFound, audiobookErrors.OPERATION_FINISHED],
    handler: async (input) => ok(operationView(await cancelOperation(app, input.params.id))),
  });
  const undo = defineRoute({
    method: 'POST',
    path: '/operations/{id}/undo',
    permission: managePermission,
    summary: 'Take back what an operation did, as an operation of its own',
    request: { params },
    responses: { 202: operationSchema },
    errors: [
      ...notFound,
      audiobookErrors.NOT_UNDOABLE,
      audiobookErrors.UNDO_CONFLICT,
      audiobookErrors.OPERATION_RUNNING,
    ],
    idempotent: true,
    handler: async (input) =>
      begun(app, input, (asking) => undoOperation(app, { ...asking, operation: input.params.id })),
  });
  return [cancel, undo] as const;
}
