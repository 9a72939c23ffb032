import { SECOND } from '@holdfast/base';

import type { Repository } from '../../adapters/worktree.ts';
import type { Task } from '../../model/task.ts';
import type { Attempt } from '../../store/attempts.ts';
import { unfinishedTasks } from '../../store/tasks.ts';
import type { Finish } from '../../worker/next-step.ts';
import { type ClaimInput, heartbeat } from '../queue.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { type FinishOptions, finishRun } from './finish.ts';
import { type StartingPoint, startingPoint } from './starting-point.ts';

/** Restrictions on the next claim in this machine's database. */
export type Offer = Pick<ClaimInput, 'lease_seconds'> & { readonly task?: string };

/** Where a supervisor gets its tasks from, and where it reports their results. */
export interface TaskSource {
  /** Called once, before the attempts of a dead supervisor continue. */
  readonly resume: () => Promise<void>;
  /** Returns what the worker may claim now in this machine's database; undefined if there is nothing. */
  readonly next: (worker: string) => Promise<Offer | undefined>;
  readonly startingPoint: (attempt: Attempt, repository: Repository) => Promise<StartingPoint>;
  readonly lease: (attempt: Attempt) => { readonly durationMs: number; readonly renewEveryMs?: number };
  /** Extends the lease. Throws STALE_TOKEN if the lease is lost. `cancel`: a person cancelled the task. */
  readonly renew: (attempt: Attempt) => Promise<{ readonly cancel: boolean }>;
  /** Ends the attempt; returns the new state of the task as one word. */
  readonly finish: (attempt: Attempt, finish: Finish, options?: FinishOptions) => Promise<string>;
  /** Returns whether the source still waits for an answer or has results to deliver. */
  readonly isBusy: () => boolean;
  /** Returns the tasks that are still unfinished when no more tasks can start. */
  readonly unfinished: (project: string | undefined) => readonly UnfinishedTask[];
  readonly close: () => Promise<void>;
}

interface UnfinishedTask extends Pick<Task, 'id' | 'title'> {
  /** Default: the reason in this machine's database. */
  readonly why?: string;
}

const nothing = (): Promise<void> => Promise.resolve();

/** Returns a source with the tasks of this workspace. */
export function ownTasks(rm: Ringmaster): TaskSource {
  return {
    resume: nothing,
    next: () => Promise.resolve({}),
    startingPoint: (attempt, repository) => startingPoint(rm, attempt, repository),
    lease: () => ({ durationMs: rm.config.queue.lease_seconds * SECOND }),
    renew: ({ id: token }) => heartbeat(rm, { token }),
    finish: async (attempt, finish, options) => (await finishRun(rm, attempt, finish, options)).status,
    isBusy: () => false,
    unfinished: (project) => unfinishedTasks(rm.store.reader, project),
    close: nothing,
  };
}
