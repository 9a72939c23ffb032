import type { SyncOperation } from '../model/operation.ts';
import { insertEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';

/** Whose name stands on changes that were made outside of codex. */
const EXTERNAL_AUTHOR = 'external';

/** Part of a commit: the queue will look at these paths. */
export function requestSync(tx: Tx, notebookId: number, operations: readonly SyncOperation[], now: string): void {
  for (const operation of operations) insertEvent(tx, { notebookId, operation, author: EXTERNAL_AUTHOR, now });
}
