import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { decoyHash, defaultHashPolicy, type HashPolicy, policyOf } from '../model/hash-policy.ts';
import type { Credential } from '../model/user.ts';
import { hashPolicies } from '../store/meta.ts';
import { credentials } from '../store/users.ts';
import type { Dependencies } from './dependencies.ts';

/** Read each time, so that a change of policy reaches every process at once. */
export async function currentPolicy({ keyspace }: Dependencies): Promise<HashPolicy> {
  return (await keyspace.get(hashPolicies, {})) ?? defaultHashPolicy;
}

/** Never inside a transaction: it takes long, and a transaction may be run twice. */
export async function hashPassword(dependencies: Dependencies, password: string): Promise<string> {
  return dependencies.hasher.hash(password, await currentPolicy(dependencies));
}

/**
 * Whether this is the password. Without a credential, or with one that is damaged, the same work is done on a decoy and
 * the answer is no, whatever the hashing said.
 */
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
