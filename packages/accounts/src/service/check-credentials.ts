import { failpoint } from '@holdfast/base';

import { accountErrors } from '../errors.ts';
import type { Credential, User } from '../model/user.ts';
import { type Attempt, type Counted, countAttempt, uncountAttempt } from './count-attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { isPassword } from './hash-password.ts';
import { recordAudit } from './audit.ts';

export interface Claim extends Attempt {
  /** Undefined for an unknown name. */
  readonly user: User | undefined;
  readonly credential: Credential | undefined;
  readonly password: string;
  readonly ip: string;
}

/** The same error for every cause, so it reveals nothing. */
export function wrongCredentials(): Error {
  return accountErrors.CREDENTIALS_WRONG('The name or the password is wrong');
}

/**
 * Counts the attempt, then does the same work whether or not the user exists, and throws the same error for every
 * cause. The caller must settle the result with `countAsSuccess`.
 */
export async function checkCredentials(dependencies: Dependencies, claim: Claim): Promise<Counted> {
  const counted = await countAttempt(dependencies, claim);
  failpoint('accounts.attempt.counted');
  const isRight = await isPassword(dependencies, claim.credential, claim.password).catch(async (error: unknown) => {
    await uncountAttempt(dependencies, counted);
    throw error;
  });
  if (isRight && claim.user?.status === 'active') return counted;
  await dependencies.keyspace.transact(async (transaction) => {
    const user_id = claim.user?.id ?? null;
    recordAudit(transaction, dependencies, { type: 'login_failed', actor: 'anonymous', user_id, ip: claim.ip });
  });
  throw wrongCredentials();
}
