import { MINUTE } from '@holdfast/base';

import { Tree } from '../adapters/tree.ts';
import { codexErrors } from '../model/errors.ts';
import type { Notebook } from '../model/notebook.ts';
import { type NotebookPath, notebookPath, observedPath, pathProblem } from '../model/path.ts';
import { fileAt } from '../store/files.ts';
import { folderAt } from '../store/folders.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';

/** The path of an existing file or folder, whose name may break the rules for new ones. */
export function knownPath(tx: Transaction, notebookId: number, input: string): NotebookPath {
  return isKnown(tx, notebookId, input) ? (input as NotebookPath) : notebookPath(input);
}

/** Like `knownPath`, for a path that may exist in the history only. */
export function pastPath(tx: Transaction, notebookId: number, input: string): NotebookPath {
  if (pathProblem(input) === undefined) return knownPath(tx, notebookId, input);
  const seen = observedPath(input);
  if ('path' in seen) return seen.path;
  throw codexErrors.PATH_INVALID(`${JSON.stringify(input)} ${seen.reason}`);
}

function isKnown(tx: Transaction, notebookId: number, path: string): boolean {
  // SQLite ends a text at NUL, so the rest would be ignored.
  if (path.includes('\0')) return false;
  return fileAt(tx, notebookId, path) !== undefined || folderAt(tx, notebookId, path) !== undefined;
}

const WAIT_MS: number = 10 * MINUTE;

/**
 * The path of a file on disk. Without a server it may not be indexed yet; then this compares folder and index first.
 */
export async function seenPath(codex: Codex, notebook: Notebook, input: string): Promise<NotebookPath> {
  const { reader } = codex.store;
  if (!isKnown(reader, notebook.id, input) && isInFolder(notebook, input)) await codex.reconcile(notebook, WAIT_MS);
  return knownPath(reader, notebook.id, input);
}

function isInFolder(notebook: Notebook, input: string): boolean {
  const seen = observedPath(input);
  if (!('path' in seen)) return false;
  using tree = new Tree(notebook.path);
  return tree.state(seen.path) !== undefined;
}
