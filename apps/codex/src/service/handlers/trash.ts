import { failpoint } from '@holdfast/base';

import type { TrashIntent } from '../../model/intent.ts';
import { fileAt, forgetFile, forgetFilesBelow, trashFile, trashFilesBelow } from '../../store/files.ts';
import { forgetFolders, trashFolders } from '../../store/folders.ts';
import type { Tx } from '../../store/open.ts';
import { putTrash } from '../../store/trash.ts';
import { insertSyncEvents } from '../../store/events.ts';
import type { Handler, Work } from './handler.ts';
import { refreshTarget } from './record-about.ts';
import { recordDelete } from './record-file.ts';

const TRASH_FOLDER = '.codex/trash';

export function trashPath(eventId: number): string {
  return `${TRASH_FOLDER}/${eventId}`;
}

interface Trashed {
  /** True if the trash has something to restore. */
  readonly isKept: boolean;
  readonly looks: boolean;
}

/** Moves a deleted file or folder to the trash. */
export const trash: Handler<TrashIntent, Trashed> = {
  async apply({ tree, event }, { path, kind }) {
    const kept = trashPath(event.id);
    if (tree.state(kept) !== undefined) return { isKept: true, looks: tree.state(path) !== undefined };
    const found = tree.state(path)?.kind;
    // The target is gone: another program deleted it, or replaced a file by a folder or the reverse.
    if (found !== kind) return { isKept: false, looks: found !== undefined };
    tree.makeFolders(TRASH_FOLDER);
    failpoint('codex.trash.folder');
    tree.rename(path, kept);
    failpoint('codex.trash.moved');
    return { isKept: true, looks: false };
  },
  finish(tx, work, intent, { isKept, looks }, now) {
    const { notebook, event } = work;
    const { path, kind } = intent;
    const row = kind === 'file' ? fileAt(tx, notebook.id, path) : undefined;
    const count = kind === 'folder' ? leaveFolder(tx, work, path, isKept) : row === undefined ? 0 : 1;
    if (row !== undefined) {
      if (isKept) trashFile(tx, row.id, event.id);
      else forgetFile(tx, row.id);
      work.notes.push({ kind: 'gone', fileIds: [row.id] });
      refreshTarget(tx, work, path, now);
    }
    if (row !== undefined || (kind === 'folder' && count > 0)) recordDelete(tx, work, path, now);
    if (isKept) {
      putTrash(tx, { event_id: event.id, notebook_id: notebook.id, path, kind, file_count: count, deleted_at: now });
    }
    if (looks) insertSyncEvents(tx, notebook.id, [{ type: 'sync', path, event: 'look' }], now);
    return {
      path,
      ...(row === undefined ? {} : { file_id: row.id }),
      ...(kind === 'folder' ? { file_count: count } : {}),
    };
  },
};

function leaveFolder(tx: Tx, { notebook, event, notes }: Work, path: string, isKept: boolean): number {
  if (!isKept) {
    forgetFolders(tx, notebook.id, path);
    const fileIds = forgetFilesBelow(tx, notebook.id, path);
    notes.push({ kind: 'gone', fileIds });
    return fileIds.length;
  }
  trashFolders(tx, notebook.id, path, event.id);
  notes.push({ kind: 'trashed', eventId: event.id });
  return trashFilesBelow(tx, notebook.id, path, event.id);
}
