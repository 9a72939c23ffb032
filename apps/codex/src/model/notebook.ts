/** A folder of plain files with git history. */
export interface Notebook {
  readonly id: number;
  readonly name: string;
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly state: 'active' | 'closing';
  readonly created_at: string;
  readonly reconciled_at: string | null;
  /** Set while a user has paused the notebook. */
  readonly paused_at: string | null;
  readonly paused_by: string | null;
}

export interface FileRecord {
  readonly id: string;
  readonly notebook_id: number;
  readonly path: string;
  readonly path_key: string;
  readonly size: number;
  readonly hash: string;
  readonly content_type: string;
  readonly mode: number;
  readonly title: string | null;
  readonly description: string | null;
  readonly properties: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
  readonly last_event_id: number | null;
  readonly git_tracked: number;
  readonly git_reason: string | null;
  readonly last_commit_hash: string | null;
  readonly deleted_by: number | null;
}
