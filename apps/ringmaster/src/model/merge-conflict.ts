import type { TaskStatus } from './task.ts';

/** What can be done about work that cannot be merged, and what becomes of its task. */
export const conflictAnswers = {
  'merge by hand': 'review',
  'do the task again on the present state': 'ready',
  'drop the work': 'draft',
} as const satisfies Readonly<Record<string, TaskStatus>>;

/** How a decision about a conflict is known, whatever its question says. */
export const CONFLICT_OPTIONS: string = JSON.stringify(Object.keys(conflictAnswers));

/** What a task says whose merge waits for this decision. */
export function waitsForMerge(decision: string): string {
  return `Its merge has conflicts: ${decision}`;
}

/** Words of one's own are for whoever merges by hand. */
export function afterConflict(answer: string): TaskStatus {
  const known: ReadonlyMap<string, TaskStatus> = new Map(Object.entries(conflictAnswers));
  return known.get(answer.trim().toLowerCase()) ?? 'review';
}

/** Whether what is there of the work is left behind: it would run into the same conflict again. */
export function isFreshStart(answer: string): boolean {
  return afterConflict(answer) !== 'review';
}
