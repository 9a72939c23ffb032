import { ringmasterErrors } from './errors.ts';
import type { TaskStatus } from './task.ts';

/** Answer that leaves a task failed. */
export const GIVE_UP = 'give it up';

/** Answer of a person who merges the work, because ringmaster cannot merge it. */
export const MERGE_BY_HAND = 'merge by hand';

type Answers = Readonly<Record<string, TaskStatus>>;

/** Possible answers if work cannot be merged, and the status that each answer gives the task. */
export const mergeAnswers = {
  'try the merge again': 'done',
  [MERGE_BY_HAND]: 'review',
  'do the task again on the current state': 'ready',
  'drop the work': 'draft',
} as const satisfies Answers;

/** Possible answers if a task reached max_attempts, and the status that each answer gives it. */
export const failureAnswers = {
  'try again': 'ready',
  'change the task': 'draft',
  [GIVE_UP]: 'failed',
} as const satisfies Answers;

/** Possible answers if a worker changed nothing, and the status that each answer gives the task. */
export const noChangeAnswers = {
  'no change was needed': 'done',
  'try again': 'ready',
  'change the task': 'draft',
  [GIVE_UP]: 'failed',
} as const satisfies Answers;

/** Possible answers if the work of dependencies conflicts, and the status that each answer gives the dependent task. */
export const dependencyAnswers = {
  'try again': 'ready',
  'change the task': 'draft',
} as const satisfies Answers;

/**
 * Possible answers if all parts of an epic are finished and at least one has failed, and the status that each answer
 * gives the epic.
 */
export const epicAnswers = {
  'close it': 'done',
  'keep it open': 'ready',
} as const satisfies Answers;

/**
 * The options of ringmaster's own decisions, as the database stores them. ringmaster recognises its decisions by these
 * texts.
 */
export const MERGE_OPTIONS: string = JSON.stringify(Object.keys(mergeAnswers));
export const FAILURE_OPTIONS: string = JSON.stringify(Object.keys(failureAnswers));
export const EPIC_OPTIONS: string = JSON.stringify(Object.keys(epicAnswers));
export const DEPENDENCY_OPTIONS: string = JSON.stringify(Object.keys(dependencyAnswers));

/** Returns the `blocked_reason` of a task whose merge waits for this decision. */
export function waitsForMerge(decision: string): string {
  return `Waiting for a decision about the merge: ${decision}`;
}

/** Returns the `blocked_reason` of a task whose worker changed nothing. */
export function waitsForChange(decision: string): string {
  return `The worker changed nothing. Waiting for a decision: ${decision}`;
}

/**
 * Returns the `blocked_reason` of a task that waits only for the answer to this inquiry. The answer clears the reason.
 */
export function waitsForAnswer(id: string): string {
  return `Waiting for the answer to ${id}`;
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

/** Returns whether the next attempt must start without the previous work, because that work cannot be merged. */
export function isFreshStart(answer: string): boolean {
  return ['ready', 'draft'].includes(statusAfter(mergeAnswers, answer) ?? '');
}
