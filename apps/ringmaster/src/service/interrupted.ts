import type { Attempt } from '../store/attempts.ts';
import type { Ending } from './finish-attempt.ts';
import type { Ringmaster } from './ringmaster.ts';

/** Bad luck is not so faithful: what was interrupted this often is most likely interrupted by the task itself. */
export function isTooOften({ config }: Ringmaster, times: number): boolean {
  return times >= config.queue.max_interruptions;
}

/**
 * How an attempt ends that nobody brought to its end: its task may begin again, unless it was interrupted too often; then
 * a person has to look at it first. What was cancelled is over in either case.
 */
export function interruption(rm: Ringmaster, attempt: Attempt, times: number, reason: string): Ending {
  const isBlocked = isTooOften(rm, times) && attempt.cancel_requested_at === null;
  return {
    outcome: isBlocked ? 'blocked' : 'expired',
    failureClass: 'infrastructure',
    reason: isBlocked ? `${reason}, ${times} times in a row: it is not begun again by itself` : reason,
    outputPath: null,
  };
}
