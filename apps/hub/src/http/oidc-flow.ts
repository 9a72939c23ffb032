import { accountErrors, type Accounts } from '@holdfast/accounts';
import { type Clock, type HoldfastError, isHoldfastError } from '@holdfast/base';
import type { HandlerInput } from '@holdfast/http';

import type { OidcProvider, OidcUser } from '../adapters/oidc.ts';
import { cookies, SESSION_SECONDS, sourceOf } from './identity.ts';
import { type PendingSignIn, PendingSignIns } from './pending-sign-in.ts';

type Started = Pick<HandlerInput, 'origin' | 'isSecure'>;
type PublicInput = HandlerInput<string, 'public'>;
type Identity = Pick<OidcUser, 'issuer' | 'subject'>;

const CALLBACK = '/api/auth/oidc/callback';

/**
 * Sends the browser to the OpenID Connect provider and handles its return. All our URLs use the request's origin; the
 * server accepts requests only for configured origins.
 */
export class OidcFlow {
  readonly #accounts: Accounts;
  readonly #provider: OidcProvider | undefined;
  readonly pending: PendingSignIns;

  constructor(accounts: Accounts, provider: OidcProvider | undefined, clock: Clock) {
    this.#accounts = accounts;
    this.#provider = provider;
    this.pending = new PendingSignIns(() => accounts.sealingKey(), clock);
  }

  get isConfigured(): boolean {
    return this.#provider !== undefined;
  }

  /** Returns the provider's URL for the browser, and the cookie that the browser needs when it comes back. */
  async begin(
    { origin, isSecure }: Started,
    what: Pick<PendingSignIn, 'next' | 'links'>,
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] }> {
    const redirectUri = `${origin}${CALLBACK}`;
    const { url, secrets } = await this.#configured().start(redirectUri);
    const pending = { ...secrets, redirect_uri: redirectUri, ...what };
    return { url, cookies: [await this.pending.remember(pending, isSecure)] };
  }

  /** Signs the user in, or links the account. Returns the cookies to set. Records a refused sign-in. */
  async finish(input: PublicInput, pending: PendingSignIn | undefined): Promise<readonly string[]> {
    const provider = this.#configured();
    let identity: Identity | undefined;
    try {
      if (pending === undefined) {
        throw accountErrors.OIDC_SIGN_IN_FAILED('This browser has not started a sign-in in the last ten minutes');
      }
      const answer = new URL(pending.redirect_uri);
      answer.search = new URL(input.request.url).search;
      const claims = await provider.claims(answer, pending);
      identity = { issuer: claims.iss, subject: claims.sub };
      return pending.links === null
        ? await this.#signIn(input, provider.userOf(claims))
        : await this.#link(input, identity, pending.links);
    } catch (error) {
      const isLink = typeof pending?.links === 'string';
      if (isRefusal(error) && !isLink) {
        await this.#accounts.recordRefusedIdentity({ reason: error.code, identity, source: sourceOf(input) });
      }
      throw error;
    }
  }

  async #signIn(input: PublicInput, user: OidcUser): Promise<readonly string[]> {
    const { session } = cookies(input.isSecure);
    const sessionToken = session.read(input.request);
    const { token } = await this.#accounts.loginByIdentity({ ...user, source: sourceOf(input), sessionToken });
    return [session.set(token, SESSION_SECONDS)];
  }

  async #link(input: PublicInput, identity: Identity, userId: string): Promise<readonly string[]> {
    const principal = await input.authenticate();
    if (principal?.userId !== userId || principal.kind !== 'session') {
      throw accountErrors.OIDC_SIGN_IN_FAILED('The session that started to link the account has ended');
    }
    await this.#accounts.linkIdentity({ userId, ...identity });
    return [];
  }

  #configured(): OidcProvider {
    if (this.#provider !== undefined) return this.#provider;
    throw accountErrors.OIDC_NOT_CONFIGURED('No OpenID Connect provider is configured');
  }
}

/** Returns whether the server refused the sign-in; false if it failed before it could decide. */
function isRefusal(error: unknown): error is HoldfastError {
  return isHoldfastError(error) && Object.hasOwn(accountErrors, error.code) && error.kind !== 'unavailable';
}
