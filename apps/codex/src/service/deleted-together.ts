import { sidecarsOf } from '../model/note/sidecar.ts';
import type { NotebookPath } from '../model/path.ts';
import type { Tx } from '../store/open.ts';
import { listTrash, trashOf, type TrashRecord } from '../store/trash.ts';

/**
 * The file beside another that was deleted along with it. Both were queued in one commit, so their numbers follow each
 * other; the events themselves are not kept for as long as the trash.
 */
export function deletedBeside(tx: Tx, { event_id, notebook_id, path, kind }: TrashRecord): TrashRecord | undefined {
  const next = kind === 'file' ? trashOf(tx, event_id + 1) : undefined;
  if (next?.notebook_id !== notebook_id) return undefined;
  return sidecarsOf(path as NotebookPath).some((sidecar) => sidecar === next.path) ? next : undefined;
}

/** What was deleted last: the file, not what went along with it. */
export function lastDeleted(tx: Tx, notebookId: number): TrashRecord | undefined {
  const [last, before] = listTrash(tx, notebookId, 2);
  if (before === undefined || deletedBeside(tx, before)?.event_id !== last?.event_id) return last;
  return before;
}
