import { toTimestamp } from '@holdfast/base';
import type { z } from 'zod';

import type { FileEvent } from '../model/event.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { nameOf, type NotebookPath } from '../model/path.ts';
import { type IndexedNote, indexedNote } from '../store/notes/note-facts.ts';
import type { Tx } from '../store/open.ts';
import type { eventSchema, fileSchema, notebookSchema } from './schemas.ts';

export function notebookView({
  id,
  name,
  path,
  state,
  created_at,
  reconciled_at,
}: Notebook): z.input<typeof notebookSchema> {
  return { id, name, path, state, created_at, reconciled_at };
}

export function fileView(tx: Tx, row: FileRecord): z.input<typeof fileSchema> {
  return noteView(row, indexedNote(tx, row.id));
}

export function noteView(row: FileRecord, note: IndexedNote): z.input<typeof fileSchema> {
  return {
    id: row.id,
    notebook_id: row.notebook_id,
    path: row.path,
    filename: nameOf(row.path as NotebookPath),
    content_type: row.content_type,
    size: row.size,
    hash: row.hash,
    title: row.title,
    description: row.description,
    properties: JSON.parse(row.properties) as Record<string, unknown>,
    created_at: row.created_at,
    updated_at: row.updated_at,
    git_tracked: row.git_tracked === 1,
    git_reason: row.git_reason,
    last_commit_hash: row.last_commit_hash,
    last_event_id: row.last_event_id,
    tags: [...note.tags],
    links_out: note.links_out,
    properties_error: note.properties_error,
  };
}

export function eventView(event: FileEvent): z.input<typeof eventSchema> {
  return {
    id: event.id,
    notebook_id: event.notebook_id,
    event_type: event.event_type,
    status: event.status,
    operation: JSON.parse(event.operation) as Record<string, unknown>,
    correlation_id: event.correlation_id,
    sequence: event.sequence,
    created_at: event.created_at,
    started_at: event.started_at,
    processed_at: event.processed_at,
    error_code: event.error_code,
    error_message: event.error_message,
    retry_count: event.retry_count,
    run_at: event.run_at === 0 ? null : toTimestamp(event.run_at),
    path: event.path,
    dest_path: event.dest_path,
    file_id: event.file_id,
    author: event.author,
    superseded_by: event.superseded_by,
    result: event.result === null ? null : (JSON.parse(event.result) as Record<string, unknown>),
    commit_sha: event.commit_sha,
  };
}

/** Content and everything said about it: changes with either. */
export function fileTag(row: FileRecord): string {
  return `"${row.hash}-${row.last_event_id ?? 0}"`;
}

/** Of the bytes alone. */
export function bytesTag(row: FileRecord): string {
  return `"${row.hash}"`;
}
