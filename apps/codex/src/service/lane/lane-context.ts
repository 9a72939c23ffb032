import type { GitLanes } from '../../git/lane.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { Lease } from '../../store/lanes.ts';
import type { CodexContext } from '../context.ts';
import type { NoteIndex } from '../note-index/note-index.ts';

/** A notebook whose lease this process holds. */
export interface LaneContext {
  readonly codex: CodexContext;
  readonly notebook: Notebook;
  readonly lease: Lease;
  readonly git: GitLanes;
  readonly notes: NoteIndex;
  /** Throws when the lease may have expired, because another process may have taken the lane. */
  checkLease(): void;
  /** True when the rest of the queue is left to the next owner of the lane. */
  isEnding(): boolean;
  /** Reports unfinished work: the lane recovers before it continues. */
  fail(error: unknown): void;
}
