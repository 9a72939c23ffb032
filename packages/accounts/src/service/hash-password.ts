import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { decoyHash, defaultHashPolicy, type HashPolicy, parseHashPolicy, policyOf } from '../model/hash-policy.ts';
import type { Credential } from '../model/user.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { credentials, hashPolicies } from '../store/schema.ts';

/** Reads the policy each time, so a change reaches every process at once. */
export async function currentPolicy({ keyspace }: Dependencies): Promise<HashPolicy> {
  return (await keyspace.get(hashPolicies, {})) ?? defaultHashPolicy;
}

/** Must not run inside a transaction: hashing is slow, and transactions may retry. */
export async function hashPassword(dependencies: Dependencies, password: string): Promise<string> {
  return dependencies.hasher.hash(password, await currentPolicy(dependencies));
}

/** Checks a password. Without a valid credential, checks a decoy hash, which takes as long, and returns false. */
export async function isPassword(
  dependencies: Dependencies,
  credential: Credential | undefined,
  password: string,
): Promise<boolean> {
  const stored = credential?.password_hash;
  const isUsable = stored !== undefined && policyOf(stored) !== undefined;
  const hash = isUsable
    ? stored
    : decoyHash(await currentPolicy(dependencies), (count) => dependencies.random.bytes(count));
  return (await dependencies.hasher.verify(hash, password)) && isUsable;
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
      password_hash_algo: 'argon2id',
      password_hash: hash,
      created_at: previous?.created_at ?? now,
      updated_at: now,
      version: 1,
    },
  );
}

/** Applies to new hashes in all processes. Existing hashes are replaced at the user's next sign-in. */
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
