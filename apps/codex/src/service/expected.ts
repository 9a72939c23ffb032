import { codexErrors } from '../model/errors.ts';
import { isBelow, movedPath, type NotebookPath, pathKey } from '../model/path.ts';
import { lastArrival, waitingCreate, waitingMoves } from '../store/events.ts';
import { fileAt, fileById, filesOfKey } from '../store/files.ts';
import { folderAt } from '../store/folders.ts';
import type { Tx } from '../store/open.ts';

/** By its id, which stays the same when it is moved, or by where it is. */
export type FileReference = { readonly id: string } | { readonly path: NotebookPath };

export interface ExpectedFile {
  readonly path: NotebookPath;
  readonly file_id: string;
}

/**
 * The file as it will be once everything that waits is done: one that has just been asked for may be changed and moved
 * before it exists.
 */
export function expectedFile(tx: Tx, notebookId: number, reference: FileReference): ExpectedFile {
  const found = 'id' in reference ? byId(tx, notebookId, reference.id) : byPath(tx, notebookId, reference.path);
  if (found !== undefined) return found;
  const name = 'id' in reference ? reference.id : reference.path;
  const isFolder = 'path' in reference && folderAt(tx, notebookId, reference.path) !== undefined;
  const problem = isFolder
    ? `${name} is a folder, not a file`
    : `There is no file ${JSON.stringify(name)} in this notebook`;
  throw codexErrors.FILE_NOT_FOUND(problem);
}

function byId(tx: Tx, notebookId: number, id: string): ExpectedFile | undefined {
  const row = fileById(tx, id);
  const start = row?.notebook_id === notebookId ? row.path : waitingCreate(tx, notebookId, id)?.path;
  if (start === undefined || start === null) return undefined;
  let path = start as NotebookPath;
  for (const move of waitingMoves(tx, notebookId)) {
    const source = move.path as NotebookPath;
    if (path === source || isBelow(path, source)) path = movedPath(path, source, move.dest_path as NotebookPath);
  }
  return { path, file_id: id };
}

function byPath(tx: Tx, notebookId: number, path: NotebookPath): ExpectedFile | undefined {
  const key = pathKey(path);
  const last = lastArrival(tx, notebookId, key);
  const arriving = last?.file_id ?? undefined;
  if (last !== undefined && arriving !== undefined) {
    return { path: (last.dest_path ?? last.path) as NotebookPath, file_id: arriving };
  }
  const alike = filesOfKey(tx, notebookId, key);
  const row = fileAt(tx, notebookId, path) ?? (alike.length === 1 ? alike[0] : undefined);
  return row === undefined ? undefined : { path: row.path as NotebookPath, file_id: row.id };
}

/** A folder that is there, or will be; whether it really is, its turn in the queue decides. */
export function expectedFolder(tx: Tx, notebookId: number, path: NotebookPath): NotebookPath {
  const isKnown = folderAt(tx, notebookId, path) !== undefined || fileAt(tx, notebookId, path) === undefined;
  if (isKnown) return path;
  throw codexErrors.FILE_NOT_FOUND(`${path} is a file, not a folder`);
}
