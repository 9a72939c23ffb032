import { routesFor } from '@holdfast/http';

import type { GroupKind } from '../model/choices.ts';
import * as operations from '../operations/groups.ts';
import type { Audiobooks } from '../service/audiobooks.ts';

const list = (kind: GroupKind) => ({ method: 'GET', omit: ['kind'], from: () => ({ kind }) }) as const;

export function groupRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  return [
    route(operations.listGroups, { ...list('author'), path: '/authors' }),
    route(operations.listGroups, { ...list('series'), path: '/series' }),
    route(operations.listGroups, { ...list('narrator'), path: '/narrators' }),
    route(operations.listGroups, { ...list('genre'), path: '/genres' }),
    route(operations.listGroups, { ...list('tag'), path: '/tags' }),
    route(operations.showAuthor, { method: 'GET', path: '/authors/{author}' }),
    route(operations.editAuthor, { method: 'PATCH', path: '/authors/{author}' }),
    route(operations.mergeAuthors, { method: 'POST', path: '/authors/{author}/merge', idempotent: true }),
    route(operations.showSeries, { method: 'GET', path: '/series/{series}' }),
    route(operations.mergeSeries, { method: 'POST', path: '/series/{series}/merge', idempotent: true }),
  ] as const;
}
