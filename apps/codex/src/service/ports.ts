import type { Notebook } from '../model/notebook.ts';
import type { SyncOperation } from '../model/operation.ts';

/** What the queue expects of git and of the watcher, and what it gives them. */

/** Commits what `git_pending` holds, one notebook at a time, beside the lanes that change files. */
export interface GitLane {
  /** Rows were added to `git_pending` of this notebook. Returns at once; commits after quiet, count or maximum wait. */
  noteChange(notebookId: number): void;
  /**
   * Everything in `git_pending` of events up to `barrier` (all, without one) is committed when this resolves. Gives the
   * tip of the branch, or null when there is no commit yet and nothing to commit. The messages begin with the words, if any.
   */
  flush(notebookId: number, barrier?: number, words?: string): Promise<string | null>;
  /** Before a notebook goes away: ends what runs for it. */
  forget(notebookId: number): Promise<void>;
  /** Commits what is pending everywhere, then ends. */
  close(): Promise<void>;
}

/** Tells which paths somebody else may have changed. */
export interface TreeWatcher {
  /** Resolves when changes are noticed from now on; includes a first reconciliation. */
  start(): Promise<void>;
  /** Compares the whole folder with the index now. */
  reconcile(options?: ReconcileOptions): Promise<ReconcileReport>;
  close(): Promise<void>;
}

export interface ReconcileOptions {
  /** Disks that are not mounted are gone for good: what lay on them is deleted. */
  readonly withoutDisks?: boolean;
}

export interface ReconcileReport {
  /** Files that were looked at. */
  readonly seen: number;
  /** Sync operations that were queued. */
  readonly queued: number;
  /** What the notebook does not hold, with the reason for people. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Given to the watcher: puts "look at this path" into the queue, in one transaction, in this order. */
export interface SyncSink {
  publish(notebook: Notebook, operations: readonly SyncOperation[]): Promise<void>;
}
