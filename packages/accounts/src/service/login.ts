import { isHoldfastError } from '@holdfast/base';

import { isMadeBy } from '../model/hash-policy.ts';
import { passwordForm } from '../model/password.ts';
import { hashSecret } from '../model/secret.ts';
import { cleanSource, type Source } from '../model/source.ts';
import type { Credential } from '../model/user.ts';
import { credentials, sessions, users } from '../store/schema.ts';
import { checkCredentials, countAsSuccess, unknownAccount, wrongCredentials } from './check-credentials.ts';
import { type Dependencies, newSecret } from './dependencies.ts';
import { findByTypedName } from './find-user.ts';
import { currentPolicy, hashPassword, putCredential } from './hash-password.ts';
import { recognise, type Recognition } from './authenticate.ts';
import { recordAudit } from './audit.ts';
import { rememberDevice, type SignedIn, startSession } from './sessions.ts';
import { sessionView, userView } from './views.ts';

export interface LoginInput extends Recognition {
  /** The name or the e-mail address, as typed. */
  readonly name: string;
  readonly password: string;
  readonly source?: Source | undefined;
}

export async function login(dependencies: Dependencies, input: LoginInput): Promise<SignedIn> {
  const { keyspace, newId, clock } = dependencies;
  const password = passwordForm(input.password);
  const source = cleanSource(input.source);
  const user = await findByTypedName(keyspace, input.name);
  const credential = user === undefined ? undefined : await keyspace.get(credentials, { id: user.id });
  const { known, hasDevice } = await recognise(dependencies, user?.id, input);
  const account = user?.id ?? unknownAccount(dependencies, input.name);
  const claim = { user, credential, password, account, known, place: source.place, ip: source.ip };
  const counted = await checkCredentials(dependencies, claim);

  const token = newSecret(dependencies, 'session');
  const deviceToken = hasDevice ? undefined : newSecret(dependencies, 'device');
  const [sessionId, deviceId] = [newId(), newId()];
  const signedIn = await keyspace.transact(async (transaction) => {
    // The password may have changed during the check, or the user may have been disabled or deleted.
    const now = user === undefined ? undefined : await transaction.get(users, { id: user.id });
    const current = user === undefined ? undefined : await transaction.get(credentials, { id: user.id });
    const isUnchanged = current !== undefined && current.password_hash === credential?.password_hash;
    if (now?.status !== 'active' || !isUnchanged) throw wrongCredentials();
    await countAsSuccess(transaction, counted, clock());
    await endPrevious(transaction, input.sessionToken);
    const session = await startSession(transaction, dependencies, { id: sessionId, userId: now.id, token, source });
    if (deviceToken !== undefined) {
      await rememberDevice(transaction, dependencies, { id: deviceId, userId: now.id, token: deviceToken });
    }
    recordAudit(transaction, dependencies, {
      type: 'login_ok',
      actor: now.id,
      user_id: now.id,
      ip: source.ip,
      session_id: session.id,
    });
    return { user: userView(now), session: sessionView(session), token, deviceToken };
  });
  if (credential !== undefined) await rehash(dependencies, credential, password);
  return signedIn;
}

/** A sign-in replaces the browser's previous session, whoever it belonged to. */
async function endPrevious(
  transaction: Parameters<typeof startSession>[0],
  sessionToken: string | undefined,
): Promise<void> {
  if (sessionToken === undefined) return;
  const previous = await transaction.find(sessions.by.hash, { token_hash: hashSecret(sessionToken) });
  if (previous !== undefined) await transaction.put(sessions, { id: previous.id }, { ...previous, revoked: true });
}

/** Replaces a hash of an older policy. Only possible at a sign-in, when the password is known. */
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
