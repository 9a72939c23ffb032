import type { Hasher } from '../adapters/argon2.ts';
import { accountErrors } from '../errors.ts';

export interface HashingLimits {
  /** How many hashes are computed at once. Each takes 64 MiB and one of the four threads that file access needs too. */
  readonly parallel: number;
  /** How many may wait for their turn. More are turned away, because they would wait longer than anybody does. */
  readonly waiting: number;
}

export const defaultHashingLimits: HashingLimits = { parallel: 2, waiting: 16 };

/** Keeps a flood of sign-ins from taking all the memory and all the threads. */
export function limitHasher(hasher: Hasher, { parallel, waiting }: HashingLimits): Hasher {
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < parallel) {
      running += 1;
      return;
    }
    if (queue.length >= waiting) {
      throw accountErrors.HASHING_BUSY(`${running + queue.length} passwords are being checked already`, {
        details: { retry_after_ms: 2_000 },
      });
    }
    // The one who leaves hands over the place, so `running` stays as it is.
    await new Promise<void>((turn) => queue.push(turn));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };

  return {
    hash: (password, policy) => within(() => hasher.hash(password, policy)),
    verify: (hash, password) => within(() => hasher.verify(hash, password)),
  };
}
