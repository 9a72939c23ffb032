import { codexErrors } from '../../model/errors.ts';
import type { Operation } from '../../model/operation.ts';
import { ancestorsOf, type NotebookPath, pathKey } from '../../model/path.ts';
import { filesOfKey } from '../../store/files.ts';
import { foldersOfKey } from '../../store/folders.ts';
import type { Tx } from '../../store/open.ts';
import type { Work } from './handler.ts';

/**
 * Refuses a path that is taken, that a file stands in the way of, or that on some system is the same as another on any
 * level. `except` is what is being moved away from there.
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

/** Folding into a create takes for granted that the file is new. Where something is, each operation speaks for itself. */
export function requireNew({ reader, notebook, tree, event }: Work, operation: Operation | null): void {
  if (operation !== null && operation.type !== 'create') return;
  const path = event.path as NotebookPath;
  requireFree(reader, notebook.id, path);
  if (tree.state(path) !== undefined) throw codexErrors.FILE_EXISTS(`${path} exists already`);
}
