import type { DeviceOf } from '../../adapters/devices.ts';
import type { Tree } from '../../adapters/tree.ts';
import type { EventResult, FileEvent } from '../../model/event.ts';
import type { NoteChange } from '../../model/note/change.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { Settings } from '../../model/settings.ts';
import type { Tx } from '../../store/open.ts';

/** An event that is being processed. */
export interface Work {
  readonly event: FileEvent;
  /** Its content, unless that is in `.codex/blobs/`. */
  readonly content: Uint8Array | null;
  readonly notebook: Notebook;
  readonly tree: Tree;
  /** For reads; only the lane of the notebook changes what a handler reads. */
  readonly reader: Tx;
  readonly settings: Settings;
  readonly newId: () => string;
  readonly newCorrelationId: () => string;
  readonly deviceOf: DeviceOf;
  /** Changes for the note index, added by `finish`. */
  readonly notes: NoteChange[];
}

/**
 * Carries out one kind of intent. `apply` checks the disk first and may find any of its steps done, so that repeating
 * it after a crash has the same result; `finish` is one database commit.
 */
export interface Handler<I, Done> {
  apply(work: Work, intent: I): Promise<Done>;
  finish(tx: Tx, work: Work, intent: I, done: Done, now: string): EventResult;
  /** Undoes what `apply` did before it failed permanently. */
  undo?(work: Work, intent: I): Promise<void>;
}
