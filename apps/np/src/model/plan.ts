import type { Goal, Session, StatusCounts, Task } from './session.ts';

/** A plan at one moment, with its tasks in order. */
export interface Plan {
  readonly session: Session;
  readonly goal: Goal | undefined;
  readonly tasks: readonly Task[];
  readonly counts: StatusCounts;
}

export interface SessionSummary {
  readonly session: Session;
  readonly goal: Goal | undefined;
  readonly counts: StatusCounts;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Cancelled tasks do not count. */
export function progressOf(counts: StatusCounts): Progress {
  const { pending, in_progress: inProgress, completed, failed } = counts;
  return { done: completed, total: pending + inProgress + completed + failed };
}
