import type { Staged } from '../adapters/blobs.ts';
import { codexErrors, nothingInTrash } from '../model/errors.ts';
import { sidecarsOf } from '../model/note/facts.ts';
import type { FileMetadata, Operation } from '../model/operation.ts';
import { isBelow, movedPath, type NotebookPath, pathKey } from '../model/path.ts';
import { lastArrival, waitingCreate, waitingMoves } from '../store/events.ts';
import { fileAt, fileById, filesOfKey, listTrash, trashOf, type TrashRecord } from '../store/files.ts';
import { folderAt } from '../store/folders.ts';
import type { Transaction } from '../store/open.ts';
import { editedBytes, editOf, holdsProperties } from './handlers/plan.ts';

/** Requests that callers can publish. */
export type Request =
  | {
      readonly type: 'create';
      readonly path: NotebookPath;
      readonly content: Uint8Array;
      readonly metadata?: FileMetadata | undefined;
    }
  | { readonly type: 'create_folder'; readonly path: NotebookPath }
  | {
      readonly type: 'update';
      readonly file: FileReference;
      readonly content?: Uint8Array | undefined;
      readonly metadata?: FileMetadata | undefined;
      readonly base_hash?: string | undefined;
    }
  | {
      readonly type: 'move';
      readonly file: FileReference;
      readonly dest_path: NotebookPath;
      readonly base_hash?: string | undefined;
      readonly links?: 'keep' | undefined;
    }
  | {
      readonly type: 'move_folder';
      readonly path: NotebookPath;
      readonly dest_path: NotebookPath;
      /** `keep`: links in other notes are not rewritten. */
      readonly links?: 'keep' | undefined;
    }
  | { readonly type: 'delete'; readonly file: FileReference; readonly base_hash?: string | undefined }
  | { readonly type: 'delete_folder'; readonly path: NotebookPath }
  /** Restores what this delete event moved to the trash: at its old path, or at `path` if set. */
  | { readonly type: 'undo_delete'; readonly event_id: number; readonly path?: NotebookPath | undefined }
  | { readonly type: 'batch_commit'; readonly message?: string | undefined };

/** Converts a request to an operation for the queue; throws if the request is not valid. */
export function toOperation(
  tx: Transaction,
  notebookId: number,
  request: Request,
  staged: Staged | undefined,
  newId: () => string,
): Operation {
  const content = staged === undefined ? undefined : { hash: staged.hash, size: staged.size };
  switch (request.type) {
    case 'create': {
      const { path, metadata } = request;
      return { type: 'create', kind: 'file', path, file_id: newId(), staged: content, metadata };
    }
    case 'create_folder':
      return { type: 'create', kind: 'folder', path: request.path, file_id: newId() };
    case 'update': {
      const { metadata, base_hash } = request;
      return { type: 'update', ...expectedFile(tx, notebookId, request.file), staged: content, metadata, base_hash };
    }
    case 'delete': {
      const { base_hash } = request;
      return { type: 'delete', kind: 'file', ...expectedFile(tx, notebookId, request.file), base_hash };
    }
    case 'delete_folder':
      return { type: 'delete', kind: 'folder', path: expectedFolder(tx, notebookId, request.path) };
    case 'move': {
      const { path: source_path, file_id } = expectedFile(tx, notebookId, request.file);
      const { dest_path, base_hash, links } = request;
      return { type: 'move', kind: 'file', source_path, dest_path, file_id, base_hash, links };
    }
    case 'move_folder': {
      const { dest_path, links } = request;
      const source_path = expectedFolder(tx, notebookId, request.path);
      if (isBelow(dest_path, source_path)) {
        throw codexErrors.MOVE_INTO_ITSELF(`${dest_path} is inside ${source_path}`);
      }
      return { type: 'move', kind: 'folder', source_path, dest_path, links };
    }
    case 'undo_delete': {
      const record = trashOf(tx, request.event_id);
      if (record?.notebook_id !== notebookId) {
        throw nothingInTrash(`The trash has no files from event ${request.event_id}`);
      }
      const path = request.path ?? (record.path as NotebookPath);
      return { type: 'create', kind: record.kind, path, file_id: newId(), undo_of: request.event_id };
    }
    case 'batch_commit':
    default:
      return { type: 'batch_commit', message: request.message };
  }
}

/** A file by its id, which stays the same after a move, or by its path. */
export type FileReference = { readonly id: string } | { readonly path: NotebookPath };

interface ExpectedFile {
  readonly path: NotebookPath;
  readonly file_id: string;
}

/**
 * Returns the file as it will be after all queued operations, so that callers can change or move a file before it
 * exists.
 */
export function expectedFile(tx: Transaction, notebookId: number, reference: FileReference): ExpectedFile {
  const found = findExpected(tx, notebookId, reference);
  if (found !== undefined) return found;
  const name = 'id' in reference ? reference.id : reference.path;
  const isFolder = 'path' in reference && folderAt(tx, notebookId, reference.path) !== undefined;
  const problem = isFolder
    ? `${name} is a folder, not a file`
    : `There is no file ${JSON.stringify(name)} in this notebook`;
  throw codexErrors.FILE_NOT_FOUND(problem);
}

export function findExpected(tx: Transaction, notebookId: number, reference: FileReference): ExpectedFile | undefined {
  return 'id' in reference ? byId(tx, notebookId, reference.id) : byPath(tx, notebookId, reference.path);
}

function byId(tx: Transaction, notebookId: number, id: string): ExpectedFile | undefined {
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

function byPath(tx: Transaction, notebookId: number, path: NotebookPath): ExpectedFile | undefined {
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

/** Refuses the path of a file. Whether the folder exists is checked only when the operation runs. */
function expectedFolder(tx: Transaction, notebookId: number, path: NotebookPath): NotebookPath {
  const isKnown = folderAt(tx, notebookId, path) !== undefined || fileAt(tx, notebookId, path) === undefined;
  if (isKnown) return path;
  throw codexErrors.FILE_NOT_FOUND(`${path} is a file, not a folder`);
}

/**
 * Expands requests into operations on files. If a file cannot hold its metadata, the metadata goes into a sidecar,
 * which is moved, deleted and restored with the file.
 */
export function expandRequests(tx: Transaction, notebookId: number, requests: readonly Request[]): readonly Request[] {
  return requests.flatMap((request) => expand(tx, notebookId, request));
}

function expand(tx: Transaction, notebookId: number, request: Request): readonly Request[] {
  switch (request.type) {
    case 'create':
      return expandCreate(tx, notebookId, request);
    case 'update':
      return expandUpdate(tx, notebookId, request);
    case 'move':
      return [request, ...moveSidecar(tx, notebookId, request)];
    case 'delete':
      return [request, ...deleteSidecar(tx, notebookId, request)];
    case 'undo_delete':
      return [request, ...restoreSidecar(tx, notebookId, request)];
    case 'create_folder':
    case 'move_folder':
    case 'delete_folder':
    case 'batch_commit':
    default:
      return [request];
  }
}

type RequestOf<T extends Request['type']> = Extract<Request, { readonly type: T }>;

function expandCreate(tx: Transaction, notebookId: number, request: RequestOf<'create'>): readonly Request[] {
  const { metadata, ...rest } = request;
  if (metadata === undefined || holdsProperties(request.path)) return [request];
  return [rest, ...sidecarRequests(tx, notebookId, request.path, metadata)];
}

function expandUpdate(tx: Transaction, notebookId: number, request: RequestOf<'update'>): readonly Request[] {
  const { metadata, ...rest } = request;
  const path = metadata === undefined ? undefined : expectedPath(tx, notebookId, request.file);
  if (metadata === undefined || path === undefined || holdsProperties(path)) return [request];
  const beside = sidecarRequests(tx, notebookId, path, metadata);
  return request.content === undefined ? beside : [rest, ...beside];
}

function moveSidecar(tx: Transaction, notebookId: number, { file, dest_path }: RequestOf<'move'>): readonly Request[] {
  const path = expectedPath(tx, notebookId, file);
  const sidecar = path === undefined ? undefined : existingSidecar(tx, notebookId, path);
  if (path === undefined || sidecar === undefined) return [];
  const target = sidecarsOf(dest_path)[sidecarsOf(path).indexOf(sidecar)];
  return target === undefined ? [] : [{ type: 'move', file: { path: sidecar }, dest_path: target }];
}

function deleteSidecar(tx: Transaction, notebookId: number, { file }: RequestOf<'delete'>): readonly Request[] {
  const path = expectedPath(tx, notebookId, file);
  const sidecar = path === undefined ? undefined : existingSidecar(tx, notebookId, path);
  return sidecar === undefined ? [] : [{ type: 'delete', file: { path: sidecar } }];
}

function restoreSidecar(tx: Transaction, notebookId: number, request: RequestOf<'undo_delete'>): readonly Request[] {
  const record = trashOf(tx, request.event_id);
  const beside = record === undefined ? undefined : deletedSidecar(tx, record);
  if (record === undefined || beside === undefined) return [];
  const index = sidecarsOf(record.path as NotebookPath).indexOf(beside.path as NotebookPath);
  const path = sidecarsOf(request.path ?? (record.path as NotebookPath))[index];
  // Keeps a sidecar that was created after the deletion.
  if (path === undefined || expectedPath(tx, notebookId, { path }) !== undefined) return [];
  return [{ type: 'undo_delete', event_id: beside.event_id, path }];
}

function sidecarRequests(
  tx: Transaction,
  notebookId: number,
  path: NotebookPath,
  metadata: FileMetadata,
): readonly Request[] {
  const existing = existingSidecar(tx, notebookId, path);
  if (existing !== undefined) return [{ type: 'update', file: { path: existing }, metadata }];
  const [sidecar] = sidecarsOf(path);
  if (sidecar === undefined) {
    throw codexErrors.PROPERTIES_INVALID(`${path} cannot have properties: its name has no extension`);
  }
  return [{ type: 'create', path: sidecar, content: editedBytes(sidecar, new Uint8Array(), editOf(metadata)) }];
}

function existingSidecar(tx: Transaction, notebookId: number, path: NotebookPath): NotebookPath | undefined {
  return sidecarsOf(path).find((sidecar) => expectedPath(tx, notebookId, { path: sidecar }) !== undefined);
}

function expectedPath(tx: Transaction, notebookId: number, file: FileReference): NotebookPath | undefined {
  try {
    return expectedFile(tx, notebookId, file).path;
  } catch {
    return undefined;
  }
}

/**
 * Returns the sidecar that was deleted with a file. Both were queued in one commit, so their event ids are consecutive.
 * Does not read the events, because maintenance may remove them earlier than the trash.
 */
function deletedSidecar(tx: Transaction, { event_id, notebook_id, path, kind }: TrashRecord): TrashRecord | undefined {
  const next = kind === 'file' ? trashOf(tx, event_id + 1) : undefined;
  if (next?.notebook_id !== notebook_id) return undefined;
  return sidecarsOf(path as NotebookPath).some((sidecar) => sidecar === next.path) ? next : undefined;
}

/** Returns the last deleted file, not its sidecar. */
export function lastDeleted(tx: Transaction, notebookId: number): TrashRecord | undefined {
  const [last, before] = listTrash(tx, notebookId, 2);
  if (before === undefined || deletedSidecar(tx, before)?.event_id !== last?.event_id) return last;
  return before;
}
