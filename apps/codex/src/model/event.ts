import type { Operation } from './operation.ts';

/** FileEventType of the design document. */
export const EVENT_TYPES = ['create', 'update', 'move', 'delete', 'sync', 'batch_commit'] as const;
type FileEventType = (typeof EVENT_TYPES)[number];

/**
 * The five of the design document, and three more: `cancelled` before it started, `skipped` because an earlier
 * operation of its batch failed, and `discarded` after it failed for good.
 */
export const EVENT_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'superseded',
  'cancelled',
  'skipped',
  'discarded',
] as const;
export type FileEventStatus = (typeof EVENT_STATUSES)[number];

export function isTerminal(status: FileEventStatus): boolean {
  return status !== 'pending' && status !== 'processing';
}

/** One row of `file_events`: the columns of the design document, then ours. */
export interface FileEvent {
  readonly id: number;
  readonly notebook_id: number;
  readonly event_type: FileEventType;
  readonly status: FileEventStatus;
  /** JSON of an `Operation`, without its content. */
  readonly operation: string;
  readonly correlation_id: string | null;
  readonly sequence: number;
  readonly created_at: string;
  readonly processed_at: string | null;
  readonly error_message: string | null;
  readonly retry_count: number;

  readonly path: string | null;
  readonly path_key: string | null;
  readonly dest_path: string | null;
  readonly dest_key: string | null;
  /** The file it is about; allocated when a create is published, so that it can be named before it exists. */
  readonly file_id: string | null;
  readonly author: string;
  readonly content_hash: string | null;
  readonly content_size: number | null;
  /** Up to 4 KiB; longer content lies in `.codex/blobs/` of the notebook. */
  readonly content: Uint8Array | null;
  /** The operation that is left after folding; JSON of an `Operation`. */
  readonly effective: string | null;
  readonly superseded_by: number | null;
  readonly error_code: string | null;
  /** Milliseconds since 1970; not tried before. */
  readonly run_at: number;
  readonly started_at: string | null;
  /** The lane that works on it. */
  readonly fence: number | null;
  readonly idempotency_key: string | null;
  readonly request_hash: string | null;
  /** JSON of an `EventResult`. */
  readonly result: string | null;
  readonly commit_sha: string | null;
  /** Rises with every change of any event: what listeners resume from. */
  readonly change_seq: number;
}

/** Result of an operation. */
export interface EventResult {
  readonly file_id?: string;
  readonly path?: string;
  readonly hash?: string;
  /** Nothing had to be done: the state was as wanted already. */
  readonly unchanged?: boolean;
  /** Another program had changed the file; its version is kept here. */
  readonly conflict_path?: string;
  /** After a move: the batch of updates that make links follow it, if any have to. */
  readonly links_correlation_id?: string;
  /** How many files a folder operation took along. */
  readonly file_count?: number;
  readonly commit_sha?: string | null;
}

/** The batch whose steps are done in order until one fails. Updates that follow a move are told of together, but none waits for another. */
export function batchOf(event: Pick<FileEvent, 'event_type' | 'correlation_id' | 'operation'>): string | null {
  if (event.correlation_id === null || event.event_type !== 'update') return event.correlation_id;
  return 'relink' in (JSON.parse(event.operation) as object) ? null : event.correlation_id;
}

/** Null when there is nothing left to do. */
export function operationOf(event: Pick<FileEvent, 'operation' | 'effective'>): Operation | null {
  return JSON.parse(event.effective ?? event.operation) as Operation | null;
}
