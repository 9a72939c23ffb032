import { type Page, parseStoredObject, toTimestamp } from '@holdfast/base';

import { type EventResult, type FileEvent, isTerminal } from '../model/event.ts';
import type { FileRecord } from '../model/notebook.ts';
import { nameOf, type NotebookPath } from '../model/path.ts';
import type { EventView, FileView, Queued } from '../operations/fields.ts';
import type { BatchView } from '../operations/files.ts';
import { type IndexedNote, indexedNote } from '../store/notes.ts';
import type { Transaction } from '../store/open.ts';

export function singlePage<Item>(data: readonly Item[]): Page<Item> {
  return { data, next_cursor: null };
}

export function fileView(tx: Transaction, row: FileRecord): FileView {
  return noteView(row, indexedNote(tx, row.id));
}

export function noteView(row: FileRecord, note: IndexedNote): FileView {
  return {
    ...row,
    filename: nameOf(row.path as NotebookPath),
    properties: parseStoredObject(row.properties) as Record<string, unknown>,
    git_tracked: row.git_tracked === 1,
    tags: note.tags,
    links_out: note.links_out,
    properties_error: note.properties_error,
  };
}

export function eventView(event: FileEvent): EventView {
  return {
    ...event,
    operation: parseStoredObject(event.operation) as Record<string, unknown>,
    run_at: event.run_at === 0 ? null : toTimestamp(event.run_at),
    result: event.result === null ? null : (parseStoredObject(event.result) as Record<string, unknown>),
  };
}

export function queuedView(event: FileEvent): Queued {
  const { id, status, dest_path, file_id, event_type } = event;
  const path = event_type === 'move' ? dest_path : event.path;
  const status_url = `/api/codex/events/${id}`;
  return { event_id: id, status, path, file_id, status_url, conflict_path: resultOf(event).conflict_path };
}

export function resultOf({ result }: FileEvent): EventResult {
  return result === null ? {} : parseStoredObject(result);
}

const FAILED: ReadonlySet<FileEvent['status']> = new Set(['failed', 'skipped', 'cancelled', 'discarded']);

/** Counts the events themselves, so the numbers are always exact. */
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
