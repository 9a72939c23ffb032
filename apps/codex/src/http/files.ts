import { routesFor } from '@holdfast/http';

import * as operations from '../operations/files.ts';
import type { Codex } from '../service/codex.ts';
import { fileTag } from '../service/changes.ts';
import { contentLimits, createdOrQueued, doneOrQueued, fromHeaders, replyOf, waitLimits } from './writes.ts';

const queued = {
  status: [200, 202],
  choose: doneOrQueued,
  query: ['wait'],
  from: fromHeaders,
  extras: (output: Parameters<typeof replyOf>[0]) => replyOf(output),
  limits: waitLimits,
} as const;

export function fileRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(operations.listFiles, { method: 'GET', path: '/notebooks/{notebook}/files', limits: waitLimits }),
    route(operations.showFile, {
      method: 'GET',
      path: '/notebooks/{notebook}/files/{file}',
      acceptsHeaders: ['If-None-Match'],
      limits: waitLimits,
      extras: (file) => ({ etag: fileTag(file) }),
    }),
    route(operations.createFile, {
      method: 'POST',
      path: '/notebooks/{notebook}/files',
      status: [201, 202],
      choose: createdOrQueued,
      query: ['wait'],
      from: fromHeaders,
      extras: (output) => replyOf(output, true),
      acceptsHeaders: ['Prefer', 'Idempotency-Key'],
      limits: contentLimits(codex),
    }),
    route(operations.updateFile, {
      ...queued,
      method: 'PUT',
      path: '/notebooks/{notebook}/files/{file}',
      acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
      limits: contentLimits(codex),
    }),
    route(operations.setProperties, {
      ...queued,
      method: 'PATCH',
      path: '/notebooks/{notebook}/files/{file}/properties',
      omit: ['assignments'],
      acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    }),
    route(operations.moveFile, {
      ...queued,
      method: 'PATCH',
      path: '/notebooks/{notebook}/files/{file}/move',
      acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    }),
    route(operations.deleteFile, {
      ...queued,
      method: 'DELETE',
      path: '/notebooks/{notebook}/files/{file}',
      acceptsHeaders: ['If-Match', 'Prefer', 'Idempotency-Key'],
    }),
    ...folderRoutes(codex),
  ] as const;
}

function folderRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(operations.listFolders, { method: 'GET', path: '/notebooks/{notebook}/folders', limits: waitLimits }),
    route(operations.createFolder, {
      ...queued,
      method: 'POST',
      path: '/notebooks/{notebook}/folders',
      acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    }),
    route(operations.listTree, { method: 'GET', path: '/notebooks/{notebook}/tree', limits: waitLimits }),
    route(operations.runBatch, {
      method: 'POST',
      path: '/notebooks/{notebook}/batch',
      status: [200, 202],
      choose: ({ status }) => (status === 'pending' ? 202 : 200),
      query: ['wait'],
      from: fromHeaders,
      acceptsHeaders: ['Prefer', 'Idempotency-Key'],
      limits: contentLimits(codex),
    }),
    route(operations.listTrash, { method: 'GET', path: '/notebooks/{notebook}/trash' }),
    route(operations.restoreDeleted, {
      ...queued,
      method: 'POST',
      path: '/notebooks/{notebook}/trash/{event_id}/restore',
      query: ['wait', 'path'],
      acceptsHeaders: ['Prefer', 'Idempotency-Key'],
    }),
  ] as const;
}
