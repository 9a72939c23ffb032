import { routesFor } from '@holdfast/http';

import * as operations from '../operations/remotes.ts';
import type { Codex } from '../service/codex.ts';
import { waitLimits } from './writes.ts';

export function remoteRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(operations.listRemotes, { method: 'GET', path: '/notebooks/{notebook}/remotes' }),
    route(operations.addRemote, {
      method: 'POST',
      path: '/notebooks/{notebook}/remotes',
      status: 201,
      idempotent: true,
    }),
    route(operations.removeRemote, { method: 'DELETE', path: '/notebooks/{notebook}/remotes/{remote}', status: 204 }),
    route(operations.syncNotebook, { method: 'POST', path: '/notebooks/{notebook}/sync', limits: waitLimits }),
    route(operations.listConflicts, { method: 'GET', path: '/notebooks/{notebook}/conflicts' }),
    route(operations.resolveConflict, {
      method: 'POST',
      path: '/notebooks/{notebook}/conflicts/resolve',
      limits: waitLimits,
    }),
  ] as const;
}
