import { failpoint } from '@holdfast/base';

import { codexErrors } from '../../model/errors.ts';

import type { TrashIntent, UntrashIntent } from '../../model/operation.ts';
import { movedPath, type NotebookPath, parentOf } from '../../model/path.ts';
import {
  dropTrash,
  fileAt,
  filesInTrash,
  forgetFile,
  forgetFilesBelow,
  putTrash,
  trashFile,
  trashFilesBelow,
  trashOf,
} from '../../store/files.ts';
import { forgetFolders, restoreFolders, trashFolders } from '../../store/folders.ts';
import type { Transaction } from '../../store/open.ts';
import {
  type Handler,
  recordDelete,
  type Recorded,
  recordFile,
  recordFolders,
  refreshTarget,
  type Work,
  lookAgain,
  recordedFile,
} from './handler.ts';

const TRASH_FOLDER = '.codex/trash';

export function trashPath(eventId: number): string {
  return `${TRASH_FOLDER}/${eventId}`;
}

interface Trashed {
  /** True if the trash has something to restore. */
  readonly isKept: boolean;
  readonly looks: boolean;
}

export const trash: Handler<TrashIntent, Trashed> = {
  async apply({ tree, event }, { path, kind }) {
    const kept = trashPath(event.id);
    if (tree.state(kept) !== undefined) return { isKept: true, looks: tree.state(path) !== undefined };
    const found = tree.state(path)?.kind;
    // The target is gone: another program deleted it, or replaced it with something of another kind.
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
    if (looks) lookAgain(tx, work, [path], now);
    return { path, file_id: row?.id, file_count: kind === 'folder' ? count : undefined };
  },
};

function leaveFolder(tx: Transaction, { notebook, event, notes }: Work, path: string, isKept: boolean): number {
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

/** Restores deleted files with their ids, and queues their content for git again. */
export const untrash: Handler<UntrashIntent, readonly Recorded[]> = {
  async apply(work, intent) {
    const { tree, reader } = work;
    const { path, undo_of } = intent;
    if (tree.state(trashPath(undo_of)) !== undefined) {
      await bringBack(work, intent);
      failpoint('codex.untrash.moved');
    } else if (tree.state(path) === undefined) {
      throw codexErrors.FILE_NOT_FOUND(`${path} is no longer in the trash`);
    }
    const found: Recorded[] = [];
    const from = placeBefore(reader, undo_of, path);
    for (const file of filesInTrash(reader, undo_of)) {
      const target = movedPath(file.path as NotebookPath, from, path);
      if (tree.state(target)?.kind === 'file') found.push({ ...(await recordedFile(work, target)), id: file.id });
    }
    return found;
  },
  finish(tx, work, { path, undo_of, kind }, found, now) {
    restoreFolders(tx, undo_of, placeBefore(tx, undo_of, path), path);
    recordFolders(tx, work, path, now);
    for (const file of found) recordFile(tx, work, file, now);
    dropTrash(tx, undo_of);
    const [first] = found;
    return kind === 'folder' ? { path, file_count: found.length } : { path, file_id: first?.id, hash: first?.hash };
  },
};

/**
 * Moves a folder or file from the trash to `path`. A file is first linked to `path` and then removed from the trash:
 * unlike a rename, a link cannot replace an existing file.
 */
async function bringBack({ tree }: Work, { path, undo_of, kind }: UntrashIntent): Promise<void> {
  const kept = trashPath(undo_of);
  const isLinked = tree.state(path)?.inode === tree.state(kept)?.inode;
  if (!isLinked) {
    if (tree.state(path) !== undefined) throw codexErrors.FILE_EXISTS(`${path} already exists`);
    tree.makeFolders(parentOf(path) ?? '');
    failpoint('codex.untrash.folders');
    if (kind === 'folder') return tree.rename(kept, path);
    linkFree(tree, kept, path);
  }
  failpoint('codex.untrash.linked');
  await tree.sync();
  tree.remove(kept);
}

function linkFree(tree: Work['tree'], from: string, to: string): void {
  try {
    tree.link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw codexErrors.FILE_EXISTS(`${to} already exists`, { cause: error });
  }
}

/** Returns the path that the file had before its deletion. It may be restored to another path. */
function placeBefore(tx: Transaction, undoOf: number, path: NotebookPath): NotebookPath {
  return (trashOf(tx, undoOf)?.path ?? path) as NotebookPath;
}
