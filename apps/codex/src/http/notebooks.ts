import { routesFor } from '@holdfast/http';

import * as operations from '../operations/notebooks.ts';
import type { Codex } from '../service/codex.ts';
import { waitLimits } from './writes.ts';

export function notebookRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(operations.listNotebooks, { method: 'GET', path: '/notebooks' }),
    route(operations.addNotebook, {
      method: 'POST',
      path: '/notebooks',
      status: 201,
      idempotent: true,
      location: ({ id }) => `/api/codex/notebooks/${id}`,
    }),
    route(operations.showNotebook, { method: 'GET', path: '/notebooks/{notebook}' }),
    route(operations.removeNotebook, { method: 'DELETE', path: '/notebooks/{notebook}', status: 204 }),
    route(operations.notebookStatus, { method: 'GET', path: '/notebooks/{notebook}/status' }),
    route(operations.pauseNotebook, { method: 'POST', path: '/notebooks/{notebook}/pause', limits: waitLimits }),
    route(operations.resumeNotebook, { method: 'POST', path: '/notebooks/{notebook}/resume' }),
    route(operations.reconcileNotebook, {
      method: 'POST',
      path: '/notebooks/{notebook}/reconcile',
      limits: waitLimits,
    }),
    route(operations.reindexNotebook, { method: 'POST', path: '/notebooks/{notebook}/reindex', limits: waitLimits }),
  ] as const;
}
