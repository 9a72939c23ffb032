import { accountErrors, type RoleName } from '@holdfast/accounts';
import { type Clock, isHoldfastError, MINUTE, SECOND, systemClock, systemErrorCode } from '@holdfast/base';
import * as client from 'openid-client';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** Claim whose values determine roles: a name, or a path such as `realm_access.roles`. */
  readonly rolesClaim: string;
  /** Maps each value of the claim to a role. If empty, Holdfast assigns roles itself. */
  readonly roles: ReadonlyMap<string, RoleName>;
}

/** Secrets of a sign-in that has started. The browser keeps them until the provider redirects it to us. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcUser {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
  readonly roles: readonly RoleName[] | undefined;
}

/** How far the provider's clock may differ from ours. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE;
const TIMEOUT_SECONDS = 10;

/** An OpenID Connect provider. Loaded only if one is configured, because the library takes time to load. */
export class OidcProvider {
  readonly #settings: OidcSettings;
  readonly #now: Clock;
  #discovered: Promise<client.Configuration> | undefined;

  constructor(settings: OidcSettings, now: Clock = systemClock) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Reads the provider's configuration. Tries again after a failure, so the provider may start later than we do. */
  async configuration(): Promise<client.Configuration> {
    this.#discovered ??= discover(this.#settings);
    try {
      return await this.#discovered;
    } catch (error) {
      this.#discovered = undefined;
      throw error;
    }
  }

  async start(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignInSecrets }> {
    const configuration = await this.configuration();
    const secrets = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes.join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, secrets };
  }

  /**
   * Returns what the provider says about the user, after checking its answer. `answer` is our URL, with its query, to
   * which the provider has redirected the browser.
   */
  async claims(answer: URL, { state, nonce, verifier }: SignInSecrets): Promise<client.IDToken> {
    const configuration = await this.configuration();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(configuration, answer, checks).catch(refused);
    const token = tokens.claims();
    if (token === undefined) throw failed('The provider sent no ID token');
    this.#checkClock(token.iat * SECOND);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasUserInfo
      ? await client.fetchUserInfo(configuration, tokens.access_token, token.sub).catch(refused)
      : {};
    return { ...more, ...token };
  }

  /** Throws if the claims grant no role. */
  userOf(claims: client.IDToken): OidcUser {
    const { email, email_verified: isVerified, preferred_username: preferred } = claims;
    const address = typeof email === 'string' && isVerified === true ? email : null;
    const name = [preferred, address, claims.sub].find((each) => typeof each === 'string' && each !== '') as string;
    return { issuer: claims.iss, subject: claims.sub, name, email: address, roles: this.#rolesOf(claims) };
  }

  #checkClock(issuedAt: number): void {
    const difference = this.#now() - issuedAt;
    if (Math.abs(difference) <= CLOCK_TOLERANCE_MS) return;
    const minutes = Math.round(Math.abs(difference) / MINUTE);
    const direction = difference > 0 ? 'ahead of' : 'behind';
    throw accountErrors.OIDC_CLOCK_WRONG(
      `This machine's clock is ${minutes} minutes ${direction} the provider's clock`,
    );
  }

  #rolesOf(claims: object): readonly RoleName[] | undefined {
    const { roles, rolesClaim } = this.#settings;
    if (roles.size === 0) return undefined;
    const values = [valueAt(claims, rolesClaim)].flat();
    const found = values.flatMap((value) => (typeof value === 'string' ? (roles.get(value) ?? []) : []));
    if (found.length > 0) return found;
    throw accountErrors.OIDC_NO_ROLE(`No value of the claim "${rolesClaim}" grants a role`);
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<client.Configuration> {
  const server = new URL(issuer);
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
  try {
    // Gives the library the same tolerance as `#checkClock`, so that only `#checkClock` rejects a wrong clock: it is
    // stricter and says what is wrong.
    const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_MS / SECOND };
    return await client.discovery(server, clientId, metadata, authentication, {
      timeout: TIMEOUT_SECONDS,
      // `sign-in-settings.ts` accepts plain HTTP only on loopback.
      execute: server.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    });
  } catch (error) {
    throw isUnreachable(error)
      ? accountErrors.OIDC_UNREACHABLE(`${issuer} does not answer${reasonOf(error)}`, { cause: error })
      : accountErrors.OIDC_ISSUER_WRONG(`${issuer} is not the issuer of a provider: ${messageOf(error)}`, {
          cause: error,
        });
  }
}

/**
 * `fetch` throws a TypeError if there is no connection. A server that is starting answers with a status of 500 or
 * higher.
 */
function isUnreachable(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown };
  if (cause instanceof Response) return cause.status >= 500;
  return code === 'OAUTH_TIMEOUT' || error instanceof TypeError || cause instanceof TypeError;
}

/** Returns the innermost error code in brackets, such as ECONNREFUSED or that of an untrusted certificate. */
function reasonOf(error: unknown): string {
  let reason: string | undefined;
  for (let each = error; each instanceof Error; each = each.cause) reason = systemErrorCode(each) ?? reason;
  return reason === undefined ? '' : ` (${reason})`;
}

function refused(error: unknown): never {
  if (isHoldfastError(error)) throw error;
  const { code } = error as { readonly code?: string };
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    throw accountErrors.OIDC_CLOCK_WRONG("The provider's clock differs from this machine's clock", { cause: error });
  }
  if (isUnreachable(error)) throw accountErrors.OIDC_UNREACHABLE('The provider does not answer', { cause: error });
  throw failed(`The provider's answer was refused: ${messageOf(error)}`, error);
}

function failed(message: string, cause?: unknown): Error {
  return accountErrors.OIDC_SIGN_IN_FAILED(message, cause === undefined ? {} : { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function valueAt(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
