import { failpoint } from '@holdfast/base';

import { stageContent } from '../../adapters/blobs.ts';
import { readFile } from '../../adapters/file-content.ts';
import { codexErrors } from '../../model/errors.ts';
import type { UntrashIntent } from '../../model/intent.ts';
import { factsOf } from '../../model/note/facts.ts';
import { movedPath, type NotebookPath, parentOf } from '../../model/path.ts';
import { filesInTrash } from '../../store/files.ts';
import { restoreFolders } from '../../store/folders.ts';
import type { Tx } from '../../store/open.ts';
import { dropTrash, trashOf } from '../../store/trash.ts';
import type { Handler, Work } from './handler.ts';
import { recordFile, recordFolders, type Recorded } from './record-file.ts';
import { trashPath } from './trash.ts';

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
      const recorded = await returned(work, file.id, movedPath(file.path as NotebookPath, from, path));
      if (recorded !== undefined) found.push(recorded);
    }
    return found;
  },
  finish(tx, work, { path, undo_of, kind }, found, now) {
    restoreFolders(tx, undo_of, placeBefore(tx, undo_of, path), path);
    recordFolders(tx, work, path, now);
    for (const file of found) recordFile(tx, work, file, now);
    dropTrash(tx, undo_of);
    const [first] = found;
    return {
      path,
      ...(kind === 'file' && first !== undefined ? { file_id: first.id, hash: first.hash } : {}),
      ...(kind === 'folder' ? { file_count: found.length } : {}),
    };
  },
};

/** Links the file before it leaves the trash, and never replaces another. */
async function bringBack({ tree }: Work, { path, undo_of, kind }: UntrashIntent): Promise<void> {
  const kept = trashPath(undo_of);
  const isLinked = tree.state(path)?.inode === tree.state(kept)?.inode;
  if (!isLinked) {
    if (tree.state(path) !== undefined) throw codexErrors.FILE_EXISTS(`${path} exists again`);
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
    throw codexErrors.FILE_EXISTS(`${to} exists again`, { cause: error });
  }
}

/** Original path; the file may be restored to another one. */
function placeBefore(tx: Tx, undoOf: number, path: NotebookPath): NotebookPath {
  return (trashOf(tx, undoOf)?.path ?? path) as NotebookPath;
}

async function returned({ tree, notebook }: Work, id: string, path: NotebookPath): Promise<Recorded | undefined> {
  if (tree.state(path)?.kind !== 'file') return undefined;
  const { bytes, hash, state } = await readFile(tree, path);
  const staged = await stageContent(notebook.path, bytes);
  return { id, path, hash, state, inline: staged.inline, facts: factsOf(path, bytes) };
}
