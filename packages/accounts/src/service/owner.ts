import { timingSafeEqual } from 'node:crypto';

import { failpoint, toTimestamp } from '@holdfast/base';
import type { Reads, Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { newPasswordForm } from '../model/password.ts';
import { hashSecret } from '../model/secret.ts';
import { cleanSource, type Source } from '../model/source.ts';
import { isWithinLifetime } from '../model/time.ts';
import type { User } from '../model/user.ts';
import { credentials, ownerId, setupLinks, users } from '../store/schema.ts';
import { recordAudit } from './audit.ts';
import { insertUser, type Names, parseNames, refuseTakenNames } from './create-user.ts';
import { type Actor, type Dependencies, newSecret, SYSTEM } from './dependencies.ts';
import { hashPassword, putCredential } from './hash-password.ts';
import { rememberDevice, type SignedIn, startSession } from './sessions.ts';
import { sessionView, type UserView, userView } from './views.ts';

interface CreateOwnerInput {
  readonly username: string;
  readonly email?: string | null | undefined;
  /** Without a password, the owner can use tokens, and the setup link can still set a password. */
  readonly password?: string | undefined;
  readonly actor?: Actor;
}

/** Creates the first user, an administrator. Throws OWNER_EXISTS if there already is an owner. */
export async function createOwner(dependencies: Dependencies, input: CreateOwnerInput): Promise<UserView> {
  const { keyspace, newId } = dependencies;
  const names = parseNames(input);
  const password = input.password === undefined ? undefined : newPasswordForm(input.password, Object.values(names));
  await refuseSecondOwner(keyspace);
  const hash = password === undefined ? undefined : await hashPassword(dependencies, password);
  const id = newId();
  const user = await keyspace.transact(async (transaction) => {
    await refuseSecondOwner(transaction);
    const actor = input.actor ?? SYSTEM;
    const made = await insertOwner(transaction, dependencies, { ...names, id, actor });
    if (hash !== undefined) {
      await putCredential(transaction, dependencies, id, hash);
      await transaction.delete(setupLinks, {});
    }
    return made;
  });
  return userView(user);
}

/** Returns the owner; creates the owner if none exists. */
export async function ensureOwner(
  dependencies: Dependencies,
  input: CreateOwnerInput,
): Promise<{ readonly user: UserView; readonly created: boolean }> {
  try {
    return { user: await createOwner(dependencies, input), created: true };
  } catch (error) {
    const user = await findOwner(dependencies.keyspace);
    if (user === undefined) throw error;
    return { user: userView(user), created: false };
  }
}

async function findOwner(reads: Reads): Promise<User | undefined> {
  const id = await reads.get(ownerId, {});
  return id === undefined ? undefined : reads.get(users, { id });
}

async function refuseSecondOwner(reads: Reads): Promise<void> {
  if ((await reads.get(ownerId, {})) !== undefined) throw accountErrors.OWNER_EXISTS('The server already has an owner');
}

/** The caller has checked in the same transaction that there is no owner. */
async function insertOwner(
  transaction: Transaction,
  dependencies: Dependencies,
  { actor, ...owner }: Names & { readonly id: string; readonly actor: Actor },
): Promise<User> {
  const user = await insertUser(transaction, dependencies, { ...owner, roles: ['admin'] });
  await transaction.put(ownerId, {}, user.id);
  recordAudit(transaction, dependencies, { type: 'owner_created', actor, user_id: user.id, roles: ['admin'] });
  return user;
}

interface CreatedSetupLink {
  /** Secret for the URL fragment, which browsers do not send and servers do not log. */
  readonly secret: string;
  readonly expires_at: string;
}

/** Creates a setup link; an earlier link stops working. Throws OWNER_EXISTS when setup is complete. */
export async function createSetupLink(dependencies: Dependencies): Promise<CreatedSetupLink> {
  const { keyspace, clock, settings } = dependencies;
  const secret = newSecret(dependencies, 'setup');
  const now = clock();
  const expires_at = toTimestamp(now + settings.setupLinkMs);
  await keyspace.transact(async (transaction) => {
    const { state, owner } = await readSetup(transaction);
    if (state === 'done') throw accountErrors.OWNER_EXISTS('The server already has an owner');
    const link = { token_hash: hashSecret(secret), created_at: toTimestamp(now), expires_at, version: 1 as const };
    await transaction.put(setupLinks, {}, link);
    recordAudit(transaction, dependencies, {
      type: 'setup_link_created',
      actor: SYSTEM,
      user_id: owner?.id ?? null,
    });
  });
  return { secret, expires_at };
}

/**
 * State of the setup. `no_password`: the command line created the owner (`holdfast token create`); the setup link sets
 * the owner's password, and the owner's tokens keep working.
 */
type SetupState = 'no_owner' | 'no_password' | 'done';

export async function setupState({ keyspace }: Dependencies): Promise<SetupState> {
  const { state } = await readSetup(keyspace);
  return state;
}

async function readSetup(reads: Reads): Promise<{ readonly state: SetupState; readonly owner: User | undefined }> {
  const id = await reads.get(ownerId, {});
  if (id === undefined) return { state: 'no_owner', owner: undefined };
  const owner = await reads.get(users, { id });
  // The owner was deleted or disabled. Another administrator exists, because the last one cannot be deleted or
  // disabled. So setup stays closed.
  if (owner === undefined || owner.status !== 'active') return { state: 'done', owner };
  const credential = await reads.get(credentials, { id });
  return { state: credential === undefined ? 'no_password' : 'done', owner };
}

interface RedeemSetupLinkInput {
  readonly secret: string;
  readonly username: string;
  readonly email?: string | null | undefined;
  readonly password: string;
  readonly source?: Source | undefined;
}

/**
 * Creates the owner, or sets the password of an owner created on the command line, and signs them in. Link, owner and
 * session change in one commit, so exactly one of several simultaneous uses succeeds.
 */
export async function redeemSetupLink(dependencies: Dependencies, input: RedeemSetupLinkInput): Promise<SignedIn> {
  const { keyspace, newId } = dependencies;
  const source = cleanSource(input.source);
  const names = parseNames(input);
  const password = newPasswordForm(input.password, Object.values(names));
  // Checks the link before the slow hash, so that a wrong link costs nothing. The transaction checks it again.
  await requireLink(keyspace, dependencies, input.secret);
  const hash = await hashPassword(dependencies, password);
  failpoint('accounts.setup.hashed');
  const token = newSecret(dependencies, 'session');
  const deviceToken = newSecret(dependencies, 'device');
  const [id, sessionId, deviceId] = [newId(), newId(), newId()];
  return keyspace.transact(async (transaction) => {
    await requireLink(transaction, dependencies, input.secret);
    await transaction.delete(setupLinks, {});
    const owner = await makeOrClaim(transaction, dependencies, names, id);
    await putCredential(transaction, dependencies, owner.id, hash);
    const session = await startSession(transaction, dependencies, { id: sessionId, userId: owner.id, token, source });
    await rememberDevice(transaction, dependencies, { id: deviceId, userId: owner.id, token: deviceToken });
    const facts = { actor: owner.id, user_id: owner.id, ip: source.ip, session_id: session.id };
    recordAudit(transaction, dependencies, { type: 'login_ok', ...facts });
    return { user: userView(owner), session: sessionView(session), token, deviceToken };
  });
}

async function requireLink(reads: Reads, { clock }: Dependencies, secret: string): Promise<void> {
  const link = await reads.get(setupLinks, {});
  const isRight =
    link !== undefined &&
    isWithinLifetime(link, clock()) &&
    timingSafeEqual(Buffer.from(link.token_hash), Buffer.from(hashSecret(secret))) &&
    (await readSetup(reads)).state !== 'done';
  if (!isRight) throw accountErrors.SETUP_LINK_INVALID('This one-time link is not valid, or no longer valid');
}

async function makeOrClaim(
  transaction: Transaction,
  dependencies: Dependencies,
  names: Names,
  id: string,
): Promise<User> {
  const { owner } = await readSetup(transaction);
  if (owner === undefined) return insertOwner(transaction, dependencies, { ...names, id, actor: 'anonymous' });
  await refuseTakenNames(transaction, names, owner.id);
  const claimed: User = { ...owner, ...names, updated_at: toTimestamp(dependencies.clock()) };
  await transaction.put(users, { id: owner.id }, claimed);
  recordAudit(transaction, dependencies, { type: 'password_changed', actor: owner.id, user_id: owner.id });
  return claimed;
}
