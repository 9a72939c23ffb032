import { hash, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';

import { type HashPolicy, isBcrypt } from '../model/hash-policy.ts';

/** Password hashing that is slow on purpose. Only this file imports the hashing libraries. */
export interface Hasher {
  /** Returns a PHC string with its own salt. */
  hash(password: string, policy: HashPolicy): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/**
 * Uses the library's defaults: Argon2id 1.3, a 16-byte salt and a 32-byte digest. Hashing runs outside the event loop.
 */
export const argon2Hasher: Hasher = {
  hash: (password, policy) =>
    hash(password, {
      memoryCost: policy.memory_kib,
      timeCost: policy.iterations,
      parallelism: policy.parallelism,
    }),
  verify: (stored, password) => (isBcrypt(stored) ? verifyBcrypt(password, stored) : verify(stored, password)),
};
