import type { KeptLink } from './links/relink.ts';
import type { NotebookPath } from './path.ts';

/**
 * Metadata that a request may set. It is written into the file: `properties` replaces all others, `set` and `unset`
 * change single ones.
 */
export interface FileMetadata {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
}

/** Content by hash; the bytes are in the event row (`content`) or in `.codex/blobs/`. */
export interface StagedContent {
  readonly hash: string;
  readonly size: number;
}

interface Checked {
  /** SHA-256 that the file must have when the operation starts (If-Match). */
  readonly base_hash?: string;
}

export interface CreateOperation {
  readonly type: 'create';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly staged?: StagedContent;
  readonly metadata?: FileMetadata;
  /** The delete event whose files are restored. */
  readonly undo_of?: number;
}

export interface UpdateOperation extends Checked {
  readonly type: 'update';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly staged?: StagedContent;
  readonly metadata?: FileMetadata;
  /** Rewrites these links in the current content, if they no longer lead to their files. */
  readonly relink?: readonly KeptLink[];
}

export interface MoveOperation extends Checked {
  readonly type: 'move';
  readonly kind: 'file' | 'folder';
  readonly source_path: NotebookPath;
  readonly dest_path: NotebookPath;
  readonly file_id?: string;
  /** `keep`: links in other notes are not rewritten. */
  readonly links?: 'keep';
}

export interface DeleteOperation extends Checked {
  readonly type: 'delete';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly file_id?: string;
}

/** Another program may have changed this path. `event` is a hint for users; the disk decides. */
export interface SyncOperation {
  readonly type: 'sync';
  readonly path: NotebookPath;
  readonly event: 'created' | 'modified' | 'deleted' | 'moved' | 'look';
  /** Previous path of the same file, if the watcher could tell. */
  readonly from?: NotebookPath;
}

/** Commits everything done before this event. */
interface BatchCommitOperation {
  readonly type: 'batch_commit';
  readonly message?: string;
}

export type Operation =
  CreateOperation | UpdateOperation | MoveOperation | DeleteOperation | SyncOperation | BatchCommitOperation;

/** Paths that an operation affects; operations on the same or nested paths keep their order. */
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
