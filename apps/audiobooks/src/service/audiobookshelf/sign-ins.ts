import { can, type UserView } from '@holdfast/accounts';
import { isHoldfastError, MINUTE } from '@holdfast/base';
import type { ClientSignIn } from '../../model/audiobookshelf/records.ts';
import { type ClientTokenType, readClientToken, signClientToken } from '../../model/audiobookshelf/token.ts';
import { toTime } from '../../model/stored.ts';
import { clientSignIns } from '../../store/definitions.ts';
import { type Listener, listenerOf } from '../listener.ts';
import type { Clients } from './clients.ts';

/** How long the previous refresh token still works after the client first used the new pair. */
const GRACE_MS: number = 10 * MINUTE;
/** Maximum number of sign-ins per user. Beyond it, a new sign-in ends the oldest. */
const SIGN_INS_MAX = 20;
const READ = 'app:audiobooks:read';
const PERMISSIONS = [READ, 'app:audiobooks:write', 'app:audiobooks:admin'] as const;
const PROGRAM = 'Audiobookshelf client';

export interface ClientUser {
  readonly user: UserView;
  readonly listener: Listener;
  /** Undefined if the client uses a personal token that the user created. */
  readonly signIn: ClientSignIn | undefined;
}

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly source: { readonly ip: string; readonly userAgent: string };
}

/** Checks name and password, throttled like any other sign-in, and creates a sign-in. */
export async function signIn(clients: Clients, credentials: Credentials): Promise<ClientUser> {
  const { audiobooks } = clients;
  const accounts = await audiobooks.accounts.accounts();
  const { token } = await accounts.loginProgram({
    ...credentials,
    program: PROGRAM,
    scopes: ['app:audiobooks:admin'],
    tokensMax: SIGN_INS_MAX,
  });
  const at = toTime(audiobooks.now());
  const made: ClientSignIn = {
    token_id: token.id,
    user_id: token.user_id,
    created_at: at,
    generation: 0,
    rotated_at: at,
    confirmed_at: null,
    version: 1,
  };
  await audiobooks.store.transact(async (tx) => {
    await tx.put(clientSignIns, { token_id: made.token_id }, made);
  });
  const found = await userOf(clients, made);
  if (found === undefined) throw new Error('The account of a new sign-in must exist.');
  return found;
}

/** Returns the current token pair of a sign-in. */
export function tokenPair(clients: Clients, signedIn: ClientSignIn, user: UserView): TokenPair {
  return {
    accessToken: tokenOf(clients, signedIn, user, 'access'),
    refreshToken: tokenOf(clients, signedIn, user, 'refresh'),
  };
}

/** Returns the token of a sign-in for clients that never refresh; it works until the sign-in ends. */
export function permanentToken(clients: Clients, signedIn: ClientSignIn, user: UserView): string {
  return tokenOf(clients, { ...signedIn, generation: 0, rotated_at: signedIn.created_at }, user, 'token');
}

function tokenOf({ tokenKey }: Clients, signedIn: ClientSignIn, user: UserView, type: ClientTokenType): string {
  const { token_id, generation, rotated_at } = signedIn;
  const content = { type, userId: user.id, username: user.username, signIn: token_id, generation };
  return signClientToken(tokenKey(), { ...content, issuedAtMs: Date.parse(rotated_at) });
}

/** Returns the user of a bearer token; undefined if the token is invalid. */
export async function clientUser(clients: Clients, bearer: string): Promise<ClientUser | undefined> {
  const { audiobooks, tokenKey } = clients;
  if (bearer.startsWith('hf_')) return personalTokenUser(clients, bearer);
  const content = readClientToken(tokenKey(), bearer, audiobooks.now());
  if (content === undefined || content.type === 'refresh') return undefined;
  const signedIn = await audiobooks.store.get(clientSignIns, { token_id: content.signIn });
  if (signedIn === undefined) return undefined;
  const isCurrent = content.generation === signedIn.generation;
  if (content.type === 'access' && isCurrent && signedIn.confirmed_at === null) await confirm(clients, signedIn);
  return userOf(clients, signedIn);
}

async function confirm({ audiobooks }: Clients, { token_id, generation }: ClientSignIn): Promise<void> {
  const at = toTime(audiobooks.now());
  await audiobooks.store.transact((tx) =>
    tx.update(clientSignIns, { token_id }, (now) =>
      now.generation === generation ? { ...now, confirmed_at: at } : now,
    ),
  );
}

async function userOf({ audiobooks }: Clients, signedIn: ClientSignIn): Promise<ClientUser | undefined> {
  const { user_id: userId, token_id: tokenId } = signedIn;
  const found = await audiobooks.accounts.tokenUser(userId, tokenId, PERMISSIONS);
  if (found?.permissions.includes(READ) !== true) return undefined;
  return { user: found.user, listener: await listenerFor(audiobooks, found), signIn: signedIn };
}

async function personalTokenUser({ audiobooks }: Clients, secret: string): Promise<ClientUser | undefined> {
  const accounts = await audiobooks.accounts.accounts();
  const principal = await accounts.authenticate(secret).catch((error: unknown) => {
    if (isHoldfastError(error, 'TOKEN_INVALID') || isHoldfastError(error, 'SESSION_INVALID')) return undefined;
    throw error;
  });
  if (principal === undefined || !can(principal, READ)) return undefined;
  const { user } = principal;
  const permissions = PERMISSIONS.filter((permission) => can(principal, permission));
  return { user, listener: await listenerFor(audiobooks, { user, permissions }), signIn: undefined };
}

function listenerFor(
  audiobooks: Clients['audiobooks'],
  { user, permissions }: { readonly user: UserView; readonly permissions: readonly string[] },
): Promise<Listener> {
  const caller = { name: user.username, via: 'audiobookshelf', face: 'http', userId: user.id, permissions } as const;
  return listenerOf(audiobooks, caller);
}

/**
 * Exchanges a refresh token for the next pair. The response can be lost on the way to a phone, so the previous token
 * returns the same pair again. The previous token stops working `GRACE_MS` after the client first used the new pair.
 */
export async function refresh(clients: Clients, refreshToken: string): Promise<ClientUser | undefined> {
  const { audiobooks, tokenKey } = clients;
  const content = readClientToken(tokenKey(), refreshToken, audiobooks.now());
  if (content?.type !== 'refresh') return undefined;
  const now = audiobooks.now();
  const signedIn = await audiobooks.store.transact(async (tx) => {
    const key = { token_id: content.signIn };
    const found = await tx.get(clientSignIns, key);
    if (found === undefined) return undefined;
    if (content.generation === found.generation) {
      const next = { ...found, generation: found.generation + 1, rotated_at: toTime(now), confirmed_at: null };
      await tx.put(clientSignIns, key, next);
      return next;
    }
    const isPrevious = content.generation === found.generation - 1;
    const isInGrace = found.confirmed_at === null || now - Date.parse(found.confirmed_at) < GRACE_MS;
    return isPrevious && isInGrace ? found : undefined;
  });
  return signedIn === undefined ? undefined : userOf(clients, signedIn);
}

/** Returns the user of a sign-in; undefined if the sign-in has ended or its account may no longer listen. */
export async function signedInUser(clients: Clients, { token_id }: ClientSignIn): Promise<ClientUser | undefined> {
  const found = await clients.audiobooks.store.get(clientSignIns, { token_id });
  return found === undefined ? undefined : userOf(clients, found);
}

/** Ends a sign-in: all its tokens stop working. */
export async function signOut({ audiobooks, tokenKey }: Clients, token: string): Promise<void> {
  const content = readClientToken(tokenKey(), token, audiobooks.now());
  if (content === undefined) return;
  const key = { token_id: content.signIn };
  const ended = await audiobooks.store.transact(async (tx) => {
    const found = await tx.get(clientSignIns, key);
    await tx.delete(clientSignIns, key);
    return found;
  });
  if (ended === undefined) return;
  const accounts = await audiobooks.accounts.accounts();
  const revoked = { userId: ended.user_id, tokenId: ended.token_id, actor: ended.user_id };
  await accounts.revokeToken(revoked).catch((error: unknown) => {
    if (!isHoldfastError(error, 'TOKEN_NOT_FOUND')) throw error;
  });
}
