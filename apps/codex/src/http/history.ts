import { routesFor } from '@holdfast/http';

import { diffFile, listHistory, restoreVersion, showCommit } from '../operations/history.ts';
import type { Codex } from '../service/codex.ts';
import { doneOrQueued, fromHeaders, replyOf, waitLimits } from './writes.ts';

export function historyRoutes(codex: Codex) {
  const route = routesFor<Codex>(() => codex);
  return [
    route(listHistory, { method: 'GET', path: '/notebooks/{notebook}/history', omit: ['file'] }),
    route(listHistory, { method: 'GET', path: '/notebooks/{notebook}/files/{file}/history' }),
    route(showCommit, { method: 'GET', path: '/notebooks/{notebook}/commits/{commit}' }),
    route(diffFile, { method: 'GET', path: '/notebooks/{notebook}/files/{file}/diff' }),
    route(restoreVersion, {
      method: 'POST',
      path: '/notebooks/{notebook}/files/{file}/restore',
      status: [200, 202],
      choose: doneOrQueued,
      query: ['wait'],
      from: fromHeaders,
      extras: (output) => replyOf(output),
      acceptsHeaders: ['Prefer', 'Idempotency-Key'],
      limits: waitLimits,
    }),
  ] as const;
}
