import type { Accounts, SignedIn } from '@holdfast/accounts';
import { defineRoute, noContent, nothing, ok } from '@holdfast/http';
import { z } from 'zod';

import { accountOf, type Cookies, SESSION_SECONDS, sourceOf } from './identity.ts';
import type { OidcFlow } from './oidc-flow.ts';
import { User } from './schemas.ts';

const DEVICE_SECONDS = 365 * 24 * 60 * 60;

const Password = z.string().min(1).max(1_024);

interface AuthParts {
  readonly accounts: Accounts;
  readonly cookiesFor: (isSecure: boolean) => Cookies;
  readonly oidc: OidcFlow;
}

/** Setup, sign-in and sign-out. All but sign-out are public, because the caller has no session yet. */
export function authRoutes(parts: AuthParts) {
  const { accounts, cookiesFor } = parts;
  const signedIn = ({ user, token, deviceToken }: SignedIn, isSecure: boolean) => {
    const jars = cookiesFor(isSecure);
    const set = [jars.session.set(token, SESSION_SECONDS)];
    if (deviceToken !== undefined) set.push(jars.device.set(deviceToken, DEVICE_SECONDS));
    return ok({ user: { ...user, roles: [...user.roles] } }, { cookies: set });
  };
  return [
    stateRoute(parts),
    defineRoute({
      method: 'POST',
      path: '/setup',
      permission: 'public',
      summary: 'Create the owner with the one-time link and sign in',
      request: { body: z.object({ secret: z.string().max(200), username: z.string().max(200), password: Password }) },
      responses: { 200: z.object({ user: User }) },
      handler: async (input) => {
        const made = await accounts.redeemSetupLink({ ...input.body, source: sourceOf(input) });
        return signedIn(made, input.isSecure);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/login',
      permission: 'public',
      summary: 'Sign in',
      request: { body: z.object({ name: z.string().max(320), password: Password }) },
      responses: { 200: z.object({ user: User }) },
      handler: async (input) => {
        const jars = cookiesFor(input.isSecure);
        const made = await accounts.login({
          ...input.body,
          source: sourceOf(input),
          sessionToken: jars.session.read(input.request),
          deviceToken: jars.device.read(input.request),
        });
        return signedIn(made, input.isSecure);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/logout',
      permission: 'account:read',
      summary: 'Sign out',
      responses: { 204: nothing },
      handler: async ({ request, isSecure }) => {
        const { session } = cookiesFor(isSecure);
        const token = session.read(request);
        if (token !== undefined) await accounts.logout(token);
        return noContent({ cookies: [session.clear()] });
      },
    }),
  ] as const;
}

/** Every page requests this route first. */
function stateRoute({ accounts, cookiesFor, oidc }: AuthParts) {
  return defineRoute({
    method: 'GET',
    path: '/state',
    permission: 'public',
    summary: 'Show whether an owner exists, who is signed in, and how users can sign in',
    description: 'If a trusted reverse proxy has signed the user in, starts a session.',
    responses: {
      200: z.object({ needs_setup: z.boolean(), user: User.nullable(), has_oidc: z.boolean() }),
    },
    handler: async (input) => {
      const state = { needs_setup: (await accounts.setupState()) !== 'done', has_oidc: oidc.isConfigured };
      const principal = await input.authenticate();
      if (principal !== undefined) return ok({ ...state, user: accountOf(principal).user });
      if (input.proxyUser === undefined || state.needs_setup) return ok({ ...state, user: null });
      const { session } = cookiesFor(input.isSecure);
      const { user, token } = await accounts.loginByProxy({
        name: input.proxyUser,
        source: sourceOf(input),
        sessionToken: session.read(input.request),
      });
      return ok({ ...state, user }, { cookies: [session.set(token, SESSION_SECONDS)] });
    },
  });
}

/** Routes for the caller's account that use the session cookie. */
export function accountRoutes({ accounts, cookiesFor }: AuthParts) {
  return [
    defineRoute({
      method: 'GET',
      path: '/me',
      permission: 'account:read',
      summary: 'Show the caller and their permissions',
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
      summary: "Change the caller's password and end all their other sessions",
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
  ] as const;
}
