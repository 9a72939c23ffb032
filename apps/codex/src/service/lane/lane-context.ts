import type { Notebook } from '../../model/notebook.ts';
import type { Lease } from '../../store/lanes.ts';
import type { Codex } from '../codex.ts';
import type { GitLanes } from '../../git/lane.ts';

/** A notebook that this process may work on at the moment. */
export interface LaneContext {
  readonly codex: Codex;
  readonly notebook: Notebook;
  readonly lease: Lease;
  readonly git: GitLanes;
  /** Throws when the lease may have run out: then somebody else may be at work. */
  checkLease(): void;
  /** Whether what waits is left to whoever works on the notebook next. */
  isEnding(): boolean;
  /** Something went wrong that no operation is to blame for. */
  onProblem(error: unknown): void;
  /** What was begun could not be ended: it is looked at again before anything else. */
  onFailure(error: unknown): void;
  /** The index of notes has more to do than this lane did for it. */
  onLeftOver(): void;
}
