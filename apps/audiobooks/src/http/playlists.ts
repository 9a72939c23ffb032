import { routesFor } from '@holdfast/http';

import * as operations from '../operations/playlists.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { revisionEtag, revisionFromHeader } from './request.ts';

const address = (id: string): string => `/api/audiobooks/playlists/${id}`;

export function playlistRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  const guarded = { omit: ['if_revision'], from: revisionFromHeader } as const;
  return [
    route(operations.listPlaylists, { method: 'GET', path: '/playlists' }),
    route(operations.createPlaylist, {
      method: 'POST',
      path: '/playlists',
      status: 201,
      location: ({ id }) => address(id),
      extras: revisionEtag,
      idempotent: true,
    }),
    route(operations.previewQuery, { method: 'POST', path: '/playlists/preview' }),
    route(operations.showPlaylist, { method: 'GET', path: '/playlists/{playlist}', extras: revisionEtag }),
    route(operations.editPlaylist, {
      method: 'PATCH',
      path: '/playlists/{playlist}',
      ...guarded,
      extras: revisionEtag,
    }),
    route(operations.deletePlaylist, { method: 'DELETE', path: '/playlists/{playlist}', status: 204, ...guarded }),
    route(operations.addItems, {
      method: 'POST',
      path: '/playlists/{playlist}/items',
      status: 201,
      location: ({ id }) => address(id),
      ...guarded,
      extras: revisionEtag,
      idempotent: true,
    }),
    route(operations.moveItem, {
      method: 'PUT',
      path: '/playlists/{playlist}/items/{book}',
      ...guarded,
      extras: revisionEtag,
    }),
    route(operations.removeItems, {
      method: 'DELETE',
      path: '/playlists/{playlist}/items',
      ...guarded,
      extras: revisionEtag,
    }),
  ] as const;
}
