import type { Goal, Session, StatusCounts, Task } from './session.ts';

/** Everything that a plan consists of, at one moment. Tasks are in their order. */
export interface Plan {
  readonly session: Session;
  readonly goal: Goal | undefined;
  readonly tasks: readonly Task[];
  readonly counts: StatusCounts;
}

/** One line of a list of sessions. */
export interface SessionSummary {
  readonly session: Session;
  readonly goal: Goal | undefined;
  readonly counts: StatusCounts;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Cancelled tasks are no longer part of the work. */
export function progressOf(counts: StatusCounts): Progress {
  const { pending, in_progress: inProgress, completed, failed } = counts;
  return { done: completed, total: pending + inProgress + completed + failed };
}
