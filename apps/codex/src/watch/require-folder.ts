import { isNotebook, makeOwnFolder, notebookMissing } from '../adapters/notebook-folder.ts';
import { stateOnDisk } from '../adapters/watch-scan.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Transaction } from '../store/open.ts';
import { knownFilesBelow } from '../store/watch-index.ts';

/**
 * Throws while the notebook is away. Restores our mark if `git clean` or a copy removed it: a known file in the folder
 * proves that it is not an empty mount point.
 */
export function requireFolder(tx: Transaction, { id, path }: Notebook): void {
  if (isNotebook(path)) return;
  const isThere = knownFilesBelow(tx, id, '').some((file) => stateOnDisk(path, file.path)?.kind === 'file');
  if (!isThere) throw notebookMissing(path);
  makeOwnFolder(path);
}
