import { can, isNameOf, type Principal as Account } from '@holdfast/accounts';
import { isHoldfastError } from '@holdfast/base';
import {
  type Authenticate,
  type CookieJar,
  cookieJar,
  type Credentials,
  type HandlerInput,
  type Principal,
} from '@holdfast/http';

import type { AuthenticationCache } from './authentication-cache.ts';

/** Cookies of the dashboard: the session, and a mark for browsers that have signed in before. */
export interface Cookies {
  readonly session: CookieJar;
  readonly device: CookieJar;
}

/** Lifetime of the session cookie; the session itself may end earlier. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const overTls = jars(true);
const overPlain = jars(false);

export function cookies(isSecure: boolean): Cookies {
  return isSecure ? overTls : overPlain;
}

function jars(isSecure: boolean): Cookies {
  return {
    session: cookieJar({ name: 'holdfast_session', isSecure }),
    device: cookieJar({ name: 'holdfast_device', isSecure }),
  };
}

class HubPrincipal implements Principal {
  readonly userId: string;
  readonly name: string;
  readonly kind: 'session' | 'token';
  readonly permissions: ReadonlySet<string>;
  readonly account: Account;

  constructor(account: Account, permissions: ReadonlySet<string>) {
    this.userId = account.user.id;
    this.name = account.user.username;
    this.kind = account.via.kind;
    this.permissions = permissions;
    this.account = account;
  }
}

export function accountOf(principal: Principal): Account {
  if (principal instanceof HubPrincipal) return principal.account;
  throw new TypeError('A principal of this server always has an account');
}

const PERMISSION_SETS_MAX = 1_000;

/**
 * Caches the permissions for each combination of grants and scopes. The parameter `permissions` returns all existing
 * permissions, in display order.
 */
export function authenticator(cache: AuthenticationCache, permissions: () => readonly string[]): Authenticate {
  const sets = new Map<string, ReadonlySet<string>>();
  const setOf = (account: Account): ReadonlySet<string> => {
    const key = JSON.stringify([account.permissions, account.scopes]);
    const known = sets.get(key);
    if (known !== undefined) return known;
    if (sets.size >= PERMISSION_SETS_MAX) sets.clear();
    const granted = permissions().filter((permission) => can(account, permission));
    const made = new Set(granted.toSorted());
    sets.set(key, made);
    return made;
  };
  // The cache usually returns the same account object, so each object gets only one principal.
  const principals = new WeakMap<Account, HubPrincipal>();
  const principalOf = (account: Account): HubPrincipal => {
    const known = principals.get(account);
    if (known !== undefined) return known;
    const made = new HubPrincipal(account, setOf(account));
    principals.set(account, made);
    return made;
  };
  return (request) => {
    const secret = bearerOf(request) ?? cookies(request.isSecure).session.read(request);
    if (secret === undefined) return undefined;
    const account = cache.authenticate(secret);
    const { proxyUser } = request;
    const found = (each: Account): HubPrincipal | undefined =>
      isOfAnother(each, proxyUser) ? undefined : principalOf(each);
    return account instanceof Promise ? account.then(found, nobodyIfInvalid) : found(account);
  };
}

/** Returns whether the proxy now names a different user than the one in this browser's session. */
function isOfAnother({ via, user }: Account, proxyUser: string | undefined): boolean {
  return proxyUser !== undefined && via.kind === 'session' && !isNameOf(user, proxyUser);
}

export function sourceOf({ clientAddress, request }: Pick<HandlerInput, 'clientAddress' | 'request'>): {
  readonly ip: string;
  readonly userAgent: string;
} {
  return { ip: clientAddress, userAgent: request.headers.get('user-agent') ?? '' };
}

/** Treats an invalid credential like a missing one. */
function nobodyIfInvalid(error: unknown): undefined {
  if (isHoldfastError(error, 'SESSION_INVALID') || isHoldfastError(error, 'TOKEN_INVALID')) return undefined;
  throw error;
}

function bearerOf({ headers }: Credentials): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,512})$/i.exec(headers.get('authorization') ?? '')?.[1];
}
