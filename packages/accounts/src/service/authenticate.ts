import { accountErrors } from '../errors.ts';
import { hashSecret, secretKind } from '../model/secret.ts';
import { isTokenLive } from '../model/token.ts';
import type { User } from '../model/user.ts';
import { roles } from '../store/roles.ts';
import { tokens } from '../store/tokens.ts';
import { users } from '../store/users.ts';
import type { Dependencies } from './dependencies.ts';
import type { Principal } from './principal.ts';
import { findLiveSession } from './recognise.ts';
import { touchSession, touchToken } from './touch.ts';
import { sessionView, tokenView, userView } from './views.ts';

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

async function grantsOf({ keyspace }: Dependencies, user: User): Promise<readonly string[]> {
  const found = await keyspace.getMany(
    roles,
    user.roles.map((role) => ({ role })),
  );
  return found.flatMap((role) => role?.permissions ?? []);
}
