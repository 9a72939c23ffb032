import { parseStoredObject } from '@holdfast/base';

import type { Operation } from './operation.ts';

/** The values of FileEventType in codex's design document. */
export const EVENT_TYPES = ['create', 'update', 'move', 'delete', 'sync', 'batch_commit'] as const;
type FileEventType = (typeof EVENT_TYPES)[number];

/**
 * The first five statuses are those of codex's design document. Holdfast adds three: an operation is `cancelled` before
 * it starts, `skipped` because an earlier operation of its batch failed, or `discarded` after it failed permanently.
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

/** A row of `file_events`: the columns of codex's design document, then those that Holdfast adds. */
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
  /** Assigned when a create is queued, so that later operations can refer to the file before it exists. */
  readonly file_id: string | null;
  readonly author: string;
  readonly content_hash: string | null;
  readonly content_size: number | null;
  /** Up to 4 KiB; longer content is in `.codex/blobs/` of the notebook. */
  readonly content: Uint8Array | null;
  /** JSON of the `Operation` that results from folding. */
  readonly effective: string | null;
  readonly superseded_by: number | null;
  readonly error_code: string | null;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly run_at: number;
  readonly started_at: string | null;
  readonly fence: number | null;
  readonly idempotency_key: string | null;
  readonly request_hash: string | null;
  /** JSON of an `EventResult`. */
  readonly result: string | null;
  readonly commit_sha: string | null;
  /** Increases with every change to any event; listeners resume from it. */
  readonly change_seq: number;
}

export interface EventResult {
  readonly file_id?: string | undefined;
  readonly path?: string | undefined;
  readonly hash?: string | undefined;
  /** True if the file was already in the wanted state. */
  readonly unchanged?: boolean | undefined;
  /** Path of the conflict copy: another program's version, which this operation replaced. */
  readonly conflict_path?: string | undefined;
  /** After a move: the batch of updates that rewrite links, if there are any. */
  readonly links_correlation_id?: string | undefined;
  readonly file_count?: number | undefined;
  readonly commit_sha?: string | null | undefined;
}

/**
 * Returns the batch whose operations run in order until one fails. Link rewrites after a move share a correlation id,
 * but do not wait for each other.
 */
export function batchOf(event: Pick<FileEvent, 'event_type' | 'correlation_id' | 'operation'>): string | null {
  if (event.correlation_id === null || event.event_type !== 'update') return event.correlation_id;
  return 'relink' in parseStoredObject(event.operation) ? null : event.correlation_id;
}

/** Returns the operation of an event; null if nothing is left to do after folding. */
export function operationOf(event: Pick<FileEvent, 'operation' | 'effective'>): Operation | null {
  const stored = event.effective ?? event.operation;
  return stored === 'null' ? null : (parseStoredObject(stored) as Operation);
}
