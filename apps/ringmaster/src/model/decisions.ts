import { ringmasterErrors } from './errors.ts';
import type { TaskStatus } from './task.ts';

type Answers = Readonly<Record<string, TaskStatus>>;

/** Answers for work that cannot be merged, and the status they give the task. */
export const mergeAnswers = {
  'try the merge again': 'done',
  'merge by hand': 'review',
  'do the task again on the present state': 'ready',
  'drop the work': 'draft',
} as const satisfies Answers;

/** Answers for a task that reached max_attempts, and the status they give it. */
export const failureAnswers = {
  'try again': 'ready',
  'change the task': 'draft',
  'give it up': 'failed',
} as const satisfies Answers;

/** Options by which ringmaster recognises its own decisions. */
export const MERGE_OPTIONS: string = JSON.stringify(Object.keys(mergeAnswers));
export const FAILURE_OPTIONS: string = JSON.stringify(Object.keys(failureAnswers));

/** `blocked_reason` of a task whose merge waits for this decision. */
export function waitsForMerge(decision: string): string {
  return `Waits for a decision about its merge: ${decision}`;
}

/** Returns the offered option that an answer names, ignoring case. Accepts any text if no options are offered. */
export function offeredAnswer(options: readonly string[], answer: string): string {
  if (options.length === 0) return answer;
  const given = answer.trim().toLowerCase();
  const chosen = options.find((option) => option.trim().toLowerCase() === given);
  if (chosen !== undefined) return chosen;
  throw ringmasterErrors.ANSWER_NOT_OFFERED(`"${answer.trim()}" is not one of the options`, {
    details: { options },
    hint: `Choose one of: ${options.join(' | ')}`,
  });
}

/** Returns the status that an answer to one of ringmaster's own decisions gives the task. */
export function statusAfter(answers: Answers, answer: string): TaskStatus | undefined {
  return new Map(Object.entries(answers)).get(answer);
}

/** Returns whether the next attempt must start without the previous work, which would conflict again. */
export function isFreshStart(answer: string): boolean {
  return ['ready', 'draft'].includes(statusAfter(mergeAnswers, answer) ?? '');
}
