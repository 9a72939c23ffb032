import type { TaskStatus } from './task.ts';

/** Answers to a merge conflict, and the status they give the task. */
export const conflictAnswers = {
  'merge by hand': 'review',
  'do the task again on the present state': 'ready',
  'drop the work': 'draft',
} as const satisfies Readonly<Record<string, TaskStatus>>;

/** Identifies decisions about merge conflicts by their options. */
export const CONFLICT_OPTIONS: string = JSON.stringify(Object.keys(conflictAnswers));

/** `blocked_reason` of a task whose merge waits for this decision. */
export function waitsForMerge(decision: string): string {
  return `Its merge has conflicts: ${decision}`;
}

/** A free-text answer goes to the person who merges by hand. */
export function afterConflict(answer: string): TaskStatus {
  const known: ReadonlyMap<string, TaskStatus> = new Map(Object.entries(conflictAnswers));
  return known.get(answer.trim().toLowerCase()) ?? 'review';
}

/** Whether the next attempt starts without the old work, which would conflict again. */
export function isFreshStart(answer: string): boolean {
  return afterConflict(answer) !== 'review';
}
