/** Failures of the task itself are counted and slow down; everything else is somebody else's fault and is not. */
export const failureClasses = ['task', 'infrastructure', 'rate_limit', 'cancelled'] as const;
export type FailureClass = (typeof failureClasses)[number];

export interface RetrySettings {
  readonly baseSeconds: number;
  readonly maxSeconds: number;
}

/** 30 s, 60 s, 120 s … up to an hour, each a random part longer so that failures do not come back together. */
export function retryDelaySeconds(failures: number, settings: RetrySettings, random: () => number): number {
  const full = Math.min(settings.maxSeconds, settings.baseSeconds * 2 ** Math.max(0, failures - 1));
  return full * (1 + 0.2 * random());
}
