import type { KeptLink } from './links/relink.ts';
import type { NotebookPath } from './path.ts';

/**
 * Metadata that a request may set; nothing else is taken from it. It is written into the file: `properties` replaces
 * all others, `set` and `unset` change single ones.
 */
export interface FileMetadata {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
}

/** Content by its hash; the bytes are in the event row (`content`) or in `.codex/blobs/`. */
export interface StagedContent {
  readonly hash: string;
  readonly size: number;
}

interface Checked {
  /** The SHA-256 that the file must have when the operation begins (If-Match). */
  readonly base_hash?: string;
}

export interface CreateOperation {
  readonly type: 'create';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly staged?: StagedContent;
  readonly metadata?: FileMetadata;
  /** Brings back what this delete event put into the trash. */
  readonly undo_of?: number;
}

export interface UpdateOperation extends Checked {
  readonly type: 'update';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly staged?: StagedContent;
  readonly metadata?: FileMetadata;
  /** The content is the one that is there, with these links rewritten if they do not mean their files any more. */
  readonly relink?: readonly KeptLink[];
}

export interface MoveOperation extends Checked {
  readonly type: 'move';
  readonly kind: 'file' | 'folder';
  readonly source_path: NotebookPath;
  readonly dest_path: NotebookPath;
  readonly file_id?: string;
  /** Links in other notes stay as they are written. */
  readonly links?: 'keep';
}

export interface DeleteOperation extends Checked {
  readonly type: 'delete';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly file_id?: string;
}

/** Another program may have changed this path: check it. `event` is a hint for people; the disk decides. */
export interface SyncOperation {
  readonly type: 'sync';
  readonly path: NotebookPath;
  readonly event: 'created' | 'modified' | 'deleted' | 'moved' | 'look';
  /** Where a file of the same identity was before, when the watcher could tell. */
  readonly from?: NotebookPath;
}

/** Commit what was done before this event. */
interface BatchCommitOperation {
  readonly type: 'batch_commit';
  readonly message?: string;
}

export type Operation =
  CreateOperation | UpdateOperation | MoveOperation | DeleteOperation | SyncOperation | BatchCommitOperation;

/** The paths that an operation touches; two operations whose paths lie within each other keep their order. */
export function pathsOf(operation: Operation): readonly NotebookPath[] {
  switch (operation.type) {
    case 'move':
      return [operation.source_path, operation.dest_path];
    case 'sync':
      return operation.from === undefined ? [operation.path] : [operation.path, operation.from];
    case 'batch_commit':
      return [];
    case 'create':
    case 'update':
    case 'delete':
    default:
      return [operation.path];
  }
}
