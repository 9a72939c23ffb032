import { type FailureClass, type ParkKind, passingProblems } from '../model/attempt.ts';

/**
 * Decides the next step of an attempt from its stored rows alone, so that a supervisor that takes over after a crash
 * continues at the same step.
 */
export interface Turn {
  readonly number: number;
  readonly stage: 'working' | 'worked' | 'tested' | 'reviewed';
  /** Null while the worker is running, and also if the supervisor died before the worker ended. */
  readonly result: string | null;
  readonly failure: string | null;
  readonly question: string | null;
  /** The worker's reason why the task needed no change. */
  readonly note: string | null;
}

export interface AttemptState {
  readonly hasFolder: boolean;
  readonly turns: readonly Turn[];
  readonly lastNumberOfTask: number;
  readonly maxTurns: number;
  readonly hasTests: boolean;
  readonly review: 'none' | 'person' | 'command';
  /** True if a budget is used up, so that the agent must not run again. */
  readonly isOverBudget: boolean;
}

export type Finish =
  | { readonly kind: 'done'; readonly note: string | null }
  | { readonly kind: 'no_change'; readonly reason: string }
  | { readonly kind: 'review' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly failureClass: FailureClass;
      readonly reason: string;
      /** Set if the worker's service or program caused the failure, not the task. */
      readonly park?: ParkKind;
    }
  | { readonly kind: 'released'; readonly failureClass: FailureClass; readonly reason: string };

export const finishKinds = [
  'done',
  'no_change',
  'review',
  'budget',
  'question',
  'blocked',
  'failed',
  'released',
] as const satisfies readonly Finish['kind'][];

/** A `Finish` as flat fields, for a report to a server. */
export interface ReportedFinish {
  readonly kind: Finish['kind'];
  /** The reason, question or note of the `Finish`. */
  readonly text?: string | undefined;
  readonly failure_class?: FailureClass | undefined;
  readonly park?: ParkKind | undefined;
}

export function finishOf({ kind, text, failure_class = 'task', park }: ReportedFinish): Finish {
  const reason = text ?? 'no reason given';
  if (kind === 'done') return { kind, note: text ?? null };
  if (kind === 'review' || kind === 'budget') return { kind };
  if (kind === 'question') return { kind, question: reason };
  if (kind === 'released') return { kind, failureClass: failure_class, reason };
  if (kind !== 'failed') return { kind, reason };
  return { kind, failureClass: failure_class, reason, ...(park === undefined ? {} : { park }) };
}

export function reportOf(finish: Finish): ReportedFinish {
  const { kind } = finish;
  if (kind === 'review' || kind === 'budget') return { kind };
  if (kind === 'done') return { kind, text: finish.note ?? undefined };
  if (kind === 'question') return { kind, text: finish.question };
  if (kind === 'no_change' || kind === 'blocked') return { kind, text: finish.reason };
  const park = kind === 'failed' ? finish.park : undefined;
  return { kind, text: finish.reason, failure_class: finish.failureClass, park };
}

export type Step =
  | { readonly kind: 'prepare' }
  | { readonly kind: 'work'; readonly number: number }
  | { readonly kind: 'test'; readonly number: number }
  | { readonly kind: 'review'; readonly number: number }
  | { readonly kind: 'finish'; readonly finish: Finish };

/** Results that say nothing about the task, so they do not count towards the maximum number of turns. */
const uncounted: ReadonlySet<string> = new Set(['interrupted', 'attached']);

export function nextStep(state: AttemptState): Step {
  const step = plannedStep(state);
  // Tests, reviews and the report of finished work cost nothing.
  const isAgent = step.kind === 'prepare' || step.kind === 'work';
  return state.isOverBudget && isAgent ? { kind: 'finish', finish: { kind: 'budget' } } : step;
}

function plannedStep(state: AttemptState): Step {
  if (!state.hasFolder) return { kind: 'prepare' };
  const turn = state.turns.at(-1);
  const again: Step = { kind: 'work', number: state.lastNumberOfTask + 1 };
  if (turn === undefined || turn.result === null || uncounted.has(turn.result)) return again;
  if (turn.result === 'success') return afterSuccess(state, turn);
  const finish = endOf(turn);
  if (finish !== undefined) return { kind: 'finish', finish };
  const counted = state.turns.filter(({ result }) => result === null || !uncounted.has(result)).length;
  if (counted < state.maxTurns) return again;
  return { kind: 'finish', finish: { kind: 'failed', failureClass: 'task', reason: turn.failure ?? turn.result } };
}

function afterSuccess({ hasTests, review }: AttemptState, { number, stage, note }: Turn): Step {
  if (stage === 'worked' && hasTests) return { kind: 'test', number };
  if (stage !== 'reviewed' && review === 'command') return { kind: 'review', number };
  return { kind: 'finish', finish: review === 'person' ? { kind: 'review' } : { kind: 'done', note } };
}

/** Results after which the attempt ends. */
const ends: Readonly<Record<string, (turn: Turn, reason: string) => Finish>> = {
  question: asks,
  review_question: asks,
  // Only a person can tell whether the task was already done.
  no_change: (_, reason) => ({ kind: 'no_change', reason }),
  rate_limited: (_, reason) => parked('rate_limited', reason),
  overloaded: (_, reason) => parked('overloaded', reason),
  unreachable: (_, reason) => parked('unreachable', reason),
  logged_out: (_, reason) => parked('logged_out', reason),
  no_credit: (_, reason) => parked('no_credit', reason),
  not_started: (_, reason) => parked('not_started', reason),
  budget: () => ({ kind: 'budget' }),
  total_timeout: (_, reason) => ({ kind: 'failed', failureClass: 'task', reason }),
  memory: (_, reason) => ({ kind: 'failed', failureClass: 'task', reason }),
  output: (_, reason) => ({ kind: 'failed', failureClass: 'task', reason }),
  cancelled: () => ({ kind: 'released', failureClass: 'cancelled', reason: 'cancelled' }),
  shutdown: (_, reason) => ({ kind: 'released', failureClass: 'infrastructure', reason }),
};

function parked(park: ParkKind, reason: string): Finish {
  const failureClass = passingProblems.has(park) ? 'rate_limit' : 'infrastructure';
  return { kind: 'failed', failureClass, reason, park };
}

function asks({ question }: Turn): Finish {
  return { kind: 'question', question: question ?? 'The worker has a question' };
}

function endOf(turn: Turn): Finish | undefined {
  return ends[turn.result ?? '']?.(turn, turn.failure ?? turn.result ?? '');
}
