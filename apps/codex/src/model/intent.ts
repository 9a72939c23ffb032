import type { FileMetadata, StagedContent } from './operation.ts';
import type { NotebookPath } from './path.ts';

/** A file as it lies on disk. Nanoseconds and inodes as text: they do not fit a number. */
export interface DiskState {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
}

/** Content goes to a path: create when `before` is null, update otherwise. */
export interface WriteIntent {
  readonly type: 'write';
  readonly path: NotebookPath;
  readonly file_id: string;
  /** SHA-256 that the index knows; null when the file is new. */
  readonly before: string | null;
  /** State of the file when it had that hash. */
  readonly before_state: DiskState | null;
  readonly after: StagedContent;
  readonly metadata?: FileMetadata;
}

/** Only what the index says about a file changes. */
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
  /** Tells what is moved from what somebody else puts into its place. */
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

/** Nothing is left to do. */
interface NothingIntent {
  readonly type: 'nothing';
}

/** Written down before the first step, so that whoever comes after a crash can finish or undo it. */
export type Intent =
  WriteIntent | NoteIntent | FolderIntent | MoveIntent | TrashIntent | UntrashIntent | SyncIntent | NothingIntent;
