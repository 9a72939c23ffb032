/** When the changes that wait become a commit. */
export interface BatchPolicy {
  /** Milliseconds without a change. */
  readonly quietMs: number;
  /** Milliseconds since the first change, however busy it is. */
  readonly maxWaitMs: number;
  /** Waiting changes. */
  readonly maxCount: number;
}

export interface Waiting {
  readonly count: number;
  /** Milliseconds since 1970 of the first and of the last change that wait. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * The moment to commit: after quiet, but never later than the maximum wait after the first change, and at once when
 * there are many. Undefined when nothing waits. The time of the last commit plays no part: an idle notebook's first change
 * waits for its neighbours like any other.
 */
export function commitAt(waiting: Waiting, policy: BatchPolicy): number | undefined {
  if (waiting.count === 0) return undefined;
  if (waiting.count >= policy.maxCount) return waiting.firstAt;
  return Math.min(waiting.lastAt + policy.quietMs, waiting.firstAt + policy.maxWaitMs);
}
