import { z } from 'zod';

import { accountErrors } from '../errors.ts';

/**
 * The cost of a password hash. `meta:auth:argon2_params` holds the policy for new hashes. Each hash carries its own
 * parameters, so a new policy locks nobody out and applies to each user at the next sign-in.
 */

export const hashPolicySchema = z.object({
  memory_kib: z
    .int()
    .min(8)
    .max(4 * 1_024 * 1_024),
  iterations: z.int().min(1).max(64),
  parallelism: z.int().min(1).max(16),
  version: z.literal(1),
});

export type HashPolicy = Readonly<z.infer<typeof hashPolicySchema>>;

/** One hash takes about 55 ms on one core and 64 MiB of memory. The OWASP minimum is 19 MiB. */
export const defaultHashPolicy: HashPolicy = { memory_kib: 65_536, iterations: 3, parallelism: 1, version: 1 };

const owaspMinimum = { memory_kib: 19_456, iterations: 2 };

export function parseHashPolicy(policy: HashPolicy): HashPolicy {
  const parsed = hashPolicySchema.safeParse(policy);
  if (!parsed.success)
    throw accountErrors.HASH_POLICY_INVALID('The password hashing parameters are outside the allowed range');
  const { memory_kib: memory, iterations } = parsed.data;
  if (memory >= owaspMinimum.memory_kib && iterations >= owaspMinimum.iterations) return parsed.data;
  throw accountErrors.HASH_POLICY_INVALID('The password hashing parameters are below the safe minimum');
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{43}$/;

/** Returns the cost of a hash, or undefined for a hash that this package would not produce. */
export function policyOf(hash: string): HashPolicy | undefined {
  const match = phc.exec(hash);
  if (match === null) return undefined;
  const [memory, iterations, parallelism] = match.slice(1).map(Number);
  const parsed = hashPolicySchema.safeParse({ memory_kib: memory, iterations, parallelism, version: 1 });
  return parsed.success ? parsed.data : undefined;
}

/** Allows a cost of at most 14: a higher cost, for example in a forged database, could block the server. */
const bcrypt = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

/** Returns whether a hash was imported from a program that uses bcrypt. */
export function isBcrypt(hash: string): boolean {
  return bcrypt.test(hash);
}

export function isMadeBy(hash: string, policy: HashPolicy): boolean {
  const made = policyOf(hash);
  return (
    made !== undefined &&
    made.memory_kib === policy.memory_kib &&
    made.iterations === policy.iterations &&
    made.parallelism === policy.parallelism
  );
}

const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/** Returns a hash that matches no password and costs as much to check as a real one. Used for unknown users. */
export function decoyHash(policy: HashPolicy, randomBytes: (count: number) => Uint8Array): string {
  const { memory_kib: memory, iterations, parallelism } = policy;
  const cost = `m=${memory},t=${iterations},p=${parallelism}`;
  return `$argon2id$v=19$${cost}$${toBase64(randomBytes(SALT_BYTES))}$${toBase64(randomBytes(DIGEST_BYTES))}`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
