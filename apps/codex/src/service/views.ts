import { type Page, toTimestamp } from '@holdfast/base';
import type { OutputOf } from '@holdfast/operation';

import { type EventResult, type FileEvent, isTerminal } from '../model/event.ts';
import type { FileRecord } from '../model/notebook.ts';
import { nameOf, type NotebookPath } from '../model/path.ts';
import type { showFile } from '../operations/files.ts';
import type { showEvent } from '../operations/queue.ts';
import { type IndexedNote, indexedNote } from '../store/notes.ts';
import type { Transaction } from '../store/open.ts';

export function wholeList<Item>(data: readonly Item[]): Page<Item> {
  return { data, next_cursor: null };
}

export type FileView = OutputOf<typeof showFile>;
export type EventView = OutputOf<typeof showEvent>;

export function fileView(tx: Transaction, row: FileRecord): FileView {
  return noteView(row, indexedNote(tx, row.id));
}

export function noteView(row: FileRecord, note: IndexedNote): FileView {
  return {
    ...row,
    filename: nameOf(row.path as NotebookPath),
    properties: JSON.parse(row.properties) as Record<string, unknown>,
    git_tracked: row.git_tracked === 1,
    tags: note.tags,
    links_out: note.links_out,
    properties_error: note.properties_error,
  };
}

export function eventView(event: FileEvent): EventView {
  return {
    ...event,
    operation: JSON.parse(event.operation) as Record<string, unknown>,
    run_at: event.run_at === 0 ? null : toTimestamp(event.run_at),
    result: event.result === null ? null : (JSON.parse(event.result) as Record<string, unknown>),
  };
}

export interface QueuedView {
  readonly event_id: number;
  readonly status: FileEvent['status'];
  readonly path: string | null;
  readonly file_id: string | null;
  readonly status_url: string;
  readonly conflict_path?: string | undefined;
}

export function queuedView(event: FileEvent): QueuedView {
  const { id, status, path, dest_path, file_id, event_type } = event;
  const { conflict_path } = resultOf(event);
  return {
    event_id: id,
    status,
    path: event_type === 'move' ? dest_path : path,
    file_id,
    status_url: `/api/codex/events/${id}`,
    ...(conflict_path === undefined ? {} : { conflict_path }),
  };
}

export function resultOf({ result }: FileEvent): EventResult {
  return result === null ? {} : (JSON.parse(result) as EventResult);
}

const FAILED: ReadonlySet<FileEvent['status']> = new Set(['failed', 'skipped', 'cancelled', 'discarded']);

export interface BatchView {
  readonly correlation_id: string;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly events: readonly EventView[];
}

/** Counts from the events themselves, so the numbers cannot drift. */
export function batchView(correlationId: string, events: readonly FileEvent[]): BatchView {
  const completed = events.filter(({ status }) => status === 'completed' || status === 'superseded').length;
  const isOver = events.every(({ status }) => isTerminal(status));
  const hasFailed = events.some(({ status }) => FAILED.has(status));
  return {
    correlation_id: correlationId,
    total: events.length,
    completed,
    failed: events.filter(({ status }) => status === 'failed').length,
    status: isOver ? (hasFailed ? 'failed' : 'completed') : 'pending',
    events: events.map(eventView),
  };
}
