import { codexErrors } from '../../model/errors.ts';
import type { Operation } from '../../model/operation.ts';
import { ancestorsOf, type NotebookPath, pathKey } from '../../model/path.ts';
import { filesOfKey } from '../../store/files.ts';
import { foldersOfKey } from '../../store/folders.ts';
import type { Tx } from '../../store/open.ts';
import type { Work } from './handler.ts';

/**
 * Throws if a path is taken, is below a file, or equals another path on systems that ignore case. `except` is the
 * source of a move.
 */
export function requireFree(tx: Tx, notebookId: number, path: NotebookPath, except?: string): void {
  for (const folder of ancestorsOf(path)) {
    const key = pathKey(folder);
    const file = filesOfKey(tx, notebookId, key)[0];
    if (file !== undefined) throw codexErrors.FILE_EXISTS(`${file.path} is a file, so nothing can lie in it`);
    const twin = foldersOfKey(tx, notebookId, key).find((found) => found.path !== folder && found.path !== except);
    if (twin !== undefined && !foldersOfKey(tx, notebookId, key).some((found) => found.path === folder)) {
      throw codexErrors.NAME_COLLIDES(`${folder} is ${twin.path} on systems that ignore case`);
    }
  }
  const key = pathKey(path);
  for (const found of [...filesOfKey(tx, notebookId, key), ...foldersOfKey(tx, notebookId, key)]) {
    if (found.path === except) continue;
    if (found.path === path) throw codexErrors.FILE_EXISTS(`${path} exists already`);
    throw codexErrors.NAME_COLLIDES(`${path} is ${found.path} on systems that ignore case`);
  }
}

/** Folding into a create is valid only for a new file; otherwise operations run one by one. */
export function requireNew({ reader, notebook, tree, event }: Work, operation: Operation | null): void {
  if (operation !== null && operation.type !== 'create') return;
  const path = event.path as NotebookPath;
  requireFree(reader, notebook.id, path);
  if (tree.state(path) !== undefined) throw codexErrors.FILE_EXISTS(`${path} exists already`);
}
