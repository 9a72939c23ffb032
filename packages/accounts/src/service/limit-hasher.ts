import { Limiter } from '@holdfast/base';

import type { Hasher } from '../adapters/argon2.ts';
import { accountErrors } from '../errors.ts';

export interface HashingLimits {
  /** Maximum concurrent hashes: each takes 64 MiB and one of libuv's four threads, which file access also needs. */
  readonly parallel: number;
  /** Maximum queue length. Longer queues are useless: clients give up before their turn. */
  readonly waiting: number;
}

export const defaultHashingLimits: HashingLimits = { parallel: 2, waiting: 16 };

/** Limits concurrent hashing, so that a flood of sign-ins cannot exhaust memory and threads. */
export function limitHasher(hasher: Hasher, { parallel, waiting }: HashingLimits): Hasher {
  const limiter = new Limiter(parallel);
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limiter.running >= parallel && limiter.waiting >= waiting) {
      throw accountErrors.HASHING_BUSY(
        `The server is already checking ${limiter.running + limiter.waiting} passwords`,
        {
          details: { retry_after_ms: 2_000 },
        },
      );
    }
    return limiter.run(work);
  };
  return {
    hash: (password, policy) => within(() => hasher.hash(password, policy)),
    verify: (hash, password) => within(() => hasher.verify(hash, password)),
  };
}
