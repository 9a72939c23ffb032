import { routesFor } from '@holdfast/http';

import {
  addNotebook,
  listNotebooks,
  notebookStatus,
  reconcileNotebook,
  reindexNotebook,
  removeNotebook,
  showNotebook,
} from '../operations/notebooks.ts';
import type { Codex } from '../service/codex.ts';
import { waitLimits } from './writes.ts';

export function notebookRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(listNotebooks, { method: 'GET', path: '/notebooks' }),
    route(addNotebook, {
      method: 'POST',
      path: '/notebooks',
      status: 201,
      idempotent: true,
      location: ({ id }) => `/api/codex/notebooks/${id}`,
    }),
    route(showNotebook, { method: 'GET', path: '/notebooks/{notebook}' }),
    route(removeNotebook, { method: 'DELETE', path: '/notebooks/{notebook}', status: 204 }),
    route(notebookStatus, { method: 'GET', path: '/notebooks/{notebook}/status' }),
    route(reconcileNotebook, { method: 'POST', path: '/notebooks/{notebook}/reconcile', limits: waitLimits }),
    route(reindexNotebook, { method: 'POST', path: '/notebooks/{notebook}/reindex', limits: waitLimits }),
  ] as const;
}
