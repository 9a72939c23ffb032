import { codexErrors } from '../model/errors.ts';
import { notebookPath, type NotebookPath, observedPath, pathProblem } from '../model/path.ts';
import { fileAt } from '../store/files.ts';
import { folderAt } from '../store/folders.ts';
import type { Tx } from '../store/open.ts';

/** The path of something that is there: names that others gave it may break the rules for new ones. */
export function knownPath(tx: Tx, notebookId: number, input: string): NotebookPath {
  return isKnown(tx, notebookId, input) ? (input as NotebookPath) : notebookPath(input);
}

/** The same for something that may be in the history only. */
export function pastPath(tx: Tx, notebookId: number, input: string): NotebookPath {
  if (pathProblem(input) === undefined) return knownPath(tx, notebookId, input);
  const seen = observedPath(input);
  if ('path' in seen) return seen.path;
  throw codexErrors.PATH_INVALID(`${JSON.stringify(input)} ${seen.reason}`);
}

export function isKnown(tx: Tx, notebookId: number, path: string): boolean {
  // SQLite ends a text at this character, so the rest would go unseen.
  if (path.includes('\0')) return false;
  return fileAt(tx, notebookId, path) !== undefined || folderAt(tx, notebookId, path) !== undefined;
}
