import { type HoldfastError, isHoldfastError, readPage } from '@holdfast/base';
import { type Caller, type GivenTo, type InputOf, operationErrors, type OutputOf } from '@holdfast/operation';

import { openFile, readFile as readFileContent, sha256, sizeOf } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import { fileVersion } from '../git/history.ts';
import { codexErrors, nothingInTrash } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import type { FileMetadata } from '../model/operation.ts';
import { nameOf, notebookPath, type NotebookPath } from '../model/path.ts';
import { isText } from '../model/file-types.ts';
import { countFilesBelow, fileAt, fileById, listFiles as filesOf, listTrash as trashOf } from '../store/files.ts';
import {
  type Child,
  folderAt,
  folderById,
  hasChildren,
  listChildren,
  listFolders as foldersOf,
  type TreePlace,
} from '../store/folders.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';
import { discardFailed } from './events.ts';
import { expectedFile, type FileReference, findExpected, lastDeleted, type Request } from './requests.ts';
import { notebookFor, writableNotebook } from './notebooks.ts';
import { knownPath, pastPath, seenPath } from './paths.ts';
import { afterEvent, submit, type Submitted } from './submit.ts';
import { fileView, type FileView, queuedView, type QueuedView, resultOf, wholeList } from './views.ts';

import type * as operations from '../operations/files.ts';

type Written = QueuedView & { readonly file?: FileView | undefined };
type Queued = OutputOf<typeof operations.moveFile>;

export function fileOf(tx: Transaction, notebookId: number, id: string): FileRecord {
  const row = fileById(tx, id);
  if (row?.notebook_id === notebookId) return row;
  throw codexErrors.FILE_NOT_FOUND(`There is no file ${id} in this notebook`);
}

function fileNamed(tx: Transaction, notebookId: number, path: NotebookPath): FileRecord {
  return fileOf(tx, notebookId, expectedFile(tx, notebookId, { path }).file_id);
}

/** A file by its id, or by its path. */
export async function fileFor(codex: Codex, notebook: Notebook, file: string): Promise<FileRecord> {
  const { reader } = codex.store;
  const byId = fileById(reader, file);
  if (byId?.notebook_id === notebook.id) return byId;
  return fileNamed(reader, notebook.id, await seenPath(codex, notebook, file));
}

/** The path of a file that may exist in the history only, by its id or path. */
export function pastFilePath({ store }: Codex, notebook: Notebook, file: string): NotebookPath {
  const byId = fileById(store.reader, file);
  return byId?.notebook_id === notebook.id ? (byId.path as NotebookPath) : pastPath(store.reader, notebook.id, file);
}

/** A file for a queued change: one that is still to be created can be named by its id. */
async function referenceFor(codex: Codex, notebook: Notebook, file: string): Promise<FileReference> {
  const isId = findExpected(codex.store.reader, notebook.id, { id: file }) !== undefined;
  return isId ? { id: file } : { path: await seenPath(codex, notebook, file) };
}

export async function listFiles(
  codex: Codex,
  { notebook: name, path, limit, cursor, after_event }: InputOf<typeof operations.listFiles>,
  caller: Caller,
): Promise<OutputOf<typeof operations.listFiles>> {
  await afterEvent(codex, after_event, caller);
  const { reader } = codex.store;
  const notebook = notebookFor(codex, name);
  // Shells complete the name of a folder with a slash.
  const wanted = path?.replace(/(?<=.)\/+$/u, '') ?? '';
  const named = wanted === '' ? undefined : await seenPath(codex, notebook, wanted);
  if (named !== undefined && folderAt(reader, notebook.id, named) === undefined) {
    return { data: [fileView(reader, fileNamed(reader, notebook.id, named))], next_cursor: null };
  }
  const read = (count: number): readonly FileRecord[] =>
    filesOf(reader, notebook.id, { folder: named, after: cursor, limit: count });
  const page = await readPage(limit, read, (last) => last.path);
  return { ...page, data: page.data.map((row) => fileView(reader, row)) };
}

export async function showFile(
  codex: Codex,
  { notebook: name, file, after_event }: GivenTo<typeof operations.showFile>,
  caller: Caller,
): Promise<FileView> {
  await afterEvent(codex, after_event, caller);
  return fileView(codex.store.reader, await fileFor(codex, notebookFor(codex, name), file));
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

export async function readContent(notebook: Notebook, path: string): Promise<Uint8Array> {
  using tree = new Tree(notebook.path);
  return (await readFileContent(tree, path)).bytes;
}

export async function readFile(
  codex: Codex,
  { notebook: name, file, commit, offset, length }: InputOf<typeof operations.readFile>,
): Promise<OutputOf<typeof operations.readFile>> {
  const notebook = notebookFor(codex, name);
  const found = await versionOf(codex, notebook, file, commit);
  const { bytes } = found;
  const encoding = isText(bytes) ? 'utf8' : 'base64';
  const text = Buffer.from(bytes).toString(encoding);
  const content = text.slice(offset, length === undefined ? undefined : offset + length);
  return {
    path: found.path,
    commit: found.commit,
    hash: sha256(bytes),
    size: bytes.length,
    encoding,
    content,
    offset,
    total: text.length,
  };
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

export async function createFile(
  codex: Codex,
  input: InputOf<typeof operations.createFile>,
  caller: Caller,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const request: Request = {
    type: 'create',
    path: notebookPath(input.path),
    content: bytesOf(input.content, input.encoding),
    metadata: metadataOf(input),
  };
  return written(codex, notebook, await submit(codex, notebook, caller, () => request, { input }));
}

export async function uploadFile(
  codex: Codex,
  input: { readonly notebook: string; readonly path: string; readonly wait?: number | undefined },
  bytes: Uint8Array,
  caller: Caller,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const request: Request = { type: 'create', path: notebookPath(input.path), content: bytes };
  return written(codex, notebook, await submit(codex, notebook, caller, () => request, { input, bytes }));
}

export async function updateFile(
  codex: Codex,
  input: InputOf<typeof operations.updateFile>,
  caller: Caller,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const { content, encoding } = input;
  const request = async (): Promise<Request> => {
    const file = await referenceFor(codex, notebook, input.file);
    return {
      type: 'update',
      file,
      content: content === undefined ? undefined : bytesOf(content, encoding),
      metadata: metadataOf(input),
      base_hash: baseHash(codex, notebook, file, input.base_hash),
    };
  };
  return written(codex, notebook, await submit(codex, notebook, caller, request, { input }));
}

export async function writeFile(
  codex: Codex,
  input: InputOf<typeof operations.writeFile>,
  caller: Caller,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const path = await seenPath(codex, notebook, input.path);
  const content = bytesOf(input.content, input.encoding);
  const metadata = input.title === undefined ? undefined : { title: input.title };
  const update = (): Request | undefined => {
    const known = input.new ? undefined : fileAt(codex.store.reader, notebook.id, path);
    if (known === undefined && input.base_hash === undefined) return undefined;
    if (input.base_hash === undefined && !input.overwrite) {
      throw codexErrors.FILE_EXISTS(`${path} exists already`, { hint: 'Read it, then write with its hash.' });
    }
    const file: FileReference = known === undefined ? { path } : { id: known.id };
    return { type: 'update', file, content, metadata, base_hash: input.base_hash };
  };
  const request = update() ?? { type: 'create', path, content, metadata };
  const submitted = await submit(codex, notebook, caller, () => request, { input }).catch(async (error: unknown) => {
    // Another program created the file meanwhile, which is no reason not to replace it.
    const again = isHoldfastError(error, 'FILE_EXISTS') && input.overwrite ? update() : undefined;
    if (again === undefined) throw error;
    await discardFailed(codex, Number((error as HoldfastError).details?.['event_id']));
    return submit(codex, notebook, caller, () => again, { input });
  });
  return written(codex, notebook, submitted);
}

export async function setProperties(
  codex: Codex,
  input: InputOf<typeof operations.setProperties>,
  caller: Caller,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const metadata = assigned(input.assignments, { set: input.set ?? {}, unset: input.unset });
  if (Object.keys(metadata.set).length + metadata.unset.length === 0) {
    throw operationErrors.INPUT_INVALID('Name a property to set or to remove');
  }
  const request = async (): Promise<Request> => {
    const file = await referenceFor(codex, notebook, input.file);
    return { type: 'update', file, metadata, base_hash: baseHash(codex, notebook, file, input.base_hash) };
  };
  return written(codex, notebook, await submit(codex, notebook, caller, request, { input }));
}

interface Assignments {
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

function assigned(assignments: readonly string[], { set, unset }: Assignments): Assignments {
  const added: (readonly [string, unknown])[] = [];
  const removed = [...unset];
  for (const each of assignments) {
    const at = each.indexOf('=');
    if (at <= 0) throw operationErrors.INPUT_INVALID(`${JSON.stringify(each)} is not of the form name=value`);
    if (at === each.length - 1) removed.push(each.slice(0, at));
    else added.push([each.slice(0, at), jsonOrText(each.slice(at + 1))]);
  }
  return { set: { ...set, ...Object.fromEntries(added) }, unset: removed };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export async function moveFile(
  codex: Codex,
  input: InputOf<typeof operations.moveFile>,
  caller: Caller,
): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const dest_path = notebookPath(input.dest_path);
  const links = input.keep_links ? 'keep' : undefined;
  const entry = await entryFor(codex, notebook, input.file);
  const request = async (): Promise<Request> => {
    if ('folder' in entry) return { type: 'move_folder', path: entry.folder, dest_path, links };
    const file = await referenceFor(codex, notebook, input.file);
    return { type: 'move', file, dest_path, base_hash: baseHash(codex, notebook, file, input.base_hash), links };
  };
  return submitEntry(codex, notebook, caller, { entry, request, input });
}

export async function deleteFile(
  codex: Codex,
  input: InputOf<typeof operations.deleteFile>,
  caller: Caller,
): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const entry = await entryFor(codex, notebook, input.file);
  const request = async (): Promise<Request> => {
    if ('folder' in entry) return { type: 'delete_folder', path: entry.folder };
    const file = await referenceFor(codex, notebook, input.file);
    return { type: 'delete', file, base_hash: baseHash(codex, notebook, file, input.base_hash) };
  };
  return submitEntry(codex, notebook, caller, { entry, request, input });
}

type Entry = { readonly folder: NotebookPath; readonly fileCount: number } | { readonly file: string };

async function entryFor(codex: Codex, notebook: Notebook, file: string): Promise<Entry> {
  const { reader } = codex.store;
  if (fileById(reader, file)?.notebook_id === notebook.id) return { file };
  const byId = folderById(reader, file);
  const folder = byId?.notebook_id === notebook.id ? byId : await folderNamed();
  if (folder === undefined) return { file };
  return { folder: folder.path as NotebookPath, fileCount: countFilesBelow(reader, notebook.id, folder.path) };

  async function folderNamed(): Promise<ReturnType<typeof folderAt>> {
    if (findExpected(reader, notebook.id, { id: file }) !== undefined) return undefined;
    return folderAt(reader, notebook.id, await seenPath(codex, notebook, file));
  }
}

interface EntryChange {
  readonly entry: Entry;
  readonly request: () => Promise<Request>;
  readonly input: { readonly wait?: number | undefined };
}

/** For a folder the answer has the number of files: those expected, and those really moved once it is done. */
async function submitEntry(
  codex: Codex,
  notebook: Notebook,
  caller: Caller,
  { entry, request, input }: EntryChange,
): Promise<Queued> {
  const { event } = await submit(codex, notebook, caller, request, { input, isBatch: 'folder' in entry });
  if (!isFolderEvent(event)) return queuedView(event);
  return {
    ...queuedView(event),
    file_id: null,
    correlation_id: event.correlation_id ?? '',
    file_count: resultOf(event).file_count ?? ('fileCount' in entry ? entry.fileCount : 0),
  };
}

function isFolderEvent({ operation }: FileEvent): boolean {
  return (JSON.parse(operation) as { readonly kind?: string }).kind === 'folder';
}

export async function createFolder(
  codex: Codex,
  input: InputOf<typeof operations.createFolder>,
  caller: Caller,
): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const request: Request = { type: 'create_folder', path: notebookPath(input.path) };
  return queuedView((await submit(codex, notebook, caller, () => request, { input })).event);
}

export async function listFolders(
  codex: Codex,
  { notebook: name, limit, cursor, after_event }: InputOf<typeof operations.listFolders>,
  caller: Caller,
): Promise<OutputOf<typeof operations.listFolders>> {
  await afterEvent(codex, after_event, caller);
  const { id } = notebookFor(codex, name);
  const read = (count: number): ReturnType<typeof foldersOf> => foldersOf(codex.store.reader, id, cursor ?? '', count);
  return readPage(limit, read, (last) => last.path);
}

/** Compares numbers in names as numbers: note 2 comes before note 10. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export async function listTree(
  codex: Codex,
  { notebook: name, folder, limit, cursor, after_event }: InputOf<typeof operations.listTree>,
  caller: Caller,
): Promise<OutputOf<typeof operations.listTree>> {
  await afterEvent(codex, after_event, caller);
  const { reader } = codex.store;
  const { id } = notebookFor(codex, name);
  const inFolder = folder === '' ? '' : knownPath(reader, id, folder);
  const read = (count: number): readonly Child[] => listChildren(reader, id, inFolder, placeOf(cursor), count);
  const { data, next_cursor } = await readPage(limit, read, ({ kind, path }) => `${kind}:${path}`);
  const children = data.map((child) => childView(reader, id, child));
  children.sort((left, right) => rank(left) - rank(right) || natural.compare(left.name, right.name));
  return { data: children, next_cursor };
}

function rank({ kind }: Pick<Child, 'kind'>): number {
  return kind === 'folder' ? 0 : 1;
}

function placeOf(cursor: string | undefined): TreePlace {
  const [, kind = 'folder', after = ''] = /^(folder|file):(.*)$/su.exec(cursor ?? '') ?? [];
  return { kind: kind as TreePlace['kind'], after: after.replaceAll('\0', '') };
}

function childView(
  tx: Transaction,
  notebookId: number,
  child: Child,
): OutputOf<typeof operations.listTree>['data'][number] {
  const name = nameOf(child.path as NotebookPath);
  if (child.kind === 'file') return { ...child, name, has_children: false };
  const nothing = { title: null, size: null, content_type: null, updated_at: null, git_reason: null };
  return { ...child, name, ...nothing, has_children: hasChildren(tx, notebookId, child.path) };
}

const TRASH_SHOWN_MAX = 1_000;

export function listTrash(
  codex: Codex,
  { notebook: name }: GivenTo<typeof operations.listTrash>,
): OutputOf<typeof operations.listTrash> {
  return wholeList(trashOf(codex.store.reader, notebookFor(codex, name).id, TRASH_SHOWN_MAX));
}

export async function restoreDeleted(
  codex: Codex,
  input: InputOf<typeof operations.restoreDeleted>,
  caller: Caller,
): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const path = input.path === undefined ? undefined : notebookPath(input.path);
  const event_id = input.event_id ?? lastDeleted(codex.store.reader, notebook.id)?.event_id;
  if (event_id === undefined) throw nothingInTrash('The trash of this notebook is empty');
  const request: Request = { type: 'undo_delete', event_id, path };
  return queuedView((await submit(codex, notebook, caller, () => request, { input })).event);
}

/** The answer to a write: the event, and the file once it is done. */
export function written({ store }: Codex, notebook: Notebook, { event, isDone }: Submitted): Written {
  if (!isDone) return queuedView(event);
  const row = fileOf(store.reader, notebook.id, event.file_id ?? '');
  return { ...queuedView(event), path: row.path, file: fileView(store.reader, row) };
}

export function bytesOf(content: string, encoding: 'utf8' | 'base64'): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(content, 'utf8');
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64').replace(/=+$/u, '') !== content.replace(/=+$/u, '')) {
    throw operationErrors.INPUT_INVALID('The content is not valid base64');
  }
  return bytes;
}

/** Takes only known metadata: a request cannot set any other column. */
export function metadataOf({
  title,
  description,
  properties,
}: {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}): FileMetadata | undefined {
  if (title === undefined && description === undefined && properties === undefined) return undefined;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(properties === undefined ? {} : { properties }),
  };
}

/** Changes with the content and with the metadata of a file. */
export function fileTag({ hash, last_event_id }: Pick<FileView, 'hash' | 'last_event_id'>): string {
  return `"${hash}-${last_event_id ?? 0}"`;
}

/** Changes with the content only. */
export function contentTag({ hash }: Pick<FileView, 'hash'>): string {
  return `"${hash}"`;
}

/**
 * The hash of the version that a write was made for, given as a hash or as ETags. ETags are compared with the index now;
 * the hash is compared once more with the content when the write is carried out.
 */
function baseHash(
  { store }: Codex,
  notebook: Notebook,
  file: FileReference,
  given: string | undefined,
): string | undefined {
  if (given === undefined || !/["*]/u.test(given)) return given;
  const tags = new Set(given.split(',').map((tag) => tag.trim()));
  if (tags.has('*')) return undefined;
  const { path, file_id } = expectedFile(store.reader, notebook.id, file);
  const row = fileById(store.reader, file_id);
  // A file that is still to be created has no version that anybody could have seen.
  if (row === undefined) throw codexErrors.FILE_CHANGED(`${path} is not written yet`);
  if (tags.has(fileTag(row)) || tags.has(contentTag(row))) return row.hash;
  throw codexErrors.FILE_CHANGED(`${path} has changed since it was read`, { details: { current_etag: fileTag(row) } });
}
