import { MINUTE } from '@holdfast/base';
import { routesFor } from '@holdfast/http';

import * as operations from '../operations/progress.ts';
import * as statistics from '../operations/statistics.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { revisionEtag, revisionFromHeader } from './request.ts';

export function progressRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  const guarded = { omit: ['if_revision'], from: revisionFromHeader } as const;
  return [
    route(operations.listProgress, { method: 'GET', path: '/progress' }),
    route(operations.showProgress, {
      method: 'GET',
      path: '/progress/{book}',
      extras: (progress) => (progress === null ? {} : revisionEtag(progress)),
    }),
    route(operations.setProgress, { method: 'PUT', path: '/progress/{book}', ...guarded, extras: revisionEtag }),
    route(operations.resetProgress, { method: 'DELETE', path: '/progress/{book}', status: 204, ...guarded }),
    route(operations.listJumps, { method: 'GET', path: '/progress/{book}/jumps' }),
    route(operations.reportPlayback, { method: 'POST', path: '/playback' }),
    route(operations.listBookmarks, { method: 'GET', path: '/books/{book}/bookmarks' }),
    route(operations.addBookmark, {
      method: 'POST',
      path: '/books/{book}/bookmarks',
      status: 201,
      location: ({ id }) => `/api/audiobooks/bookmarks/${id}`,
      idempotent: true,
    }),
    route(operations.editBookmark, { method: 'PATCH', path: '/bookmarks/{bookmark}' }),
    route(operations.removeBookmark, { method: 'DELETE', path: '/bookmarks/{bookmark}', status: 204 }),
    route(operations.showPreferences, { method: 'GET', path: '/preferences' }),
    route(operations.setPreferences, { method: 'PUT', path: '/preferences' }),
  ] as const;
}

export function statisticsRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  const slow = { limits: { timeoutMs: 5 * MINUTE } } as const;
  return [
    route(statistics.showStatistics, { method: 'GET', path: '/stats' }),
    route(statistics.showYear, { method: 'GET', path: '/stats/year/{year}' }),
    route(statistics.listListeners, { method: 'GET', path: '/stats/users' }),
    route(statistics.rebuildStatistics, { method: 'POST', path: '/stats/rebuild', ...slow }),
    route(statistics.pruneEvents, { method: 'POST', path: '/playback/prune', ...slow }),
  ] as const;
}
