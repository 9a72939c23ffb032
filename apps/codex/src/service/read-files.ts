import { openFile, readFile, sizeOf } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import { codexErrors } from '../model/errors.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import type { NotebookPath } from '../model/path.ts';
import { fileById } from '../store/files.ts';
import type { Tx } from '../store/open.ts';
import { expectedFile } from './requests.ts';

export interface OpenedFile {
  readonly fd: number;
  readonly size: number;
}

export function fileOf(tx: Tx, notebookId: number, id: string): FileRecord {
  const row = fileById(tx, id);
  if (row?.notebook_id === notebookId) return row;
  throw codexErrors.FILE_NOT_FOUND(`There is no file ${id} in this notebook`);
}

export function fileNamed(tx: Tx, notebookId: number, path: NotebookPath): FileRecord {
  return fileOf(tx, notebookId, expectedFile(tx, notebookId, { path }).file_id);
}

/** Opens a file without following a link. The caller closes the descriptor. */
export async function openContent(notebook: Notebook, path: string): Promise<OpenedFile> {
  using tree = new Tree(notebook.path);
  const fd = await openFile(tree, path);
  return { fd, size: sizeOf(fd) };
}

export async function readContent(notebook: Notebook, path: string): Promise<Uint8Array> {
  using tree = new Tree(notebook.path);
  return (await readFile(tree, path)).bytes;
}
