import type { FailureClass } from '../model/attempt.ts';

/**
 * Decides the next step of an attempt from its stored rows alone, so that a supervisor that takes over after a crash
 * continues at the same step.
 */
export interface Turn {
  readonly number: number;
  readonly stage: 'working' | 'worked' | 'tested' | 'reviewed';
  /** Null while the worker runs, or if the supervisor died before the worker ended. */
  readonly result: string | null;
  readonly failure: string | null;
  readonly question: string | null;
}

export interface AttemptState {
  readonly hasFolder: boolean;
  readonly turns: readonly Turn[];
  readonly lastNumberOfTask: number;
  readonly maxTurns: number;
  readonly hasTests: boolean;
  readonly review: 'none' | 'person' | 'command';
}

export type Finish =
  | { readonly kind: 'done' }
  | { readonly kind: 'review' }
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failureClass: FailureClass; readonly reason: string }
  | { readonly kind: 'released'; readonly failureClass: FailureClass; readonly reason: string };

export type Step =
  | { readonly kind: 'prepare' }
  | { readonly kind: 'work'; readonly number: number }
  | { readonly kind: 'test'; readonly number: number }
  | { readonly kind: 'review'; readonly number: number }
  | { readonly kind: 'finish'; readonly finish: Finish };

/** Results that say nothing about the task, so they do not count towards the maximum number of turns. */
const uncounted: ReadonlySet<string> = new Set(['interrupted']);

export function nextStep(state: AttemptState): Step {
  if (!state.hasFolder) return { kind: 'prepare' };
  const turn = state.turns.at(-1);
  const again: Step = { kind: 'work', number: state.lastNumberOfTask + 1 };
  if (turn === undefined || turn.result === null || turn.result === 'interrupted') return again;
  if (turn.result === 'success') return afterSuccess(state, turn);
  const finish = endOf(turn);
  if (finish !== undefined) return { kind: 'finish', finish };
  const counted = state.turns.filter(({ result }) => result === null || !uncounted.has(result)).length;
  if (counted < state.maxTurns) return again;
  return { kind: 'finish', finish: { kind: 'failed', failureClass: 'task', reason: turn.failure ?? turn.result } };
}

function afterSuccess({ hasTests, review }: AttemptState, { number, stage }: Turn): Step {
  if (stage === 'worked' && hasTests) return { kind: 'test', number };
  if (stage !== 'reviewed' && review === 'command') return { kind: 'review', number };
  return { kind: 'finish', finish: review === 'person' ? { kind: 'review' } : { kind: 'done' } };
}

/** Results after which another turn makes no sense. */
const ends: Readonly<Record<string, (turn: Turn, reason: string) => Finish>> = {
  question: asks,
  review_question: asks,
  rate_limited: (_, reason) => ({ kind: 'failed', failureClass: 'rate_limit', reason }),
  not_started: (_, reason) => ({ kind: 'failed', failureClass: 'infrastructure', reason }),
  total_timeout: (_, reason) => ({ kind: 'failed', failureClass: 'task', reason }),
  cancelled: () => ({ kind: 'released', failureClass: 'cancelled', reason: 'cancelled' }),
  shutdown: (_, reason) => ({ kind: 'released', failureClass: 'infrastructure', reason }),
};

function asks({ question }: Turn): Finish {
  return { kind: 'question', question: question ?? 'The worker has a question' };
}

function endOf(turn: Turn): Finish | undefined {
  return ends[turn.result ?? '']?.(turn, turn.failure ?? turn.result ?? '');
}
