import { MINUTE } from '@holdfast/base';
import { routesFor } from '@holdfast/http';

import * as operations from '../operations/chapters.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { requiredRevision, revisionEtag } from './request.ts';

export function chapterRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  return [
    route(operations.setChapters, {
      method: 'PUT',
      path: '/books/{book}/chapters',
      omit: ['if_revision'],
      from: requiredRevision,
      extras: revisionEtag,
    }),
    route(operations.listSilences, {
      method: 'GET',
      path: '/books/{book}/silences',
      limits: { timeoutMs: 10 * MINUTE },
    }),
    route(operations.readCueSheet, { method: 'POST', path: '/books/{book}/cue', status: 200 }),
  ] as const;
}
