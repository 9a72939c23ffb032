import { routesFor } from '@holdfast/http';

import * as clients from '../operations/clients.ts';
import * as libraries from '../operations/libraries.ts';
import * as rights from '../operations/rights.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { revisionEtag, revisionFromHeader } from './request.ts';

export function libraryRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  return [
    route(libraries.listLibraries, { method: 'GET', path: '/libraries' }),
    route(libraries.addLibrary, {
      method: 'POST',
      path: '/libraries',
      status: 201,
      location: ({ id }) => `/api/audiobooks/libraries/${id}`,
      idempotent: true,
    }),
    route(libraries.renameLibrary, { method: 'PATCH', path: '/libraries/{library}' }),
    route(libraries.removeLibrary, { method: 'DELETE', path: '/libraries/{library}', status: 204 }),
    route(clients.showClients, { method: 'GET', path: '/clients' }),
    route(clients.enableClients, { method: 'PUT', path: '/clients' }),
    route(clients.disableClients, { method: 'DELETE', path: '/clients' }),
    route(rights.showAccess, { method: 'GET', path: '/me' }),
    route(rights.listRights, { method: 'GET', path: '/rights' }),
    route(rights.showRights, { method: 'GET', path: '/rights/{user_id}', extras: revisionEtag }),
    route(rights.setRights, {
      method: 'PUT',
      path: '/rights/{user_id}',
      omit: ['if_revision'],
      from: revisionFromHeader,
      extras: revisionEtag,
    }),
  ] as const;
}
