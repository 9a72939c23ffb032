import { type HashPolicy, parseHashPolicy } from '../model/hash-policy.ts';
import { hashPolicies } from '../store/meta.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { recordAudit } from './audit.ts';

/** For new hashes, in all processes, from now on; each user's own follows at their next sign-in. */
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
