import { toTimestamp } from '@holdfast/base';

import { accountErrors } from '../errors.ts';
import type { Settings } from '../model/limits.ts';
import { covers } from '../model/permission.ts';
import { hashSecret, secretKind } from '../model/secret.ts';
import { isLive, type Session } from '../model/session.ts';
import { isWithinLifetime } from '../model/time.ts';
import { isTokenLive, type Token } from '../model/token.ts';
import type { User } from '../model/user.ts';
import { devices, roles, sessions, tokens, users } from '../store/schema.ts';
import type { Dependencies } from './dependencies.ts';
import { type SessionView, sessionView, type TokenView, tokenView, type UserView, userView } from './views.ts';

/** An authenticated user with the permissions of the session or token. */
export interface Principal {
  readonly user: UserView;
  readonly via:
    { readonly kind: 'session'; readonly session: SessionView } | { readonly kind: 'token'; readonly token: TokenView };
  /** Grants of the user's roles. */
  readonly permissions: readonly string[];
  /** Scopes of the token; undefined for a session. */
  readonly scopes: readonly string[] | undefined;
}

/** Returns whether the user's roles and the token's scopes both allow the permission. */
export function can(principal: Principal, permission: string): boolean {
  const { permissions, scopes } = principal;
  return covers(permissions, permission) && (scopes === undefined || covers(scopes, permission));
}

/**
 * Returns the account of a session token (cookie) or personal token (Authorization header).
 *
 * Each call checks the secret, its lifetime, the user and the roles, with a fixed number of reads: index, record, user,
 * and one per role.
 */
export async function authenticate(dependencies: Dependencies, secret: string): Promise<Principal> {
  return secretKind(secret) === 'token' ? byToken(dependencies, secret) : bySession(dependencies, secret);
}

async function bySession(dependencies: Dependencies, secret: string): Promise<Principal> {
  const session = await findLiveSession(dependencies, secret);
  const user = session === undefined ? undefined : await findActive(dependencies, session.user_id);
  if (session === undefined || user === undefined) throw accountErrors.SESSION_INVALID('This session is not valid');
  touchSession(dependencies, session);
  return {
    user: userView(user),
    via: { kind: 'session', session: sessionView(session) },
    permissions: await grantsOf(dependencies, user),
    scopes: undefined,
  };
}

async function byToken(dependencies: Dependencies, secret: string): Promise<Principal> {
  const { keyspace, clock } = dependencies;
  const token = await keyspace.find(tokens.by.hash, { token_hash: hashSecret(secret) });
  const isGood = token !== undefined && isTokenLive(token, clock());
  const user = isGood ? await findActive(dependencies, token.user_id) : undefined;
  if (token === undefined || user === undefined) throw accountErrors.TOKEN_INVALID('This token is not valid');
  touchToken(dependencies, token);
  return {
    user: userView(user),
    via: { kind: 'token', token: tokenView(token) },
    permissions: await grantsOf(dependencies, user),
    scopes: token.scopes,
  };
}

async function findActive({ keyspace }: Dependencies, id: string): Promise<User | undefined> {
  const user = await keyspace.get(users, { id });
  return user?.status === 'active' ? user : undefined;
}

async function grantsOf({ reader }: Dependencies, user: User): Promise<readonly string[]> {
  const found = await reader.getMany(
    roles,
    user.roles.map((role) => ({ role })),
  );
  return found.flatMap((role) => role?.permissions ?? []);
}

export interface Recognition {
  readonly deviceToken?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/** Returns the id of the failure counter for a browser that has signed in as this user before. */
export async function recognise(
  dependencies: Dependencies,
  userId: string | undefined,
  { deviceToken, sessionToken }: Recognition,
): Promise<{ readonly known: string | undefined; readonly hasDevice: boolean }> {
  const { reader, clock } = dependencies;
  if (deviceToken !== undefined && secretKind(deviceToken) === 'device') {
    const device = await reader.find(devices.by.hash, { token_hash: hashSecret(deviceToken) });
    if (device !== undefined && device.user_id === userId && isWithinLifetime(device, clock())) {
      return { known: `device-${device.id}`, hasDevice: true };
    }
  }
  const session = await findLiveSession(dependencies, sessionToken);
  const isOurs = session !== undefined && session.user_id === userId;
  return { known: isOurs ? `session-${session.id}` : undefined, hasDevice: false };
}

/**
 * Makes two reads, however many sessions exist. Treats a damaged session as ended, so that its user can sign in again
 * with the same browser.
 */
export async function findLiveSession(
  { reader, clock, settings }: Dependencies,
  token: string | undefined,
): Promise<Session | undefined> {
  if (token === undefined || secretKind(token) !== 'session') return undefined;
  const session = await reader.find(sessions.by.hash, { token_hash: hashSecret(token) });
  return session !== undefined && isLive(session, settings, clock()) ? session : undefined;
}

/**
 * Records in the background that a session or token is in use, at most once per `touchEveryMs`. The transaction checks
 * the interval again, because other processes record it too.
 */

function touchSession(dependencies: Dependencies, seen: Session): void {
  const { keyspace, clock, settings, background } = dependencies;
  if (!isDue(seen.last_seen_at, settings, clock())) return;
  background.run(`session ${seen.id}`, () =>
    keyspace.transact(async (transaction) => {
      const now = clock();
      const session = await transaction.get(sessions, { id: seen.id });
      if (session === undefined || !isLive(session, settings, now)) return;
      if (!isDue(session.last_seen_at, settings, now)) return;
      const idleEnd = Math.min(now + settings.sessionIdleMs, Date.parse(session.expires_at));
      const touched = { ...session, last_seen_at: toTimestamp(now), idle_expires_at: toTimestamp(idleEnd) };
      await transaction.put(sessions, { id: seen.id }, touched);
    }),
  );
}

export function touchToken(dependencies: Dependencies, used: Pick<Token, 'id' | 'last_used_at'>): void {
  const { keyspace, clock, settings, background } = dependencies;
  if (!isDue(used.last_used_at, settings, clock())) return;
  background.run(`token ${used.id}`, () =>
    keyspace.transact(async (transaction) => {
      const now = clock();
      const token = await transaction.get(tokens, { id: used.id });
      if (token === undefined || !isDue(token.last_used_at, settings, now)) return;
      await transaction.put(tokens, { id: used.id }, { ...token, last_used_at: toTimestamp(now) });
    }),
  );
}

function isDue(last: string | null, { touchEveryMs }: Settings, now: number): boolean {
  return last === null || now - Date.parse(last) >= touchEveryMs;
}
