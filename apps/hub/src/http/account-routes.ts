import type { Accounts } from '@holdfast/accounts';
import {
  addUser,
  createToken,
  editUser,
  listAudit,
  listSessions,
  listTokens,
  listUsers,
  removeUser,
  revokeOtherSessions,
  revokeSession,
  revokeToken,
} from '@holdfast/accounts/operations';
import { type BoundRequest, routesFor } from '@holdfast/http';

import { accountOf } from './identity.ts';

const ownId = ({ principal }: BoundRequest): { readonly current: string | undefined } => {
  const via = principal === undefined ? undefined : accountOf(principal).via;
  return { current: via?.kind === 'session' ? via.session.id : undefined };
};

/** Routes for the caller's sessions and tokens. */
export function ownAccountRoutes(accounts: Accounts) {
  const route = routesFor<Accounts>(() => accounts);
  return [
    route(listSessions, { method: 'GET', path: '/sessions', omit: ['user', 'current'], from: ownId }),
    route(revokeOtherSessions, {
      method: 'POST',
      path: '/sessions/revoke-others',
      omit: ['user', 'current'],
      from: ownId,
    }),
    route(revokeSession, { method: 'DELETE', path: '/sessions/{id}', omit: ['user'], status: 204 }),
    route(listTokens, { method: 'GET', path: '/tokens', omit: ['user'] }),
    route(createToken, {
      method: 'POST',
      path: '/tokens',
      omit: ['user'],
      status: 201,
      location: ({ id }) => `/api/account/tokens/${id}`,
    }),
    route(revokeToken, { method: 'DELETE', path: '/tokens/{id}', omit: ['user'], status: 204 }),
  ] as const;
}

/** Routes for other users' accounts, for administrators. */
export function userRoutes(accounts: Accounts) {
  const route = routesFor<Accounts>(() => accounts);
  return [
    route(listUsers, { method: 'GET', path: '/' }),
    route(addUser, { method: 'POST', path: '/', status: 201, location: ({ id }) => `/api/users/${id}` }),
    route(listAudit, { method: 'GET', path: '/audit' }),
    route(editUser, { method: 'PATCH', path: '/{user}' }),
    route(removeUser, { method: 'DELETE', path: '/{user}', status: 204 }),
  ] as const;
}
