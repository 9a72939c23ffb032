import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { type Identity, identityId } from '../model/identity.ts';
import type { ExternalSignIn, RoleName } from '../model/names.ts';
import { cleanSource, type Source } from '../model/source.ts';
import { countFailure, remainingPause } from '../model/throttle.ts';
import { foldEmail, foldUsername, type User } from '../model/user.ts';
import { identities, ownerId, throttles, users } from '../store/schema.ts';
import { recordAudit } from './audit.ts';
import { insertUser, parseNames } from './create-user.ts';
import { type Dependencies, newSecret, SYSTEM } from './dependencies.ts';
import { findByTypedName, requireUser } from './find-user.ts';
import { endPrevious } from './login.ts';
import { changeRoles, parseRoles } from './manage-user.ts';
import { type SignedIn, startSession } from './sessions.ts';
import { sessionView, userView } from './views.ts';

/** Role of an account that the first sign-in creates. It only allows reading; an administrator can change it. */
const NEW_ROLES: readonly RoleName[] = ['viewer'];

interface Arrival {
  readonly source?: Source | undefined;
  /** The browser's previous session, which this sign-in ends. */
  readonly sessionToken?: string | undefined;
}

export interface ProxyLoginInput extends Arrival {
  /** Name or e-mail address that the proxy sent. */
  readonly name: string;
}

/** Signs in the user whom the trusted reverse proxy names. The first sign-in of an unknown user creates an account. */
export async function loginByProxy(dependencies: Dependencies, input: ProxyLoginInput): Promise<SignedIn> {
  const id = dependencies.newId();
  return signIn(dependencies, 'proxy', input, async (transaction) => {
    const known = await findByTypedName(transaction, input.name);
    if (known !== undefined) return known;
    const email = input.name.includes('@') ? input.name : null;
    return createAccount(transaction, dependencies, { id, username: nameFrom(input.name), email, roles: NEW_ROLES });
  });
}

type IdentityKey = Pick<Identity, 'issuer' | 'subject'>;

export interface IdentityLoginInput extends Arrival, IdentityKey {
  /** User name for a new account; an e-mail address is cut at its `@`. */
  readonly name: string;
  /** Only an address that the provider has verified. */
  readonly email: string | null;
  /** Roles that the provider assigns; undefined if Holdfast assigns roles itself. */
  readonly roles: readonly RoleName[] | undefined;
}

/**
 * Signs in a user of an OpenID Connect provider. Finds the account by the provider's id for the user, never by name: at
 * many providers, users can choose their name.
 */
export async function loginByIdentity(dependencies: Dependencies, input: IdentityLoginInput): Promise<SignedIn> {
  const id = dependencies.newId();
  const roles = input.roles === undefined ? undefined : parseRoles(input.roles);
  return signIn(dependencies, 'oidc', input, async (transaction) => {
    const identity = await transaction.get(identities, { id: identityId(input) });
    if (identity !== undefined) {
      const user = await requireUser(transaction, identity.user_id);
      return roles === undefined ? user : changeRoles(transaction, dependencies, user, roles, SYSTEM);
    }
    const { email } = input;
    const username = nameFrom(input.name);
    await refuseForeignAccount(transaction, username, email);
    const account = { id, username, email, roles: roles ?? NEW_ROLES };
    const user = await createAccount(transaction, dependencies, account);
    await putIdentity(transaction, dependencies, input, user.id);
    return user;
  });
}

export interface RefusedIdentityInput {
  /** Error code. */
  readonly reason: string;
  /** Undefined if the provider's answer was not valid. */
  readonly identity?: IdentityKey | undefined;
  readonly source?: Source | undefined;
}

const SUBJECT_CHARACTERS = 255;

/**
 * Records that the server refused a sign-in through an OpenID Connect provider. Anyone can cause a refusal without
 * credentials, so a place that causes many is throttled. Without the throttle, it could push all other events out of
 * the log. This counter is separate from the one for password sign-ins, because any website can make a browser cause
 * refusals.
 */
export async function recordRefusedIdentity(
  dependencies: Dependencies,
  { reason, identity, source }: RefusedIdentityInput,
): Promise<void> {
  const { ip, place } = cleanSource(source);
  const key = { kind: 'source', id: `oidc ${place}` } as const;
  await dependencies.keyspace.transact(async (transaction) => {
    const now = dependencies.clock();
    const counter = await transaction.get(throttles, key);
    if (remainingPause(counter, now) > 0) return;
    await transaction.put(throttles, key, countFailure(key.kind, key.id, counter, now));
    const known = identity && (await transaction.get(identities, { id: identityId(identity) }));
    const subject = identity && { subject: identity.subject.slice(0, SUBJECT_CHARACTERS).toWellFormed() };
    const facts = { actor: 'anonymous', user_id: known?.user_id ?? null, ip, via: 'oidc', reason, ...subject } as const;
    recordAudit(transaction, dependencies, { type: 'login_failed', ...facts });
  });
}

function nameFrom(name: string): string {
  return name.split('@', 1)[0] ?? '';
}

async function refuseForeignAccount(transaction: Transaction, username: string, email: string | null): Promise<void> {
  const byName = await transaction.find(users.by.username, { lower: foldUsername(username) });
  const byEmail = email === null ? undefined : await transaction.find(users.by.email, { lower: foldEmail(email) });
  if (byName === undefined && byEmail === undefined) return;
  throw accountErrors.IDENTITY_NOT_LINKED('An account with this name or e-mail address exists and is not linked');
}

/** Finds the user with `find` and starts a session in the same commit. */
async function signIn(
  dependencies: Dependencies,
  via: ExternalSignIn,
  { source: given, sessionToken }: Arrival,
  find: (transaction: Transaction) => Promise<User>,
): Promise<SignedIn> {
  const source = cleanSource(given);
  const token = newSecret(dependencies, 'session');
  const sessionId = dependencies.newId();
  return dependencies.keyspace.transact(async (transaction) => {
    const user = await find(transaction);
    if (user.status !== 'active') throw accountErrors.ACCOUNT_DISABLED(`The account ${user.username} is disabled`);
    await endPrevious(transaction, dependencies, sessionToken);
    const session = await startSession(transaction, dependencies, { id: sessionId, userId: user.id, token, source });
    const facts = { actor: user.id, user_id: user.id, ip: source.ip, session_id: session.id, via };
    recordAudit(transaction, dependencies, { type: 'login_ok', ...facts });
    return { user: userView(user), session: sessionView(session), token, deviceToken: undefined };
  });
}

interface NewAccount {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly roles: readonly RoleName[];
}

/** Creates an account without a password; an administrator can set one. */
async function createAccount(transaction: Transaction, dependencies: Dependencies, account: NewAccount): Promise<User> {
  if ((await transaction.get(ownerId, {})) === undefined) {
    throw accountErrors.SETUP_REQUIRED('The first user must be the owner');
  }
  const { id } = account;
  const roles = [...account.roles];
  const user = await insertUser(transaction, dependencies, { ...parseNames(account), id, roles });
  recordAudit(transaction, dependencies, { type: 'user_created', actor: SYSTEM, user_id: id, roles });
  return user;
}

/** Links a signed-in user to their account at the provider. Replaces the user's earlier link, if there is one. */
export async function linkIdentity(
  dependencies: Dependencies,
  { userId, ...key }: IdentityKey & { readonly userId: string },
): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    const { id } = await requireUser(transaction, userId);
    const taken = await transaction.get(identities, { id: identityId(key) });
    if (taken !== undefined && taken.user_id !== id) {
      throw accountErrors.IDENTITY_TAKEN('This user of the provider is linked to another account');
    }
    await removeIdentities(transaction, id);
    await putIdentity(transaction, dependencies, key, id);
    recordAudit(transaction, dependencies, { type: 'identity_linked', actor: id, user_id: id });
  });
}

export async function unlinkIdentity(dependencies: Dependencies, userId: string): Promise<void> {
  await dependencies.keyspace.transact(async (transaction) => {
    if ((await removeIdentities(transaction, userId)) === 0) return;
    recordAudit(transaction, dependencies, { type: 'identity_unlinked', actor: userId, user_id: userId });
  });
}

/** Returns whether the user can sign in through an OpenID Connect provider. */
export async function hasIdentity({ reader }: Dependencies, userId: string): Promise<boolean> {
  return (await reader.list(identities.by.user, { user_id: userId }, { limit: 1 })).length > 0;
}

async function putIdentity(
  transaction: Transaction,
  { clock }: Dependencies,
  { issuer, subject }: IdentityKey,
  user_id: string,
): Promise<void> {
  const id = identityId({ issuer, subject });
  const created_at = toTimestamp(clock());
  await transaction.put(identities, { id }, { id, issuer, subject, user_id, created_at, version: 1 });
}

async function removeIdentities(transaction: Transaction, userId: string): Promise<number> {
  const linked = await transaction.list(identities.by.user, { user_id: userId });
  for (const { id } of linked) await transaction.delete(identities, { id });
  return linked.length;
}
