import type { DeviceOf } from '../../adapters/devices.ts';
import type { Tree } from '../../adapters/tree.ts';
import type { EventResult, FileEvent } from '../../model/event.ts';
import type { NoteChange } from '../../model/note/change.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { Settings } from '../../model/settings.ts';
import type { Tx } from '../../store/open.ts';

/** One event that is being worked on. */
export interface Work {
  readonly event: FileEvent;
  /** The bytes that go with it, unless they lie in `.codex/blobs/`. */
  readonly content: Uint8Array | null;
  readonly notebook: Notebook;
  readonly tree: Tree;
  /** For reads; only the lane of the notebook changes what a handler reads. */
  readonly reader: Tx;
  readonly settings: Settings;
  readonly newId: () => string;
  readonly newCorrelationId: () => string;
  readonly deviceOf: DeviceOf;
  /** `finish` adds what the index of notes has to learn. */
  readonly notes: NoteChange[];
}

/**
 * How one kind of intent is carried out. `apply` looks at the disk first and may find any of its own steps done, so that
 * repeating it after a crash at any point comes to the same end; `finish` is one database commit.
 */
export interface Handler<I, Done> {
  apply(work: Work, intent: I): Promise<Done>;
  finish(tx: Tx, work: Work, intent: I, done: Done, now: string): EventResult;
  /** Takes back what `apply` did before it failed for good. */
  undo?(work: Work, intent: I): Promise<void>;
}
