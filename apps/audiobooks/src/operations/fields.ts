import {
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  type ObjectValue,
  operationsOf,
  pageFields,
  record,
  text,
  time,
  type ValueOf,
} from '@holdfast/operation';
import type { Audiobooks } from '../service/audiobooks.ts';

/** Input fields and outputs that several operations share. */

export const defineOperation = operationsOf<Audiobooks>();

/** Permission to listen, and to change one's own progress, bookmarks, playlists and feeds. */
export const READ = 'app:audiobooks:read';
/** Permission to edit book metadata. */
export const WRITE = 'app:audiobooks:write';
/** Permission to manage files, libraries, operations and other users' rights. */
export const MANAGE = 'app:audiobooks:admin';

export const bookField = text('Book: id or title', { min: 1, max: 500, label: 'book' });
export const libraryField = text('Library: id, name or folder', { min: 1, max: 4_096, label: 'library' });
export const ifRevision = integer('Fail unless the record still has this revision', { label: 'revision' });
export const milliseconds = integer('Milliseconds', { min: 0 });

/** Inputs that several operations share, as handlers receive them. */
export interface ByBook {
  readonly book: string;
}
export interface ByLibrary {
  readonly library: string;
}
export interface IfRevision {
  readonly if_revision?: number | undefined;
}
export type PageRequest = ObjectValue<typeof pageFields>;

const line = nullable(text());
const names = list(text());
const count = integer();

const chapter = object({ index: count, title: text(), start_ms: count, end_ms: count });

const bookRowFields = {
  id: text(),
  title: text(),
  subtitle: line,
  authors: list(object({ id: text(), name: text() })),
  narrators: names,
  series: list(object({ id: text(), name: text(), sequence: line })),
  year: nullable(count),
  language: line,
  duration_ms: count,
  files: integer('Number of audio files'),
  library_id: line,
  cover: nullable(text('URL of the cover; append &size=96, 256, 512 or 1024')),
  added_at: time(),
  missing: boolean('True if none of the files can be found'),
  work_id: line,
  revision: count,
  generation: integer('Version of the timeline; changes with the files'),
  progress: nullable(object({ position_ms: count, percent: number(), finished: boolean(), updated_at: time() })),
} as const;

export const bookRow = object(bookRowFields, { id: 'AudiobookRow', summary: "A book with the caller's progress" });
export type BookRow = ValueOf<typeof bookRow>;

export const bookDetail = object(
  {
    ...bookRowFields,
    description: line,
    publisher: line,
    isbn10: line,
    isbn13: line,
    asin: line,
    genres: names,
    tags: names,
    edition: line,
    deleted_at: nullable(time()),
    locks: names,
    provenance: record(text(), 'Source of each field'),
    folder: nullable(text('Path in the library; null for users without edit access')),
    missing_since: nullable(time()),
    size_bytes: count,
    chapters: list(chapter),
    segments: list(
      object({
        id: text(),
        index: count,
        start_ms: count,
        duration_ms: count,
        size_bytes: count,
        format: text(),
        content_type: text(),
        missing: boolean(),
        path: nullable(text('Path in the library; null for users without edit access')),
        url: text(),
      }),
    ),
    editions: list(bookRow),
  },
  { id: 'Audiobook' },
);
export type BookDetail = ValueOf<typeof bookDetail>;

export const chapterList = list(chapter);

export const operationView = object(
  {
    id: text(),
    type: text(),
    status: text(),
    progress: object({ current: count, total: count, phase: text() }),
    created_by: text(),
    created_at: time(),
    started_at: nullable(time()),
    completed_at: nullable(time()),
    error: line,
    error_code: line,
    target: text(),
    summary: nullable(text('Summary of the result, such as counts')),
    can_undo: boolean(),
    cancelling: boolean(),
    undone_by: line,
    undoes: line,
  },
  { id: 'AudiobookOperation' },
);
export type OperationView = ValueOf<typeof operationView>;
