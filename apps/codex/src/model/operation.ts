import type { KeptLink } from './links.ts';
import type { NotebookPath } from './path.ts';

/**
 * Metadata that a request may set. It is written into the file: `properties` replaces all existing properties; `set`
 * and `unset` change individual ones.
 */
export interface FileMetadata {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly unset?: readonly string[] | undefined;
}

/** Content by hash; the bytes are in the event row (`content`) or in `.codex/blobs/`. */
export interface StagedContent {
  readonly hash: string;
  readonly size: number;
}

interface Checked {
  /** SHA-256 that the file must have when the operation starts (If-Match). */
  readonly base_hash?: string | undefined;
}

export interface CreateOperation {
  readonly type: 'create';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly staged?: StagedContent | undefined;
  readonly metadata?: FileMetadata | undefined;
  /** The delete event whose files are restored. */
  readonly undo_of?: number | undefined;
}

export interface UpdateOperation extends Checked {
  readonly type: 'update';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly staged?: StagedContent | undefined;
  readonly metadata?: FileMetadata | undefined;
  /** Links to rewrite in the current content if they no longer lead to their files. */
  readonly relink?: readonly KeptLink[] | undefined;
}

export interface MoveOperation extends Checked {
  readonly type: 'move';
  readonly kind: 'file' | 'folder';
  readonly source_path: NotebookPath;
  readonly dest_path: NotebookPath;
  readonly file_id?: string | undefined;
  /** `keep`: links in other notes are not rewritten. */
  readonly links?: 'keep' | undefined;
}

export interface DeleteOperation extends Checked {
  readonly type: 'delete';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly file_id?: string | undefined;
}

/** Reads a path that another program may have changed. `event` is only for display. */
export interface SyncOperation {
  readonly type: 'sync';
  readonly path: NotebookPath;
  readonly event: 'created' | 'modified' | 'deleted' | 'moved' | 'look';
  /** Previous path of the same file, if the watcher found that the file was moved. */
  readonly from?: NotebookPath | undefined;
}

/** Commits the changes of all earlier events to git. */
interface BatchCommitOperation {
  readonly type: 'batch_commit';
  readonly message?: string | undefined;
}

export type Operation =
  CreateOperation | UpdateOperation | MoveOperation | DeleteOperation | SyncOperation | BatchCommitOperation;

/**
 * Returns the paths that an operation affects. Operations on the same path, or on a path below it, keep their order.
 */
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

/** State of a file on disk. Nanoseconds and inodes are text, because they do not fit into a number. */
export interface DiskState {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
}

/**
 * Returns whether the file was probably not written between the two states. A new hard link changes the ctime, so such
 * a file counts as written too.
 */
export function looksSame(left: DiskState, right: DiskState): boolean {
  return (
    left.kind === right.kind &&
    left.size === right.size &&
    left.mtime_ns === right.mtime_ns &&
    left.ctime_ns === right.ctime_ns &&
    left.inode === right.inode
  );
}

/** Writes content to a path: a create if `before` is null, otherwise an update. */
export interface WriteIntent {
  readonly type: 'write';
  readonly path: NotebookPath;
  readonly file_id: string;
  /** SHA-256 of the indexed version; null if the file is new. */
  readonly before: string | null;
  /** State of the file on disk when it had the hash `before`. */
  readonly before_state: DiskState | null;
  readonly after: StagedContent;
  readonly metadata?: FileMetadata | undefined;
}

export interface NoteIntent {
  readonly type: 'note';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly metadata?: FileMetadata | undefined;
}

export interface FolderIntent {
  readonly type: 'folder';
  readonly path: NotebookPath;
  readonly file_id: string;
}

export interface MoveIntent {
  readonly type: 'move';
  readonly kind: 'file' | 'folder';
  readonly source: NotebookPath;
  readonly dest: NotebookPath;
  /** Distinguishes the source from a file that another program has put at the same path. */
  readonly inode: string;
  readonly file_id?: string | undefined;
  readonly links?: 'keep' | undefined;
}

export interface TrashIntent {
  readonly type: 'trash';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
}

export interface UntrashIntent {
  readonly type: 'untrash';
  readonly kind: 'file' | 'folder';
  readonly path: NotebookPath;
  readonly undo_of: number;
}

export interface SyncIntent {
  readonly type: 'sync';
  readonly path: NotebookPath;
  readonly from?: NotebookPath | undefined;
}

interface NothingIntent {
  readonly type: 'nothing';
}

/** Stored before the first step, so that recovery after a crash can finish or undo the operation. */
export type Intent =
  WriteIntent | NoteIntent | FolderIntent | MoveIntent | TrashIntent | UntrashIntent | SyncIntent | NothingIntent;
