import { makeOwnFolder } from '../adapters/notebook-folder.ts';
import { isNotebook, notebookAway } from '../adapters/notebook-mark.ts';
import { lookAt } from '../adapters/watch-scan.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Tx } from '../store/open.ts';
import { knownFilesBelow } from '../store/watch-index.ts';

/**
 * Throws while the notebook is away. A folder that lost our mark, by `git clean` or because it was put back from
 * somewhere else, gets it again when a file of the notebook is where it was: in the place of a disk there is none.
 */
export function requireFolder(tx: Tx, { id, path }: Notebook): void {
  if (isNotebook(path)) return;
  const isThere = knownFilesBelow(tx, id, '').some((file) => lookAt(path, file.path)?.kind === 'file');
  if (!isThere) throw notebookAway(path);
  makeOwnFolder(path);
}
