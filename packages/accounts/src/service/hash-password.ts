import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import {
  decoyHash,
  defaultHashPolicy,
  type HashPolicy,
  isBcrypt,
  parseHashPolicy,
  policyOf,
} from '../model/hash-policy.ts';
import type { Credential } from '../model/user.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { credentials, hashPolicies } from '../store/schema.ts';

/** Reads the policy each time, so a change reaches every process immediately. */
export async function currentPolicy({ reader }: Dependencies): Promise<HashPolicy> {
  return (await reader.get(hashPolicies, {})) ?? defaultHashPolicy;
}

/** Must not run inside a transaction: hashing is slow, and transactions may retry. */
export async function hashPassword(dependencies: Dependencies, password: string): Promise<string> {
  return dependencies.hasher.hash(password, await currentPolicy(dependencies));
}

/**
 * Checks a password. If the user has no valid credential, checks a decoy hash instead and returns false. Both checks
 * take the same time.
 */
export async function isPassword(
  dependencies: Dependencies,
  credential: Credential | undefined,
  password: string,
): Promise<boolean> {
  const { hasher, random } = dependencies;
  const stored = credential?.password_hash;
  const isUsable = stored !== undefined && policyOf(stored) !== undefined;
  const decoy = async () => decoyHash(await currentPolicy(dependencies), (count) => random.bytes(count));
  const isRight = (await hasher.verify(isUsable ? stored : await decoy(), password)) && isUsable;
  // For an imported hash, the decoy has been checked first: bcrypt alone is faster and would reveal that the user
  // exists.
  return stored !== undefined && isBcrypt(stored) ? hasher.verify(stored, password) : isRight;
}

export async function putCredential(
  transaction: Transaction,
  { clock }: Dependencies,
  userId: string,
  hash: string,
): Promise<void> {
  const now = toTimestamp(clock());
  const previous = await transaction.get(credentials, { id: userId });
  await transaction.put(
    credentials,
    { id: userId },
    {
      user_id: userId,
      password_hash_algo: isBcrypt(hash) ? 'bcrypt' : 'argon2id',
      password_hash: hash,
      created_at: previous?.created_at ?? now,
      updated_at: now,
      version: 1,
    },
  );
}

/** Sets the policy for new hashes in all processes. Existing hashes are replaced at the user's next sign-in. */
export async function setHashPolicy(
  dependencies: Dependencies,
  policy: Omit<HashPolicy, 'version'>,
  actor: Actor = SYSTEM,
): Promise<void> {
  const parsed = parseHashPolicy({ ...policy, version: 1 });
  await dependencies.keyspace.transact(async (transaction) => {
    await transaction.put(hashPolicies, {}, parsed);
    recordAudit(transaction, dependencies, { type: 'hash_policy_changed', actor, user_id: null });
  });
}
