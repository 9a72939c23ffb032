import type { FileMetadata, StagedContent } from './operation.ts';
import type { NotebookPath } from './path.ts';

/** State of a file on disk. Nanoseconds and inodes are text, because they do not fit a number. */
export interface DiskState {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
}

/** Writes content to a path: a create if `before` is null, otherwise an update. */
export interface WriteIntent {
  readonly type: 'write';
  readonly path: NotebookPath;
  readonly file_id: string;
  /** SHA-256 in the index; null if the file is new. */
  readonly before: string | null;
  /** State of the file when it had that hash. */
  readonly before_state: DiskState | null;
  readonly after: StagedContent;
  readonly metadata?: FileMetadata;
}

/** Changes only the index. */
export interface NoteIntent {
  readonly type: 'note';
  readonly path: NotebookPath;
  readonly file_id: string;
  readonly metadata?: FileMetadata;
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
  /** Distinguishes the source from a file that another program puts at its path. */
  readonly inode: string;
  readonly file_id?: string;
  readonly links?: 'keep';
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
  readonly from?: NotebookPath;
}

interface NothingIntent {
  readonly type: 'nothing';
}

/** Stored before the first step, so that recovery after a crash can finish or undo the operation. */
export type Intent =
  WriteIntent | NoteIntent | FolderIntent | MoveIntent | TrashIntent | UntrashIntent | SyncIntent | NothingIntent;
