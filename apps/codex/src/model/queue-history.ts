import { MINUTE, SECOND, toTimestamp } from '@holdfast/base';

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly pending: number;
  readonly oldestPendingSeconds: number;
  readonly gitLagSeconds: number;
}

/** Columns of equal length for plots; null where there is no sample. */
export interface QueueHistory {
  readonly at: readonly string[];
  readonly throughput_per_minute: readonly number[];
  readonly pending: readonly (number | null)[];
  readonly oldest_pending_seconds: readonly (number | null)[];
  readonly git_lag_seconds: readonly (number | null)[];
}

/** Maximum number of points in a plot. */
const POINTS_MAX = 120;
const STEP_MIN_MS: number = 10 * SECOND;

/** Returns the interval between points when the last `minutes` are shown. */
export function stepMs(minutes: number): number {
  return Math.max(STEP_MIN_MS, Math.ceil((minutes * MINUTE) / POINTS_MAX / STEP_MIN_MS) * STEP_MIN_MS);
}

interface HistoryInput {
  readonly now: number;
  readonly minutes: number;
  readonly samples: readonly Sample[];
  /** Number of operations that ended in the interval starting at this time. */
  readonly doneByStep: ReadonlyMap<number, number>;
}

/** Uses the worst sample of each interval, so that peaks stay visible. */
export function queueHistoryOf({ now, minutes, samples, doneByStep }: HistoryInput): QueueHistory {
  const step = stepMs(minutes);
  const end = Math.floor(now / step) * step;
  const count = Math.ceil((minutes * MINUTE) / step);
  const starts = Array.from({ length: count }, (_, index) => end - (count - 1 - index) * step);
  const worst = new Map<number, Sample>();
  for (const sample of samples) {
    const start = Math.floor(sample.at / step) * step;
    worst.set(start, worseOf(sample, worst.get(start)));
  }
  const column = (name: 'pending' | 'oldestPendingSeconds' | 'gitLagSeconds'): (number | null)[] =>
    starts.map((start) => worst.get(start)?.[name] ?? null);
  return {
    at: starts.map((start) => toTimestamp(start)),
    throughput_per_minute: starts.map((start) => ((doneByStep.get(start) ?? 0) * MINUTE) / step),
    pending: column('pending'),
    oldest_pending_seconds: column('oldestPendingSeconds'),
    git_lag_seconds: column('gitLagSeconds'),
  };
}

function worseOf(sample: Sample, other: Sample | undefined): Sample {
  if (other === undefined) return sample;
  return {
    at: sample.at,
    pending: Math.max(sample.pending, other.pending),
    oldestPendingSeconds: Math.max(sample.oldestPendingSeconds, other.oldestPendingSeconds),
    gitLagSeconds: Math.max(sample.gitLagSeconds, other.gitLagSeconds),
  };
}
