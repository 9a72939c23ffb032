import type { Accounts } from '@holdfast/accounts';
import { created, defineRoute, noContent, nothing, ok } from '@holdfast/http';
import { z } from 'zod';

import { sourceOf } from './auth-routes.ts';
import { accountOf, type Cookies } from './identity.ts';
import { Session, Token, User } from './schemas.ts';

const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** What people do with their own account. */
export function accountRoutes(accounts: Accounts, cookiesFor: (isSecure: boolean) => Cookies) {
  return [
    defineRoute({
      method: 'GET',
      path: '/me',
      permission: 'account:read',
      summary: 'Who I am and what I may do',
      responses: { 200: z.object({ user: User, permissions: z.array(z.string()), via: z.enum(['session', 'token']) }) },
      handler: ({ principal }) =>
        ok({
          user: accountOf(principal).user,
          permissions: [...principal.permissions],
          via: principal.kind,
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/password',
      permission: 'account:admin',
      summary: 'Changes my password; all my other sessions end',
      request: { body: z.object({ current: z.string().max(1_024), next: z.string().max(1_024) }) },
      responses: { 204: nothing },
      handler: async (input) => {
        const { session } = cookiesFor(input.isSecure);
        const { token } = await accounts.changePassword({
          userId: input.principal.userId,
          currentPassword: input.body.current,
          newPassword: input.body.next,
          sessionToken: session.read(input.request),
          source: sourceOf(input),
        });
        return noContent(token === undefined ? {} : { cookies: [session.set(token, SESSION_SECONDS)] });
      },
    }),
    ...sessionRoutes(accounts),
    ...tokenRoutes(accounts),
  ] as const;
}

function sessionRoutes(accounts: Accounts) {
  return [
    defineRoute({
      method: 'GET',
      path: '/sessions',
      permission: 'account:read',
      summary: 'Where I am signed in',
      responses: { 200: z.object({ data: z.array(Session) }) },
      handler: async ({ principal }) => {
        const { via } = accountOf(principal);
        const current = via.kind === 'session' ? via.session.id : undefined;
        const sessions = await accounts.listSessions(principal.userId);
        return ok({ data: sessions.map((session) => ({ ...session, is_current: session.id === current })) });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/sessions/end-others',
      permission: 'account:admin',
      summary: 'Signs me out everywhere else',
      responses: { 200: z.object({ ended: z.number().int() }) },
      handler: async ({ principal }) => {
        const { via } = accountOf(principal);
        const exceptSessionId = via.kind === 'session' ? via.session.id : undefined;
        const { userId } = principal;
        return ok({ ended: await accounts.revokeSessions({ userId, exceptSessionId, actor: userId }) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/sessions/{id}',
      permission: 'account:admin',
      summary: 'Ends one of my sessions',
      responses: { 204: nothing },
      handler: async ({ principal, params }) => {
        await accounts.revokeSession({ userId: principal.userId, sessionId: params.id, actor: principal.userId });
        return noContent();
      },
    }),
  ] as const;
}

function tokenRoutes(accounts: Accounts) {
  return [
    defineRoute({
      method: 'GET',
      path: '/tokens',
      permission: 'account:read',
      summary: 'My personal tokens',
      responses: { 200: z.object({ data: z.array(Token) }) },
      handler: async ({ principal }) => ok({ data: await accounts.listTokens(principal.userId) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/tokens',
      permission: 'account:admin',
      summary: 'Makes a token; its secret is shown this once',
      request: {
        body: z.object({
          name: z.string().max(200),
          scopes: z.array(z.string().max(100)).min(1).max(20),
          expires_at: z.iso.datetime().optional(),
        }),
      },
      responses: { 201: z.object({ token: Token, secret: z.string() }) },
      handler: async ({ principal, body }) => {
        const made = await accounts.createToken({
          userId: principal.userId,
          name: body.name,
          scopes: body.scopes,
          actor: principal.userId,
          expiresAt: body.expires_at === undefined ? undefined : Date.parse(body.expires_at),
        });
        return created({ token: made.token, secret: made.secret }, `/api/account/tokens/${made.token.id}`);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/tokens/{id}',
      permission: 'account:admin',
      summary: 'Ends one of my tokens',
      responses: { 204: nothing },
      handler: async ({ principal, params }) => {
        await accounts.revokeToken({ userId: principal.userId, tokenId: params.id, actor: principal.userId });
        return noContent();
      },
    }),
  ] as const;
}
