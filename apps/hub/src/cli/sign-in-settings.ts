import { readFileSync } from 'node:fs';

import { type RoleName, roleNames } from '@holdfast/accounts';
import { isHoldfastError, systemErrorCode } from '@holdfast/base';
import { httpErrors, type ProxySignIn } from '@holdfast/http';

import type { OidcProvider, OidcSettings } from '../adapters/oidc.ts';
import type { ServerConfig } from './server-config.ts';

/** Options of `holdfast serve` for sign-in through a reverse proxy or an OpenID Connect provider. */
export interface SignInOptions {
  readonly userHeader: string | undefined;
  readonly proxySecretFile: string | undefined;
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecretFile: string | undefined;
  readonly oidcScope: readonly string[];
  readonly oidcRolesClaim: string | undefined;
  readonly oidcRole: readonly string[];
}

const invalid = (message: string, cause?: unknown): Error =>
  httpErrors.SIGN_IN_CONFIG_INVALID(message, cause === undefined ? {} : { cause });

const SECRET_CHARACTERS_MIN = 16;

export function proxySignIn(
  options: SignInOptions,
  config: ServerConfig,
  trustedProxies: readonly string[],
): ProxySignIn | undefined {
  const header = options.userHeader ?? config.user_header;
  if (header === undefined) return undefined;
  if (!/^[A-Za-z0-9-]+$/u.test(header)) throw invalid(`user_header: "${header}" is not the name of a header`);
  if (trustedProxies.length === 0)
    throw invalid("If user_header is set, trusted_proxies must contain the proxy's address");
  const file = options.proxySecretFile ?? config.proxy_secret_file;
  if (file === undefined) throw invalid('user_header requires proxy_secret_file, so that only the proxy can send it');
  const secret = readSecret(file);
  if (secret.length < SECRET_CHARACTERS_MIN) {
    throw invalid(`${file}: the secret must have at least ${SECRET_CHARACTERS_MIN} characters`);
  }
  return { header, secret };
}

/**
 * Returns the configured provider, after reading its configuration. A wrong issuer is refused. If the provider does not
 * answer, the server starts anyway, because users can also sign in with a password; each sign-in tries again.
 */
export async function oidcProvider(
  options: SignInOptions,
  config: ServerConfig,
  onUnreachable: (error: unknown) => void,
): Promise<OidcProvider | undefined> {
  const settings = oidcSettings(options, config);
  if (settings === undefined) return undefined;
  const { OidcProvider: Provider } = await import('../adapters/oidc.ts');
  const provider = new Provider(settings);
  try {
    await provider.configuration();
  } catch (error) {
    if (!isHoldfastError(error, 'OIDC_UNREACHABLE')) throw error;
    onUnreachable(error);
  }
  return provider;
}

function oidcSettings(options: SignInOptions, config: ServerConfig): OidcSettings | undefined {
  const issuer = options.oidcIssuer ?? config.oidc_issuer;
  const clientId = options.oidcClientId ?? config.oidc_client_id;
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined)
    throw invalid('oidc_issuer requires oidc_client_id, and vice versa');
  requireProtected(issuer);
  const secretFile = options.oidcClientSecretFile ?? config.oidc_client_secret_file;
  const scopes = chosen(options.oidcScope, config.oidc_scopes) ?? ['openid', 'profile', 'email'];
  if (!scopes.includes('openid')) throw invalid('oidc_scopes must contain "openid"');
  return {
    issuer,
    clientId,
    clientSecret: secretFile === undefined ? undefined : readSecret(secretFile),
    scopes,
    rolesClaim: options.oidcRolesClaim ?? config.oidc_roles_claim ?? 'groups',
    roles: new Map((chosen(options.oidcRole, config.oidc_roles) ?? []).map(roleOf)),
  };
}

function chosen(given: readonly string[], configured: readonly string[] | undefined): readonly string[] | undefined {
  return given.length > 0 ? given : configured;
}

/** Refuses plain HTTP, except on loopback: anybody on the network could sign in as any user. */
function requireProtected(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLoopback = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return;
  throw invalid(`oidc_issuer: "${issuer}" is not an https URL`);
}

/** `admin=staff` → the value `staff` gives the role `admin`. */
function roleOf(text: string): readonly [string, RoleName] {
  const [, name, value] = /^([a-z]+)=(.+)$/u.exec(text) ?? [];
  const role = roleNames.find((each) => each === name);
  if (role !== undefined && value !== undefined) return [value, role];
  throw invalid(`oidc_roles: "${text}" is not a role and a value, such as admin=staff`);
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw invalid(`${file} cannot be read (${systemErrorCode(error)})`, error);
  }
}
