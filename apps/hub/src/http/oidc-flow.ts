import { accountErrors, type Accounts } from '@holdfast/accounts';
import type { Clock } from '@holdfast/base';
import type { HandlerInput } from '@holdfast/http';

import type { OidcProvider } from '../adapters/oidc.ts';
import { cookies, SESSION_SECONDS, sourceOf } from './identity.ts';
import { type PendingSignIn, PendingSignIns } from './pending-sign-in.ts';

type Started = Pick<HandlerInput, 'origin' | 'isSecure'>;

const CALLBACK = '/api/auth/oidc/callback';

/**
 * Sends the browser to the OpenID Connect provider and handles its return. All our URLs have the origin of the request;
 * the server accepts requests only for configured origins.
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

  /** Signs the user in, or links the account. Returns the cookies to set. */
  async finish(input: HandlerInput<string, 'public'>, pending: PendingSignIn): Promise<readonly string[]> {
    const answer = new URL(pending.redirect_uri);
    answer.search = new URL(input.request.url).search;
    const user = await this.#configured().finish(answer, pending);
    if (pending.links !== null) {
      const principal = await input.authenticate();
      if (principal?.userId !== pending.links || principal.kind !== 'session') {
        throw accountErrors.OIDC_SIGN_IN_FAILED('The session that started to link the account has ended');
      }
      await this.#accounts.linkIdentity({ userId: principal.userId, issuer: user.issuer, subject: user.subject });
      return [];
    }
    const { session } = cookies(input.isSecure);
    const sessionToken = session.read(input.request);
    const { token } = await this.#accounts.loginByIdentity({ ...user, source: sourceOf(input), sessionToken });
    return [session.set(token, SESSION_SECONDS)];
  }

  #configured(): OidcProvider {
    if (this.#provider !== undefined) return this.#provider;
    throw accountErrors.OIDC_NOT_CONFIGURED('No OpenID Connect provider is configured');
  }
}
