import type { Staged } from '../adapters/blobs.ts';
import { codexErrors, nothingInTrash } from '../model/errors.ts';
import type { FileMetadata, Operation } from '../model/operation.ts';
import { isBelow, type NotebookPath } from '../model/path.ts';
import type { Tx } from '../store/open.ts';
import { trashOf } from '../store/trash.ts';
import { expectedFile, expectedFolder, type FileReference } from './expected.ts';

/** What people and programs may ask for. */
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
      /** Links in other notes stay as they are written. */
      readonly links?: 'keep' | undefined;
    }
  | { readonly type: 'delete'; readonly file: FileReference; readonly base_hash?: string | undefined }
  | { readonly type: 'delete_folder'; readonly path: NotebookPath }
  /** Brings back what this delete put into the trash, where it was or somewhere else. */
  | { readonly type: 'undo_delete'; readonly event_id: number; readonly path?: NotebookPath | undefined }
  | { readonly type: 'batch_commit'; readonly message?: string | undefined };

/** The operation as the queue keeps it; refuses what cannot be meant, before it is queued. */
export function toOperation(
  tx: Tx,
  notebookId: number,
  request: Request,
  staged: Staged | undefined,
  newId: () => string,
): Operation {
  const content = staged === undefined ? {} : { staged: { hash: staged.hash, size: staged.size } };
  switch (request.type) {
    case 'create':
      return { type: 'create', kind: 'file', path: request.path, file_id: newId(), ...content, ...given(request) };
    case 'create_folder':
      return { type: 'create', kind: 'folder', path: request.path, file_id: newId() };
    case 'update':
      return { type: 'update', ...expectedFile(tx, notebookId, request.file), ...content, ...given(request) };
    case 'delete':
      return { type: 'delete', kind: 'file', ...expectedFile(tx, notebookId, request.file), ...given(request) };
    case 'delete_folder':
      return { type: 'delete', kind: 'folder', path: expectedFolder(tx, notebookId, request.path) };
    case 'move': {
      const { path, file_id } = expectedFile(tx, notebookId, request.file);
      return {
        type: 'move',
        kind: 'file',
        source_path: path,
        dest_path: request.dest_path,
        file_id,
        ...given(request),
        ...linksOf(request),
      };
    }
    case 'move_folder': {
      const source_path = expectedFolder(tx, notebookId, request.path);
      if (isBelow(request.dest_path, source_path)) {
        throw codexErrors.MOVE_INTO_ITSELF(`${request.dest_path} lies in ${source_path}`);
      }
      return { type: 'move', kind: 'folder', source_path, dest_path: request.dest_path, ...linksOf(request) };
    }
    case 'undo_delete': {
      const record = trashOf(tx, request.event_id);
      if (record?.notebook_id !== notebookId) {
        throw nothingInTrash(`Nothing of event ${request.event_id} is in the trash`);
      }
      const path = request.path ?? (record.path as NotebookPath);
      return { type: 'create', kind: record.kind, path, file_id: newId(), undo_of: request.event_id };
    }
    case 'batch_commit':
    default:
      return { type: 'batch_commit', ...(request.message === undefined ? {} : { message: request.message }) };
  }
}

function linksOf({ links }: { readonly links?: 'keep' | undefined }): { readonly links?: 'keep' } {
  return links === undefined ? {} : { links };
}

function given(request: { readonly metadata?: FileMetadata | undefined; readonly base_hash?: string | undefined }): {
  readonly metadata?: FileMetadata;
  readonly base_hash?: string;
} {
  return {
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
    ...(request.base_hash === undefined ? {} : { base_hash: request.base_hash }),
  };
}
