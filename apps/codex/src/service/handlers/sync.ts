import { isHoldfastError } from '@holdfast/base';

import { stageContent } from '../../adapters/blobs.ts';
import { hashFile, readFile } from '../../adapters/file-content.ts';
import { type DiskState, type SyncIntent, looksSame } from '../../model/operation.ts';
import { factsOf } from '../../model/note/facts.ts';
import type { FileRecord } from '../../model/notebook.ts';
import { ancestorsOf, type NotebookPath } from '../../model/path.ts';
import { fileAt, forgetFile, forgetFilesBelow, moveFile, moveFilesBelow, putState } from '../../store/files.ts';
import { folderAt, forgetFolders, moveFolders, putFolders } from '../../store/folders.ts';
import type { Transaction } from '../../store/open.ts';
import {
  type Handler,
  recordDelete,
  recordFile,
  recordFolders,
  recordMoved,
  recordRename,
  refreshTarget,
  type Work,
  type Recorded,
} from './handler.ts';
import { requireMounted } from '../../watch/disks.ts';

type Seen =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'same'; readonly state: DiskState }
  | (Omit<Recorded, 'id' | 'path'> & { readonly kind: 'file' });

interface Looked {
  readonly seen: Seen;
  readonly hasLeft: boolean;
}

/**
 * Updates the index from the disk, and never changes the user's files. Changes made by codex are already in the index,
 * so a late event for them changes nothing.
 */
export const sync: Handler<SyncIntent, Looked> = {
  async apply(work, { path, from }) {
    const hasLeft = from !== undefined && stateOf(work, from) === undefined;
    if (hasLeft) requireMounted(work, from);
    const source = from === undefined || !hasLeft ? undefined : fileAt(work.reader, work.notebook.id, from);
    const known = fileAt(work.reader, work.notebook.id, path) ?? source;
    const seen = await look(work, path, known);
    if (seen.kind === 'nothing') requireMounted(work, path);
    return { seen, hasLeft };
  },
  finish(tx, work, intent, { seen, hasLeft }, now) {
    const { path, from } = intent;
    let isNews = from !== undefined && hasLeft && followMove(tx, work, from, path, seen, now);
    if (from !== undefined && hasLeft) isNews = forgetAll(tx, work, from, now) || isNews;
    isNews = settle(tx, work, path, seen, now) || isNews;
    const file = fileAt(tx, work.notebook.id, path);
    return { path, file_id: file?.id, hash: file?.hash, unchanged: isNews ? undefined : true };
  },
};

/** Symbolic links count as missing, because they do not belong to a notebook. */
function stateOf({ tree }: Work, path: string): DiskState | undefined {
  try {
    const state = tree.state(path);
    return state?.kind === 'other' ? undefined : state;
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

async function look(work: Work, path: NotebookPath, known: FileRecord | undefined): Promise<Seen> {
  const { tree, notebook, settings } = work;
  const state = stateOf(work, path);
  if (state === undefined) return { kind: 'nothing' };
  if (state.kind === 'folder') return { kind: 'folder' };
  if (known !== undefined && looksSame(state, { ...known, kind: 'file' })) return { kind: 'same', state };
  if (state.size > settings.git_max_file_bytes) {
    const { hash, state: after } = await hashFile(tree, path);
    return known?.hash === hash
      ? { kind: 'same', state: after }
      : { kind: 'file', hash, state: after, inline: undefined, facts: undefined };
  }
  const { bytes, hash, state: after } = await readFile(tree, path);
  if (known?.hash === hash && known.mode === after.mode) return { kind: 'same', state: after };
  const staged = await stageContent(notebook.path, bytes);
  return { kind: 'file', hash, state: after, inline: staged.inline, facts: factsOf(path, bytes) };
}

/** A moved file keeps its id, and git records a rename. */
function followMove(
  ...[tx, work, from, path, seen, now]: [Transaction, Work, NotebookPath, NotebookPath, Seen, string]
): boolean {
  const { notebook, event } = work;
  const file = fileAt(tx, notebook.id, from);
  if (file !== undefined && (seen.kind === 'same' || seen.kind === 'file')) {
    forgetAll(tx, work, path, now);
    recordFolders(tx, work, path, now);
    moveFile(tx, file.id, path, event.id, now);
    recordMoved(tx, work, file.id, from, now);
    recordRename(tx, work, from, path, now);
    return true;
  }
  const isFree = folderAt(tx, notebook.id, path) === undefined && fileAt(tx, notebook.id, path) === undefined;
  if (seen.kind !== 'folder' || folderAt(tx, notebook.id, from) === undefined || !isFree) return false;
  recordFolders(tx, work, path, now);
  const count = moveFilesBelow(tx, notebook.id, from, path);
  moveFolders(tx, notebook.id, from, path);
  if (count > 0) recordRename(tx, work, from, path, now);
  return true;
}

function settle(tx: Transaction, work: Work, path: NotebookPath, seen: Seen, now: string): boolean {
  const { notebook, newId } = work;
  const file = fileAt(tx, notebook.id, path);
  if (seen.kind === 'nothing') return forgetAll(tx, work, path, now);
  // At any level of the path, a file may have become a folder, or a folder a file.
  for (const above of ancestorsOf(path)) {
    if (fileAt(tx, notebook.id, above) !== undefined) forgetAll(tx, work, above, now);
  }
  if (seen.kind === 'folder') {
    if (file !== undefined) forgetAll(tx, work, path, now);
    const isNew = folderAt(tx, notebook.id, path) === undefined;
    if (isNew) putFolders(tx, notebook.id, path, now, newId);
    return isNew || file !== undefined;
  }
  if (folderAt(tx, notebook.id, path) !== undefined) forgetAll(tx, work, path, now);
  if (seen.kind === 'same' && file !== undefined) {
    putState(tx, file.id, seen.state);
    return false;
  }
  if (seen.kind === 'same') return false;
  const { hash, state, inline, facts } = seen;
  recordFile(tx, work, { id: file?.id ?? newId(), path, hash, state, inline, facts }, now);
  return true;
}

/** Removes the file at a path, or the folder with everything in it, from the index. */
function forgetAll(tx: Transaction, work: Work, path: NotebookPath, now: string): boolean {
  const { notebook, notes } = work;
  const file = fileAt(tx, notebook.id, path);
  if (file !== undefined) {
    forgetFile(tx, file.id);
    notes.push({ kind: 'gone', fileIds: [file.id] });
    refreshTarget(tx, work, path, now);
    recordDelete(tx, work, path, now);
    return true;
  }
  if (folderAt(tx, notebook.id, path) === undefined) return false;
  const fileIds = forgetFilesBelow(tx, notebook.id, path);
  notes.push({ kind: 'gone', fileIds });
  forgetFolders(tx, notebook.id, path);
  if (fileIds.length > 0) recordDelete(tx, work, path, now);
  return true;
}
