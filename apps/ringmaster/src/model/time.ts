import { DAY, toTimestamp } from '@holdfast/base';

/** Converts an RFC 3339 time to the stored format; undefined if it is not valid. */
export function normalTime(text: string): string | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : toTimestamp(milliseconds);
}

/** Returns the days since the task became ready; 0 if it is not ready. */
export function waitedDays(
  { status, ready_at }: { readonly status: string; readonly ready_at: string | null },
  moment: number,
): number {
  return status === 'ready' && ready_at !== null ? Math.max(0, moment - Date.parse(ready_at)) / DAY : 0;
}
