import { type Accounts, auditTypes } from '@holdfast/accounts';
import { created, defineRoute, noContent, nothing, ok, page, pageOf, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { AuditEntry, roleName, User } from './schemas.ts';

/** What administrators do with the accounts of others. */
export function userRoutes(accounts: Accounts) {
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      permission: 'users:read',
      summary: 'All users',
      request: { query: z.object(pageQuery) },
      responses: { 200: pageOf(User) },
      handler: async ({ query }) => {
        const found = await accounts.listUsers(query);
        return ok(page(found.items, found.cursor));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/',
      permission: 'users:admin',
      summary: 'Makes a user',
      request: {
        body: z.object({
          username: z.string().max(200),
          email: z.string().max(320).nullable().optional(),
          password: z.string().max(1_024),
          roles: z.array(roleName).min(1),
        }),
      },
      responses: { 201: User },
      handler: async ({ body, principal }) => {
        const user = await accounts.createUser({ ...body, actor: principal.userId });
        return created(user, `/api/users/${user.id}`);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/{id}',
      permission: 'users:admin',
      summary: 'Changes roles, status or password of a user',
      request: {
        body: z.object({
          roles: z.array(roleName).min(1).optional(),
          status: z.enum(['active', 'disabled']).optional(),
          password: z.string().max(1_024).optional(),
        }),
      },
      responses: { 200: User },
      handler: async ({ params, body, principal }) => {
        const who = { userId: params.id, actor: principal.userId };
        if (body.password !== undefined) await accounts.setPassword({ ...who, password: body.password });
        if (body.status !== undefined) await accounts.setStatus({ ...who, status: body.status });
        if (body.roles !== undefined) await accounts.setRoles({ ...who, roles: body.roles });
        return ok(await accounts.updateUser(who));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/{id}',
      permission: 'users:admin',
      summary: 'Removes a user with everything that belongs to them here',
      responses: { 204: nothing },
      handler: async ({ params, principal }) => {
        await accounts.deleteUser({ userId: params.id, actor: principal.userId });
        return noContent();
      },
    }),
    auditRoute(accounts),
  ] as const;
}

function auditRoute(accounts: Accounts) {
  return defineRoute({
    method: 'GET',
    path: '/audit',
    permission: 'users:read',
    summary: 'Sign-ins and changes to accounts, newest first',
    request: {
      query: z.object({
        ...pageQuery,
        user: z.string().max(320).optional(),
        type: z.enum(auditTypes).optional(),
        since: z.iso.datetime().optional(),
      }),
    },
    responses: { 200: pageOf(AuditEntry) },
    handler: async ({ query }) => {
      const found = await accounts.listAudit(query);
      return ok(page(found.items, found.cursor));
    },
  });
}
