import { codexErrors } from '../model/errors.ts';
import { sidecarsOf } from '../model/note/sidecar.ts';
import type { FileMetadata } from '../model/operation.ts';
import type { NotebookPath } from '../model/path.ts';
import type { Tx } from '../store/open.ts';
import { listTrash, trashOf, type TrashRecord } from '../store/trash.ts';
import { editedBytes, editOf, holdsProperties } from './handlers/edit-content.ts';
import { expectedFile, type FileReference, type Request } from './requests.ts';

/**
 * Expands requests into operations on files. Metadata of a file that cannot hold it goes into its sidecar, and the
 * sidecar is moved, deleted and restored with its file.
 */
export function expandRequests(tx: Tx, notebookId: number, requests: readonly Request[]): readonly Request[] {
  return requests.flatMap((request) => expand(tx, notebookId, request));
}

function expand(tx: Tx, notebookId: number, request: Request): readonly Request[] {
  switch (request.type) {
    case 'create':
      return expandCreate(tx, notebookId, request);
    case 'update':
      return expandUpdate(tx, notebookId, request);
    case 'move':
      return [request, ...moveBeside(tx, notebookId, request)];
    case 'delete':
      return [request, ...deleteBeside(tx, notebookId, request)];
    case 'undo_delete':
      return [request, ...undoBeside(tx, notebookId, request)];
    case 'create_folder':
    case 'move_folder':
    case 'delete_folder':
    case 'batch_commit':
    default:
      return [request];
  }
}

type Asked<T extends Request['type']> = Extract<Request, { readonly type: T }>;

function expandCreate(tx: Tx, notebookId: number, request: Asked<'create'>): readonly Request[] {
  const { metadata, ...rest } = request;
  if (metadata === undefined || holdsProperties(request.path)) return [request];
  return [rest, ...sidecarRequests(tx, notebookId, request.path, metadata)];
}

function expandUpdate(tx: Tx, notebookId: number, request: Asked<'update'>): readonly Request[] {
  const { metadata, ...rest } = request;
  const path = metadata === undefined ? undefined : pathOf(tx, notebookId, request.file);
  if (metadata === undefined || path === undefined || holdsProperties(path)) return [request];
  const beside = sidecarRequests(tx, notebookId, path, metadata);
  return request.content === undefined ? beside : [rest, ...beside];
}

function moveBeside(tx: Tx, notebookId: number, { file, dest_path }: Asked<'move'>): readonly Request[] {
  const path = pathOf(tx, notebookId, file);
  const sidecar = path === undefined ? undefined : existingSidecar(tx, notebookId, path);
  if (path === undefined || sidecar === undefined) return [];
  const target = sidecarsOf(dest_path)[sidecarsOf(path).indexOf(sidecar)];
  return target === undefined ? [] : [{ type: 'move', file: { path: sidecar }, dest_path: target }];
}

function deleteBeside(tx: Tx, notebookId: number, { file }: Asked<'delete'>): readonly Request[] {
  const path = pathOf(tx, notebookId, file);
  const sidecar = path === undefined ? undefined : existingSidecar(tx, notebookId, path);
  return sidecar === undefined ? [] : [{ type: 'delete', file: { path: sidecar } }];
}

function undoBeside(tx: Tx, notebookId: number, request: Asked<'undo_delete'>): readonly Request[] {
  const record = trashOf(tx, request.event_id);
  const beside = record === undefined ? undefined : deletedBeside(tx, record);
  if (record === undefined || beside === undefined) return [];
  const index = sidecarsOf(record.path as NotebookPath).indexOf(beside.path as NotebookPath);
  const path = sidecarsOf(request.path ?? (record.path as NotebookPath))[index];
  // Newer metadata of the file stays.
  if (path === undefined || pathOf(tx, notebookId, { path }) !== undefined) return [];
  return [{ type: 'undo_delete', event_id: beside.event_id, path }];
}

function sidecarRequests(tx: Tx, notebookId: number, path: NotebookPath, metadata: FileMetadata): readonly Request[] {
  const existing = existingSidecar(tx, notebookId, path);
  if (existing !== undefined) return [{ type: 'update', file: { path: existing }, metadata }];
  const [sidecar] = sidecarsOf(path);
  if (sidecar === undefined) {
    throw codexErrors.PROPERTIES_INVALID(`Nothing can be said about ${path}: its name has no ending`);
  }
  return [{ type: 'create', path: sidecar, content: editedBytes(sidecar, new Uint8Array(), editOf(metadata)) }];
}

function existingSidecar(tx: Tx, notebookId: number, path: NotebookPath): NotebookPath | undefined {
  return sidecarsOf(path).find((sidecar) => pathOf(tx, notebookId, { path: sidecar }) !== undefined);
}

function pathOf(tx: Tx, notebookId: number, file: FileReference): NotebookPath | undefined {
  try {
    return expectedFile(tx, notebookId, file).path;
  } catch {
    return undefined;
  }
}

/**
 * The sidecar that was deleted with a file. Both were queued in one commit, so their event numbers are consecutive; the
 * events themselves are pruned before the trash.
 */
function deletedBeside(tx: Tx, { event_id, notebook_id, path, kind }: TrashRecord): TrashRecord | undefined {
  const next = kind === 'file' ? trashOf(tx, event_id + 1) : undefined;
  if (next?.notebook_id !== notebook_id) return undefined;
  return sidecarsOf(path as NotebookPath).some((sidecar) => sidecar === next.path) ? next : undefined;
}

/** The last deleted file, not its sidecar. */
export function lastDeleted(tx: Tx, notebookId: number): TrashRecord | undefined {
  const [last, before] = listTrash(tx, notebookId, 2);
  if (before === undefined || deletedBeside(tx, before)?.event_id !== last?.event_id) return last;
  return before;
}
