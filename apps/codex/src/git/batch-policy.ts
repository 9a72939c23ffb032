/** When pending changes are committed. */
export interface BatchPolicy {
  /** Milliseconds without a change. */
  readonly quietMs: number;
  /** Maximum milliseconds since the first change. */
  readonly maxWaitMs: number;
  /** Number of changes that trigger a commit. */
  readonly maxCount: number;
}

export interface Waiting {
  readonly count: number;
  /** Times of the first and last pending change, in milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * Time of the next commit: after a quiet time, at the latest after the maximum wait, at once if there are many changes.
 * Undefined when nothing is pending.
 */
export function commitAt(waiting: Waiting, policy: BatchPolicy): number | undefined {
  if (waiting.count === 0) return undefined;
  if (waiting.count >= policy.maxCount) return waiting.firstAt;
  return Math.min(waiting.lastAt + policy.quietMs, waiting.firstAt + policy.maxWaitMs);
}
