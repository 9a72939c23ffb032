import { type HoldfastError, isHoldfastError, parseStoredObject, SECOND } from '@holdfast/base';
import { type Caller, operationErrors } from '@holdfast/operation';

import { codexErrors, nothingInTrash } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import { eventError } from '../model/failure.ts';
import type { Notebook } from '../model/notebook.ts';
import type { FileMetadata } from '../model/operation.ts';
import { notebookPath, type NotebookPath } from '../model/path.ts';
import type { FileView, Queued, Written } from '../operations/fields.ts';
import type * as operations from '../operations/files.ts';
import { eventsOfBatch } from '../store/events.ts';
import { countFilesBelow, fileAt, fileById } from '../store/files.ts';
import { folderAt, folderById } from '../store/folders.ts';
import type { Codex } from './codex.ts';
import { discardFailed } from './events.ts';
import { fileOf, knownPath, seenPath } from './files.ts';
import { writableNotebook } from './notebooks.ts';
import { expectedFile, type FileReference, findExpected, lastDeleted, type Request } from './requests.ts';
import { publishFor, submit, type Submitted } from './submit.ts';
import { batchView, fileView, queuedView, resultOf } from './views.ts';

/** Resolves the file of a queued change; accepts the id of a file that a queued operation will create. */
async function referenceFor(codex: Codex, notebook: Notebook, file: string): Promise<FileReference> {
  const isId = findExpected(codex.store.reader, notebook.id, { id: file }) !== undefined;
  return isId ? { id: file } : { path: await seenPath(codex, notebook, file) };
}

interface FileChange {
  readonly notebook?: string | undefined;
  readonly file: string;
  readonly base_hash?: string | undefined;
  readonly wait?: number | undefined;
}

type Update = Extract<Request, { readonly type: 'update' }>;

/** Queues an update to one file, based on the version that the caller has read. */
async function submitUpdate(
  codex: Codex,
  input: FileChange,
  caller: Caller,
  change: Pick<Update, 'content' | 'metadata'>,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const request = async (): Promise<Request> => {
    const file = await referenceFor(codex, notebook, input.file);
    return { type: 'update', file, ...change, base_hash: baseHash(codex, notebook, file, input.base_hash) };
  };
  return written(codex, notebook, await submit(codex, notebook, caller, request, { input }));
}

export async function createFile(codex: Codex, input: operations.CreateFileInput, caller: Caller): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const path = notebookPath(input.path);
  const content = bytesOf(input.content, input.encoding);
  const request: Request = { type: 'create', path, content, metadata: metadataOf(input) };
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

export function updateFile(codex: Codex, input: operations.UpdateFileInput, caller: Caller): Promise<Written> {
  const content = input.content === undefined ? undefined : bytesOf(input.content, input.encoding);
  return submitUpdate(codex, input, caller, { content, metadata: metadataOf(input) });
}

export async function writeFile(codex: Codex, input: operations.WriteFileInput, caller: Caller): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const path = await seenPath(codex, notebook, input.path);
  const content = bytesOf(input.content, input.encoding);
  const metadata = input.title === undefined ? undefined : { title: input.title };
  const update = (): Request | undefined => {
    const known = input.new ? undefined : fileAt(codex.store.reader, notebook.id, path);
    if (known === undefined && input.base_hash === undefined) return undefined;
    if (input.base_hash === undefined && !input.overwrite) {
      throw codexErrors.FILE_EXISTS(`${path} already exists`, { hint: 'Read it, then write with its hash.' });
    }
    const file: FileReference = known === undefined ? { path } : { id: known.id };
    return { type: 'update', file, content, metadata, base_hash: input.base_hash };
  };
  const request = update() ?? { type: 'create', path, content, metadata };
  const submitted = await submit(codex, notebook, caller, () => request, { input }).catch(async (error: unknown) => {
    // Another program has created the file in the meantime. With `overwrite`, replaces that file too.
    const again = isHoldfastError(error, 'FILE_EXISTS') && input.overwrite ? update() : undefined;
    if (again === undefined) throw error;
    await discardFailed(codex, Number((error as HoldfastError).details?.['event_id']));
    return submit(codex, notebook, caller, () => again, { input });
  });
  return written(codex, notebook, submitted);
}

export async function setProperties(
  codex: Codex,
  input: operations.SetPropertiesInput,
  caller: Caller,
): Promise<Written> {
  const metadata = assigned(input.assignments, { set: input.set ?? {}, unset: input.unset });
  if (Object.keys(metadata.set).length + metadata.unset.length === 0) {
    throw operationErrors.INPUT_INVALID('Give at least one property to set or remove');
  }
  return submitUpdate(codex, input, caller, { metadata });
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

export async function moveFile(codex: Codex, input: operations.MoveFileInput, caller: Caller): Promise<Queued> {
  const dest_path = notebookPath(input.dest_path);
  const links = input.keep_links ? 'keep' : undefined;
  return submitEntry(codex, input, caller, {
    ofFolder: (path) => ({ type: 'move_folder', path, dest_path, links }),
    ofFile: (file, base_hash) => ({ type: 'move', file, dest_path, base_hash, links }),
  });
}

export async function deleteFile(codex: Codex, input: operations.DeleteFileInput, caller: Caller): Promise<Queued> {
  return submitEntry(codex, input, caller, {
    ofFolder: (path) => ({ type: 'delete_folder', path }),
    ofFile: (file, base_hash) => ({ type: 'delete', file, base_hash }),
  });
}

interface EntryChange {
  readonly ofFolder: (path: NotebookPath) => Request;
  readonly ofFile: (file: FileReference, baseHash: string | undefined) => Request;
}

/**
 * Queues a change to a file or folder. For a folder, the response has the number of files: the actual number if the
 * change is done, or else the expected one.
 */
async function submitEntry(codex: Codex, input: FileChange, caller: Caller, change: EntryChange): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const folder = await folderFor(codex, notebook, input.file);
  const request = async (): Promise<Request> => {
    if (folder !== undefined) return change.ofFolder(folder);
    const file = await referenceFor(codex, notebook, input.file);
    return change.ofFile(file, baseHash(codex, notebook, file, input.base_hash));
  };
  const expected = folder === undefined ? 0 : countFilesBelow(codex.store.reader, notebook.id, folder);
  const { event } = await submit(codex, notebook, caller, request, { input, isBatch: folder !== undefined });
  if (!isFolderEvent(event)) return queuedView(event);
  const file_count = resultOf(event).file_count ?? expected;
  return { ...queuedView(event), file_id: null, correlation_id: event.correlation_id ?? '', file_count };
}

/** Returns the path of a folder, by its id or path; undefined if it is a file. */
async function folderFor(codex: Codex, notebook: Notebook, file: string): Promise<NotebookPath | undefined> {
  const { reader } = codex.store;
  if (fileById(reader, file)?.notebook_id === notebook.id) return undefined;
  const byId = folderById(reader, file);
  if (byId?.notebook_id === notebook.id) return byId.path as NotebookPath;
  if (findExpected(reader, notebook.id, { id: file }) !== undefined) return undefined;
  return folderAt(reader, notebook.id, await seenPath(codex, notebook, file))?.path as NotebookPath | undefined;
}

function isFolderEvent({ operation }: FileEvent): boolean {
  return (parseStoredObject(operation) as { readonly kind?: string }).kind === 'folder';
}

export async function createFolder(codex: Codex, input: operations.CreateFolderInput, caller: Caller): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const request: Request = { type: 'create_folder', path: notebookPath(input.path) };
  return queuedView((await submit(codex, notebook, caller, () => request, { input })).event);
}

export async function restoreDeleted(
  codex: Codex,
  input: operations.RestoreDeletedInput,
  caller: Caller,
): Promise<Queued> {
  const notebook = writableNotebook(codex, input.notebook);
  const path = input.path === undefined ? undefined : notebookPath(input.path);
  const event_id = input.event_id ?? lastDeleted(codex.store.reader, notebook.id)?.event_id;
  if (event_id === undefined) throw nothingInTrash('The trash of this notebook is empty');
  const request: Request = { type: 'undo_delete', event_id, path };
  return queuedView((await submit(codex, notebook, caller, () => request, { input })).event);
}

/** Returns the answer to a write: the event, and the file once the write is done. */
export function written({ store }: Codex, notebook: Notebook, { event, isDone }: Submitted): Written {
  if (!isDone) return queuedView(event);
  const row = fileOf(store.reader, notebook.id, event.file_id ?? '');
  return { ...queuedView(event), path: row.path, file: fileView(store.reader, row) };
}

export async function runBatch(
  codex: Codex,
  input: operations.RunBatchInput,
  caller: Caller,
): Promise<operations.BatchView> {
  const notebook = writableNotebook(codex, input.notebook);
  const { reader } = codex.store;
  const known = (path: string): NotebookPath => knownPath(reader, notebook.id, path);
  const requests = (): Request[] => input.operations.map((operation) => requestOf(operation, known));
  const { events } = await publishFor(codex, notebook, caller, requests, { input, isBatch: true });
  const [last] = events.slice(-1);
  const correlationId = last?.correlation_id ?? '';
  if (last === undefined || input.wait === undefined) return batchView(correlationId, events);
  await codex.wait(last.id, input.wait * SECOND, caller.signal);
  const ended = eventsOfBatch(reader, correlationId);
  const failed = ended.find(({ status }) => status === 'failed' || status === 'cancelled');
  if (failed !== undefined) throw eventError(failed);
  return batchView(correlationId, ended);
}

export function showBatch(codex: Codex, { correlation_id }: operations.ShowBatchInput): operations.BatchView {
  const events = eventsOfBatch(codex.store.reader, correlation_id);
  if (events.length === 0) throw codexErrors.EVENT_NOT_FOUND(`There is no batch ${correlation_id}`);
  return batchView(correlation_id, events);
}

type BatchOperation = operations.RunBatchInput['operations'][number];

function requestOf(operation: BatchOperation, known: (path: string) => NotebookPath): Request {
  switch (operation.type) {
    case 'create': {
      const content = bytesOf(operation.content, operation.encoding);
      return { type: 'create', path: notebookPath(operation.path), content, metadata: metadataOf(operation) };
    }
    case 'update': {
      const content = operation.content === undefined ? undefined : bytesOf(operation.content, operation.encoding);
      const { base_hash } = operation;
      return { type: 'update', file: fileIn(operation, known), content, metadata: metadataOf(operation), base_hash };
    }
    case 'move': {
      const dest_path = notebookPath(operation.dest_path);
      return { type: 'move', file: fileIn(operation, known), dest_path, links: linksOf(operation) };
    }
    case 'move_folder': {
      const dest_path = notebookPath(operation.dest_path);
      return { type: 'move_folder', path: known(operation.path), dest_path, links: linksOf(operation) };
    }
    case 'delete':
      return { type: 'delete', file: fileIn(operation, known) };
    case 'delete_folder':
      return { type: 'delete_folder', path: known(operation.path) };
    case 'create_folder':
    default:
      return { type: 'create_folder', path: notebookPath(operation.path) };
  }
}

function linksOf({ keep_links }: { readonly keep_links: boolean }): 'keep' | undefined {
  return keep_links ? 'keep' : undefined;
}

function fileIn(
  { file_id, path = '' }: { readonly file_id?: string | undefined; readonly path?: string | undefined },
  known: (path: string) => NotebookPath,
): FileReference {
  return file_id === undefined ? { path: known(path) } : { id: file_id };
}

function bytesOf(content: string, encoding: 'utf8' | 'base64'): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(content, 'utf8');
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64').replace(/=+$/u, '') !== content.replace(/=+$/u, '')) {
    throw operationErrors.INPUT_INVALID('The content is not valid base64');
  }
  return bytes;
}

/** Copies only these fields, so that a request cannot store any other field. */
function metadataOf({ title, description, properties }: FileMetadata): FileMetadata | undefined {
  if (title === undefined && description === undefined && properties === undefined) return undefined;
  return { title, description, properties };
}

/** Returns an ETag that changes with the content and with the metadata of a file. */
export function fileTag({ hash, last_event_id }: Pick<FileView, 'hash' | 'last_event_id'>): string {
  return `"${hash}-${last_event_id ?? 0}"`;
}

/** ETag that changes with the content only. */
export function contentTag({ hash }: Pick<FileView, 'hash'>): string {
  return `"${hash}"`;
}

/**
 * Returns the hash of the version that a write is based on. `given` is a hash or ETags. ETags are compared with the
 * index now; the hash is compared with the file again when the write runs.
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
  // A queued file has not been written, so no client can have its version.
  if (row === undefined) throw codexErrors.FILE_CHANGED(`${path} is not written yet`);
  if (tags.has(fileTag(row)) || tags.has(contentTag(row))) return row.hash;
  throw codexErrors.FILE_CHANGED(`${path} has changed since it was read`, { details: { current_etag: fileTag(row) } });
}
