import { hash, verify } from '@node-rs/argon2';

import type { HashPolicy } from '../model/hash-policy.ts';

/** Slow password hashing. Only this file imports the library. */
export interface Hasher {
  /** Returns a PHC string with its own salt. */
  hash(password: string, policy: HashPolicy): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** The library's default is Argon2id, version 1.3, with 16 bytes of salt and 32 of digest. Runs outside the event loop. */
export const argon2Hasher: Hasher = {
  hash: (password, policy) =>
    hash(password, {
      memoryCost: policy.memory_kib,
      timeCost: policy.iterations,
      parallelism: policy.parallelism,
    }),
  verify: (stored, password) => verify(stored, password),
};
