import { routesFor } from '@holdfast/http';

import * as operations from '../operations/notes.ts';
import type { Codex } from '../service/codex.ts';
import { fileTag } from '../service/changes.ts';
import { fileUrl, waitLimits } from './writes.ts';

export function noteRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(operations.listTemplates, { method: 'GET', path: '/notebooks/{notebook}/templates' }),
    route(operations.createNote, {
      method: 'POST',
      path: '/notebooks/{notebook}/notes',
      status: 201,
      idempotent: true,
      limits: waitLimits,
      location: fileUrl,
      extras: (file) => ({ etag: fileTag(file) }),
    }),
    route(operations.dailyNote, {
      method: 'POST',
      path: '/notebooks/{notebook}/daily',
      status: [200, 201],
      choose: ({ is_new }) => (is_new ? 201 : 200),
      limits: waitLimits,
      extras: (file) => ({ etag: fileTag(file), ...(file.is_new ? { headers: { location: fileUrl(file) } } : {}) }),
    }),
    route(operations.listLinks, {
      method: 'GET',
      path: '/notebooks/{notebook}/files/{file}/links',
      limits: waitLimits,
    }),
    route(operations.linkGraph, { method: 'GET', path: '/notebooks/{notebook}/link-graph' }),
    route(operations.listUnresolved, { method: 'GET', path: '/notebooks/{notebook}/unresolved' }),
    route(operations.resolveLink, { method: 'GET', path: '/notebooks/{notebook}/resolve-link' }),
    route(operations.suggestLinks, { method: 'GET', path: '/notebooks/{notebook}/link-names' }),
    route(operations.search, { method: 'GET', path: '/search', limits: waitLimits }),
    route(operations.search, {
      method: 'GET',
      path: '/notebooks/{notebook}/search',
      limits: waitLimits,
      operationId: 'codexSearchNotebook',
    }),
    route(operations.listTags, { method: 'GET', path: '/notebooks/{notebook}/tags' }),
    route(operations.listProperties, { method: 'GET', path: '/notebooks/{notebook}/properties' }),
  ] as const;
}
