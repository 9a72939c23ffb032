import { accountErrors, type Accounts } from '@holdfast/accounts';
import { isHoldfastError } from '@holdfast/base';
import { defineRoute, type HandlerInput, noContent, nothing, ok } from '@holdfast/http';
import { z } from 'zod';

import type { OidcFlow } from './oidc-flow.ts';

/** A path on this site, so that a manipulated link cannot lead to another site. */
const OwnPath = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])[\x20-\x7e]*$/u, 'must be a path on this site');

/** Sign-in through an OpenID Connect provider. Both routes are opened by the browser itself, so they redirect. */
export function oidcRoutes(flow: OidcFlow) {
  return [
    defineRoute({
      method: 'GET',
      path: '/oidc/start',
      permission: 'public',
      summary: 'Redirect to the OpenID Connect provider to sign in',
      request: { query: z.object({ next: OwnPath.default('/') }) },
      responses: { 303: nothing },
      handler: async (input) => {
        const { next } = input.query;
        try {
          const { url, cookies } = await flow.begin(input, { next, links: null });
          return seeOther(url, cookies);
        } catch (error) {
          return seeOther(failurePage(input, error, `/sign-in?next=${encodeURIComponent(next)}`));
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/oidc/callback',
      permission: 'public',
      summary: 'Sign in, or link the account, with the answer from the OpenID Connect provider',
      request: { query: z.looseObject({}) },
      responses: { 303: nothing },
      handler: async (input) => {
        const pending = await flow.pending.read(input.request, input.isSecure);
        // Removes the cookie, because each sign-in can be used only once.
        const forgotten = flow.pending.forget(input.isSecure);
        const next = pending?.next ?? '/';
        try {
          return seeOther(next, [forgotten, ...(await flow.finish(input, pending))]);
        } catch (error) {
          const isLink = typeof pending?.links === 'string';
          const page = isLink ? '/account?' : `/sign-in?next=${encodeURIComponent(next)}`;
          return seeOther(failurePage(input, error, page), [forgotten]);
        }
      },
    }),
  ] as const;
}

/** Routes that link the caller's account to their user at the provider. */
export function linkRoutes(accounts: Accounts, flow: OidcFlow) {
  return [
    defineRoute({
      method: 'GET',
      path: '/oidc-link',
      permission: 'account:read',
      summary: 'Show whether the caller can sign in through the OpenID Connect provider',
      responses: { 200: z.object({ is_linked: z.boolean() }) },
      handler: async ({ principal }) => ok({ is_linked: await accounts.hasIdentity(principal.userId) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/oidc-link',
      permission: 'account:admin',
      summary: "Start linking the caller's account to their user at the OpenID Connect provider",
      description: 'Open the returned URL in the same browser. The link is stored only if the browser has a session.',
      responses: { 200: z.object({ url: z.string() }) },
      errors: [accountErrors.OIDC_NOT_CONFIGURED, accountErrors.OIDC_UNREACHABLE],
      handler: async (input) => {
        const { url, cookies } = await flow.begin(input, { next: '/account', links: input.principal.userId });
        return ok({ url }, { cookies });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/oidc-link',
      permission: 'account:admin',
      summary: "Unlink the caller's account from the OpenID Connect provider",
      responses: { 204: nothing },
      handler: async ({ principal }) => {
        await accounts.unlinkIdentity(principal.userId);
        return noContent();
      },
    }),
  ] as const;
}

function seeOther(location: string, cookies: readonly string[] = []) {
  return { status: 303 as const, headers: { location }, cookies };
}

/**
 * Returns the page's URL with only the error code: if it contained a message, anybody could forge one. The log has the
 * reason.
 */
function failurePage({ log }: Pick<HandlerInput, 'log'>, error: unknown, page: string): string {
  if (!isHoldfastError(error)) throw error;
  log.warn({ code: error.code, reason: error.message }, 'sign-in through OpenID Connect failed');
  return `${page}${page.endsWith('?') ? '' : '&'}error=${error.code}`;
}
