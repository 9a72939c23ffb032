import { findEvent } from './events.ts';
import { fileAt } from './files.ts';
import { addPending } from './git-pending.ts';
import type { Store, Tx } from './open.ts';

/** A path at which the notebook and the branch differ. */
export interface Uncommitted {
  readonly path: string;
  /** Undefined if the file is gone. */
  readonly content:
    { readonly hash: string; readonly size: number; readonly inline: Uint8Array | undefined } | undefined;
}

/**
 * Queues paths for git again, with the event that last changed them. Skips paths that changed since they were compared:
 * they are queued already, and old content must not follow new. Returns the number queued.
 */
export async function queueAgain(
  store: Store,
  notebookId: number,
  found: readonly Uncommitted[],
  at: string,
): Promise<number> {
  if (found.length === 0) return 0;
  return store.write('codex git again', (tx) => {
    const still = found.filter((one) => isStill(tx, notebookId, one));
    for (const { path, content } of still) {
      const file = fileAt(tx, notebookId, path);
      const event = findEvent(tx, file?.last_event_id ?? 0);
      addPending(tx, {
        notebook_id: notebookId,
        kind: content === undefined ? 'delete' : 'write',
        path,
        from_path: null,
        blob_hash: content?.hash ?? null,
        size: content?.size ?? null,
        content: content?.inline ?? null,
        mode: file?.mode ?? null,
        event_id: event?.id ?? 0,
        author: event?.author ?? '',
        at,
      });
    }
    return still.length;
  });
}

function isStill(tx: Tx, notebookId: number, { path, content }: Uncommitted): boolean {
  if (fileAt(tx, notebookId, path)?.hash !== content?.hash) return false;
  const waiting = tx.get('SELECT 1 FROM git_pending WHERE notebook_id = ? AND path = ? LIMIT 1', notebookId, path);
  return waiting === undefined;
}
