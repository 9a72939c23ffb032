import { MINUTE, type Page, readPage, systemErrorCode } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { openFile, readFile as readFileContent, sha256, sizeOf } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import { fileVersion } from '../git/history.ts';
import { codexErrors } from '../model/errors.ts';
import { isText } from '../model/file-types.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { nameOf, notebookPath, type NotebookPath, observedPath, pathProblem } from '../model/path.ts';
import type { FileView, InNotebook, OneFile } from '../operations/fields.ts';
import type * as operations from '../operations/files.ts';
import { fileAt, fileById, listFiles as filesOf, listTrash as trashOf, type TrashRecord } from '../store/files.ts';
import * as folders from '../store/folders.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';
import { notebookFor } from './notebooks.ts';
import { expectedFile } from './requests.ts';
import { afterEvent } from './submit.ts';
import { fileView, singlePage } from './views.ts';

export function fileOf(tx: Transaction, notebookId: number, id: string): FileRecord {
  const row = fileById(tx, id);
  if (row?.notebook_id === notebookId) return row;
  throw codexErrors.FILE_NOT_FOUND(`There is no file ${id} in this notebook`);
}

function fileNamed(tx: Transaction, notebookId: number, path: NotebookPath): FileRecord {
  return fileOf(tx, notebookId, expectedFile(tx, notebookId, { path }).file_id);
}

/** Returns a file by its id, or by its path. */
export async function fileFor(codex: Codex, notebook: Notebook, file: string): Promise<FileRecord> {
  const { reader } = codex.store;
  const byId = fileById(reader, file);
  if (byId?.notebook_id === notebook.id) return byId;
  return fileNamed(reader, notebook.id, await seenPath(codex, notebook, file));
}

/** Returns the path of a file, by its id or path. The file may exist only in the history. */
export function pastFilePath({ store }: Codex, notebook: Notebook, file: string): NotebookPath {
  const byId = fileById(store.reader, file);
  if (byId?.notebook_id === notebook.id) return byId.path as NotebookPath;
  if (pathProblem(file) === undefined) return knownPath(store.reader, notebook.id, file);
  const seen = observedPath(file);
  if ('path' in seen) return seen.path;
  throw codexErrors.PATH_INVALID(`${JSON.stringify(file)} ${seen.reason}`);
}

/** Returns the path of an existing file or folder. Its name may break the rules for new names. */
export function knownPath(tx: Transaction, notebookId: number, input: string): NotebookPath {
  return isKnown(tx, notebookId, input) ? (input as NotebookPath) : notebookPath(input);
}

function isKnown(tx: Transaction, notebookId: number, path: string): boolean {
  // SQLite ends a text at NUL, so the rest would be ignored.
  if (path.includes('\0')) return false;
  return fileAt(tx, notebookId, path) !== undefined || folders.folderAt(tx, notebookId, path) !== undefined;
}

const RECONCILE_WAIT_MS: number = 10 * MINUTE;

/**
 * Compares a new notebook with its folder. A server does this in the background; without a server, callers use this
 * function.
 */
export async function compareNew(codex: Codex, notebook: Notebook): Promise<void> {
  if (!codex.isRunning && notebook.reconciled_at === null) await codex.reconcile(notebook, RECONCILE_WAIT_MS);
}

/** Returns the path of a file or folder. If the path exists on disk but not in the index, updates the index first. */
export async function seenPath(codex: Codex, notebook: Notebook, input: string): Promise<NotebookPath> {
  const { reader } = codex.store;
  const isNew = !isKnown(reader, notebook.id, input) && isInFolder(notebook, input);
  if (isNew) await codex.reconcile(notebook, RECONCILE_WAIT_MS);
  return knownPath(reader, notebook.id, input);
}

function isInFolder(notebook: Notebook, input: string): boolean {
  const seen = observedPath(input);
  if (!('path' in seen)) return false;
  using tree = new Tree(notebook.path);
  return tree.state(seen.path) !== undefined;
}

export async function listFiles(
  codex: Codex,
  { notebook: name, path, limit, cursor, after_event }: operations.ListFilesInput,
  caller: Caller,
): Promise<Page<FileView>> {
  await afterEvent(codex, after_event, caller);
  const { reader } = codex.store;
  const notebook = notebookFor(codex, name);
  await compareNew(codex, notebook);
  // Removes the slash that shells append when they complete a folder name.
  const wanted = path?.replace(/(?<=.)\/+$/u, '') ?? '';
  const named = wanted === '' ? undefined : await seenPath(codex, notebook, wanted);
  if (named !== undefined && folders.folderAt(reader, notebook.id, named) === undefined) {
    return singlePage([fileView(reader, fileNamed(reader, notebook.id, named))]);
  }
  const read = (count: number): readonly FileRecord[] =>
    filesOf(reader, notebook.id, { folder: named, after: cursor, limit: count });
  const page = await readPage(limit, read, (last) => last.path);
  return { ...page, data: page.data.map((row) => fileView(reader, row)) };
}

export async function showFile(codex: Codex, input: OneFile, caller: Caller): Promise<FileView> {
  await afterEvent(codex, input.after_event, caller);
  return fileView(codex.store.reader, await fileFor(codex, notebookFor(codex, input.notebook), input.file));
}

export interface OpenedFile {
  readonly fd: number;
  readonly size: number;
}

/** Opens a file without following a link. The caller closes the descriptor. */
export async function openContent(notebook: Notebook, path: string): Promise<OpenedFile> {
  using tree = new Tree(notebook.path);
  const fd = await openFile(tree, path);
  return { fd, size: sizeOf(fd) };
}

const READ_TRIES = 20;

/** Reads again if somebody replaces the file meanwhile. */
export async function readContent(notebook: Notebook, path: string): Promise<Uint8Array> {
  using tree = new Tree(notebook.path);
  for (let attempt = 1; ; attempt++) {
    try {
      return (await readFileContent(tree, path)).bytes;
    } catch (error) {
      if (systemErrorCode(error) !== 'STALE_READ' || attempt === READ_TRIES) throw error;
    }
  }
}

export async function readFile(codex: Codex, input: operations.ReadFileInput): Promise<operations.FileContent> {
  const { file, commit, offset, length } = input;
  const { bytes, ...version } = await versionOf(codex, notebookFor(codex, input.notebook), file, commit);
  const encoding = isText(bytes) ? 'utf8' : 'base64';
  const text = Buffer.from(bytes).toString(encoding);
  const content = text.slice(offset, length === undefined ? undefined : offset + length);
  return { ...version, hash: sha256(bytes), size: bytes.length, encoding, content, offset, total: text.length };
}

interface FoundVersion {
  readonly path: string;
  readonly commit: string | null;
  readonly bytes: Uint8Array;
}

async function versionOf(
  codex: Codex,
  notebook: Notebook,
  file: string,
  commit: string | undefined,
): Promise<FoundVersion> {
  if (commit === undefined) {
    const { path } = await fileFor(codex, notebook, file);
    return { path, commit: null, bytes: await readContent(notebook, path) };
  }
  const repository = await codex.git.repository(notebook.id);
  const version = await fileVersion(repository, pastFilePath(codex, notebook, file), commit);
  return { path: version.path, commit: version.sha, bytes: version.content };
}

export async function listFolders(
  codex: Codex,
  { notebook: name, limit, cursor = '', after_event }: operations.ListFoldersInput,
  caller: Caller,
): Promise<Page<folders.FolderRecord>> {
  await afterEvent(codex, after_event, caller);
  const { id } = notebookFor(codex, name);
  const read = (count: number): folders.FolderRecord[] => folders.listFolders(codex.store.reader, id, cursor, count);
  return readPage(limit, read, (last) => last.path);
}

/** Compares numbers in names as numbers: note 2 comes before note 10. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

interface TreeEntry extends folders.Child {
  readonly name: string;
  readonly has_children: boolean;
}

export async function listTree(
  codex: Codex,
  { notebook: name, folder, limit, cursor, after_event }: operations.ListTreeInput,
  caller: Caller,
): Promise<Page<TreeEntry>> {
  await afterEvent(codex, after_event, caller);
  const { reader } = codex.store;
  const { id } = notebookFor(codex, name);
  const inFolder = folder === '' ? '' : knownPath(reader, id, folder);
  if (inFolder !== '' && folders.folderAt(reader, id, inFolder) === undefined) {
    throw codexErrors.FILE_NOT_FOUND(`There is no folder ${folder}`);
  }
  const read = (count: number): readonly folders.Child[] =>
    folders.listChildren(reader, id, inFolder, placeOf(cursor), count);
  const { data, next_cursor } = await readPage(limit, read, ({ kind, path }) => `${kind}:${path}`);
  const entries = data.map((child): TreeEntry => {
    const has_children = child.kind === 'folder' && folders.hasChildren(reader, id, child.path);
    return { ...child, name: nameOf(child.path as NotebookPath), has_children };
  });
  entries.sort((left, right) => rank(left) - rank(right) || natural.compare(left.name, right.name));
  return { data: entries, next_cursor };
}

function rank({ kind }: TreeEntry): number {
  return kind === 'folder' ? 0 : 1;
}

function placeOf(cursor: string | undefined): folders.TreePlace {
  const [, kind = 'folder', after = ''] = /^(folder|file):(.*)$/su.exec(cursor ?? '') ?? [];
  return { kind: kind as folders.TreePlace['kind'], after: after.replaceAll('\0', '') };
}

const TRASH_SHOWN_MAX = 1_000;

export function listTrash(codex: Codex, { notebook: name }: InNotebook): Page<TrashRecord> {
  return singlePage(trashOf(codex.store.reader, notebookFor(codex, name).id, TRASH_SHOWN_MAX));
}
