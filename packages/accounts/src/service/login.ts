import { isHoldfastError } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { isMadeBy } from '../model/hash-policy.ts';
import { passwordForm } from '../model/password.ts';
import { hashSecret } from '../model/secret.ts';
import { cleanSource, type Source } from '../model/source.ts';
import type { Credential, User } from '../model/user.ts';
import { credentials, sessions, users } from '../store/schema.ts';
import { checkCredentials, countAsSuccess, unknownAccount, wrongCredentials } from './check-credentials.ts';
import { type Dependencies, newSecret } from './dependencies.ts';
import { findByTypedName } from './find-user.ts';
import { currentPolicy, hashPassword, putCredential } from './hash-password.ts';
import { recognise, type Recognition } from './authenticate.ts';
import { recordAudit } from './audit.ts';
import { rememberDevice, type SignedIn, startSession } from './sessions.ts';
import { type CreatedToken, prepareToken, revokeUnused } from './tokens.ts';
import { sessionView, type UserView, userView } from './views.ts';

export interface LoginInput extends Recognition {
  /** The name or the e-mail address, as typed. */
  readonly name: string;
  readonly password: string;
  readonly source?: Source | undefined;
}

export async function login(dependencies: Dependencies, input: LoginInput): Promise<SignedIn> {
  const { newId } = dependencies;
  const token = newSecret(dependencies, 'session');
  const [sessionId, deviceId] = [newId(), newId()];
  return withPassword(dependencies, input, async (transaction, user, { source, hasDevice }) => {
    const deviceToken = hasDevice ? undefined : newSecret(dependencies, 'device');
    await endPrevious(transaction, dependencies, input.sessionToken);
    const session = await startSession(transaction, dependencies, { id: sessionId, userId: user.id, token, source });
    if (deviceToken !== undefined) {
      await rememberDevice(transaction, dependencies, { id: deviceId, userId: user.id, token: deviceToken });
    }
    recordAudit(transaction, dependencies, {
      type: 'login_ok',
      actor: user.id,
      user_id: user.id,
      ip: source.ip,
      session_id: session.id,
    });
    return { user: userView(user), session: sessionView(session), token, deviceToken };
  });
}

interface ProgramLoginInput extends LoginInput {
  /** Name of the new token, by which the user recognises the program. */
  readonly program: string;
  readonly scopes: readonly string[];
  /** Maximum number of tokens with this name. If there are more, the least recently used ones are revoked. */
  readonly tokensMax: number;
}

export interface ProgramSignedIn extends CreatedToken {
  readonly user: UserView;
}

/** Signs in a program that asks for name and password. The program gets a personal token instead of a session. */
export async function loginProgram(dependencies: Dependencies, input: ProgramLoginInput): Promise<ProgramSignedIn> {
  const { program: name, scopes, tokensMax } = input;
  const made = prepareToken(dependencies, { name, scopes });
  return withPassword(dependencies, input, async (transaction, user) => {
    await revokeUnused(transaction, dependencies, user.id, name, tokensMax - 1);
    return { user: userView(user), ...(await made.insert(transaction, user, user.id)) };
  });
}

interface Verified {
  readonly source: ReturnType<typeof cleanSource>;
  readonly hasDevice: boolean;
}

/** Checks the password, then runs `signIn` in the transaction that counts the success. */
async function withPassword<Result>(
  dependencies: Dependencies,
  input: LoginInput,
  signIn: (transaction: Transaction, user: User, verified: Verified) => Promise<Result>,
): Promise<Result> {
  const { keyspace, clock } = dependencies;
  const password = passwordForm(input.password);
  const source = cleanSource(input.source);
  const user = await findByTypedName(keyspace, input.name);
  const credential = user === undefined ? undefined : await keyspace.get(credentials, { id: user.id });
  const { known, hasDevice } = await recognise(dependencies, user?.id, input);
  const account = user?.id ?? unknownAccount(dependencies, input.name);
  const claim = { user, credential, password, account, known, place: source.place, ip: source.ip };
  const counted = await checkCredentials(dependencies, claim);
  const signedIn = await keyspace.transact(async (transaction) => {
    // The password may have changed during the check, or the user may have been disabled or deleted.
    const now = user === undefined ? undefined : await transaction.get(users, { id: user.id });
    const current = user === undefined ? undefined : await transaction.get(credentials, { id: user.id });
    const isUnchanged = current !== undefined && current.password_hash === credential?.password_hash;
    if (now?.status !== 'active' || !isUnchanged) throw wrongCredentials();
    await countAsSuccess(transaction, counted, clock());
    return signIn(transaction, now, { source, hasDevice });
  });
  if (credential !== undefined) await rehash(dependencies, credential, password);
  return signedIn;
}

/** Ends the browser's previous session, even if it belonged to another user. */
export async function endPrevious(
  transaction: Transaction,
  { onUnreadable }: Dependencies,
  sessionToken: string | undefined,
): Promise<void> {
  if (sessionToken === undefined) return;
  const reads = transaction.leavingOut(onUnreadable);
  const previous = await reads.find(sessions.by.hash, { token_hash: hashSecret(sessionToken) });
  if (previous !== undefined) await transaction.put(sessions, { id: previous.id }, { ...previous, revoked: true });
}

/**
 * Replaces a hash that was made under an older policy. This is possible only at a sign-in, when the password is known.
 */
async function rehash(dependencies: Dependencies, credential: Credential, password: string): Promise<void> {
  if (isMadeBy(credential.password_hash, await currentPolicy(dependencies))) return;
  try {
    const hash = await hashPassword(dependencies, password);
    await dependencies.keyspace.transact(async (transaction) => {
      const id = credential.user_id;
      const current = await transaction.get(credentials, { id });
      if (current?.password_hash !== credential.password_hash) return;
      await putCredential(transaction, dependencies, id, hash);
      recordAudit(transaction, dependencies, { type: 'password_rehashed', actor: 'system', user_id: id });
    });
  } catch (error) {
    // The sign-in succeeded anyway; the next one tries to rehash again.
    if (!isHoldfastError(error, 'HASHING_BUSY')) throw error;
  }
}
