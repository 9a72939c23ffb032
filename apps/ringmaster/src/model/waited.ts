import { DAY } from '@holdfast/base';

/** For how many days a task has been ready, at a moment. What is not ready is not waiting. */
export function waitedDays(
  { status, ready_at }: { readonly status: string; readonly ready_at: string | null },
  moment: number,
): number {
  return status === 'ready' && ready_at !== null ? Math.max(0, moment - Date.parse(ready_at)) / DAY : 0;
}
