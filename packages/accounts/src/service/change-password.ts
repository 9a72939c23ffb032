import { newPasswordForm, passwordForm } from '../model/password.ts';
import { hashSecret } from '../model/secret.ts';
import { cleanSource, type Source } from '../model/source.ts';
import { credentials, sessions } from '../store/schema.ts';
import { recordAudit } from './audit.ts';
import { findLiveSession } from './authenticate.ts';
import { checkCredentials, countAsSuccess, wrongCredentials } from './check-credentials.ts';
import { type Actor, type Dependencies, newSecret, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { hashPassword, putCredential } from './hash-password.ts';
import { revokeAllOf } from './sessions.ts';

interface ChangePasswordInput {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The caller's session. It continues with a new token; all other sessions end. */
  readonly sessionToken?: string | undefined;
  readonly source?: Source | undefined;
}

/** Requires the old password; attempts are throttled like sign-ins. */
export async function changePassword(
  dependencies: Dependencies,
  input: ChangePasswordInput,
): Promise<{ readonly token: string | undefined }> {
  const { keyspace, clock } = dependencies;
  const password = passwordForm(input.currentPassword);
  const user = await requireUser(keyspace, input.userId);
  const chosen = newPasswordForm(input.newPassword, [user.username, user.email]);
  const source = cleanSource(input.source);
  const credential = await keyspace.get(credentials, { id: user.id });
  const found = await findLiveSession(dependencies, input.sessionToken);
  const session = found?.user_id === user.id ? found : undefined;
  const known = session === undefined ? undefined : `session-${session.id}`;
  const claim = { user, credential, password, account: user.id, known, place: source.place, ip: source.ip };
  const counted = await checkCredentials(dependencies, claim);

  const hash = await hashPassword(dependencies, chosen);
  const token = session === undefined ? undefined : newSecret(dependencies, 'session');
  await keyspace.transact(async (transaction) => {
    const current = await transaction.get(credentials, { id: user.id });
    if (current === undefined || current.password_hash !== credential?.password_hash) throw wrongCredentials();
    await countAsSuccess(transaction, counted, clock());
    await putCredential(transaction, dependencies, user.id, hash);
    const count = await revokeAllOf(transaction, user.id, session?.id);
    if (session !== undefined && token !== undefined) {
      const token_hash = hashSecret(token);
      await transaction.update(sessions, { id: session.id }, (stored) => ({ ...stored, token_hash }));
    }
    const facts = { actor: user.id, user_id: user.id, ip: source.ip, count };
    recordAudit(transaction, dependencies, { type: 'password_changed', ...facts });
  });
  return { token };
}

interface SetPasswordInput {
  readonly userId: string;
  readonly password: string;
  readonly actor?: Actor;
}

/** Sets a password without the old one, and ends all sessions. For administrators and the command line. */
export async function setPassword(dependencies: Dependencies, input: SetPasswordInput): Promise<void> {
  const { keyspace } = dependencies;
  const { username, email } = await requireUser(keyspace, input.userId);
  const hash = await hashPassword(dependencies, newPasswordForm(input.password, [username, email]));
  await keyspace.transact(async (transaction) => {
    const { id } = await requireUser(transaction, input.userId);
    await putCredential(transaction, dependencies, id, hash);
    const count = await revokeAllOf(transaction, id);
    const actor = input.actor ?? SYSTEM;
    recordAudit(transaction, dependencies, { type: 'password_changed', actor, user_id: id, count });
  });
}
