import {
  choice,
  flag,
  integer,
  list,
  nullable,
  object,
  optional,
  pageFields,
  pageOf,
  text,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';
import { DEFAULT_TEMPLATE } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookField, bookRow, chapterList, defineOperation, libraryField, MANAGE, operationView } from './fields.ts';

/** Operations on audio files. The server runs them in the background; commands and tools wait for the result. */

const { BOOK_NOT_FOUND, LIBRARY_NOT_FOUND, OPERATION_RUNNING, OPERATIONS_FULL, TEMPLATE_INVALID } = audiobookErrors;
/** Additional errors that every file operation can return. */
const WRITE_ERRORS = [
  OPERATION_RUNNING,
  OPERATIONS_FULL,
  audiobookErrors.LIBRARY_FULL,
  audiobookErrors.LIBRARY_READ_ONLY,
] as const;
const byPerson = { mcp: 'Moves or rewrites audio files; reserved for people' } as const;

export const scanLibrary = defineOperation({
  name: 'library.scan',
  summary: 'Scan a library for new, changed and missing files',
  permission: MANAGE,
  input: { library: libraryField },
  output: operationView,
  errors: [LIBRARY_NOT_FOUND, OPERATION_RUNNING, OPERATIONS_FULL, audiobookErrors.LIBRARY_UNAVAILABLE],
  run: async () => (await import('../service/handlers/files.ts')).scan,
});

export const organiseInput = {
  library: optional(libraryField),
  template: withDefault(
    text('Template for the path of a book in the library', { min: 1, max: 1_000, label: 'template' }),
    DEFAULT_TEMPLATE,
  ),
  books: optional(
    list(bookField, { min: 1, max: 10_000, summary: 'Books to move; default: all books in the library' }),
  ),
} as const;

const organisePlan = object({
  library: text(),
  template: text(),
  moves: list(object({ book_id: text(), from: text(), to: text() })),
  refusals: list(object({ book_id: text(), title: text(), path: text(), reason: text() })),
  total_moves: integer('Number of moves; only the first 2,000 are listed'),
  total_refusals: integer(),
});
export type OrganisePlan = ValueOf<typeof organisePlan>;

export const previewOrganise = defineOperation({
  name: 'organise.preview',
  summary: 'Show which files would move where, and which cannot be moved',
  permission: MANAGE,
  input: organiseInput,
  output: organisePlan,
  errors: [LIBRARY_NOT_FOUND, BOOK_NOT_FOUND, TEMPLATE_INVALID],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).previewOrganise,
});

export const organise = defineOperation({
  name: 'organise.run',
  summary: 'Move the files of a library to paths made from a template; can be undone',
  permission: MANAGE,
  input: organiseInput,
  output: operationView,
  errors: [LIBRARY_NOT_FOUND, BOOK_NOT_FOUND, TEMPLATE_INVALID, ...WRITE_ERRORS],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).organise,
});

const bitrate = optional(
  integer('Kilobits per second; used only if the audio is encoded again', { min: 16, max: 512, label: 'kbps' }),
);

const mergePlan = object({
  book: bookRow,
  files: integer(),
  paths: list(text()),
  format: text(),
  method: choice(['copy', 'encode'], 'Whether the audio is copied or encoded again'),
  chapters: chapterList,
  duration_ms: integer(),
  size_bytes: integer(),
});

export const mergePreview = { book: bookField, bitrate_kbps: bitrate } as const;

export const previewMerge = defineOperation({
  name: 'merge.preview',
  summary: 'Show what merging all files of a book into one m4b would do',
  permission: MANAGE,
  input: mergePreview,
  output: mergePlan,
  errors: [BOOK_NOT_FOUND, audiobookErrors.SEGMENT_NOT_FOUND],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).previewMerge,
});

export const mergeOptions = {
  book: bookField,
  bitrate_kbps: bitrate,
  force: flag('Merge even if the book is already a single m4b'),
} as const;

export const mergeFiles = defineOperation({
  name: 'merge.run',
  summary: 'Merge all files of a book into one m4b with chapters; keeps listening positions and can be undone',
  permission: MANAGE,
  input: mergeOptions,
  output: operationView,
  errors: [BOOK_NOT_FOUND, audiobookErrors.MERGE_NEEDLESS, ...WRITE_ERRORS],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).mergeFiles,
});

export const transcodeOptions = {
  book: bookField,
  format: choice(['m4a', 'mp3', 'opus', 'flac'], 'New format'),
  bitrate_kbps: bitrate,
} as const;

export const transcode = defineOperation({
  name: 'transcode.run',
  summary: 'Encode every file of a book in another format; can be undone',
  permission: MANAGE,
  // Only formats from a fixed list reach ffmpeg's arguments.
  input: transcodeOptions,
  output: operationView,
  errors: [BOOK_NOT_FOUND, ...WRITE_ERRORS],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).transcode,
});

const tagPlan = object({
  book: bookRow,
  files: integer('Files whose tags would change'),
  changes: list(object({ path: text(), field: text(), from: text(), to: text() })),
});

export const previewTags = defineOperation({
  name: 'tag.preview',
  summary: 'Show which tags, chapters and covers would change in the files of a book',
  permission: MANAGE,
  input: { book: bookField },
  output: tagPlan,
  errors: [BOOK_NOT_FOUND, LIBRARY_NOT_FOUND, audiobookErrors.FILE_CHANGED],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).previewTags,
});

export const writeTags = defineOperation({
  name: 'tag.run',
  summary: "Write a book's metadata, edited chapters and cover into its files; can be undone",
  permission: MANAGE,
  input: { book: bookField },
  output: operationView,
  errors: [BOOK_NOT_FOUND, ...WRITE_ERRORS],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).writeTags,
});

const duplicates = object({
  reason: choice(
    ['same_files', 'same_number', 'same_reading'],
    'Why these are probably duplicates: mostly the same audio, same ISBN or ASIN, or same work and narrators',
  ),
  overlap_percent: nullable(
    integer('Percentage of the longest book that the other books also contain; null unless the reason is same_files'),
  ),
  books: list(bookRow),
});

export const listDuplicates = defineOperation({
  name: 'duplicate.list',
  summary: 'List books that are probably duplicates',
  description:
    'A page can be empty even if more pages follow, because each request examines a limited part of the index.',
  permission: MANAGE,
  input: { ...pageFields },
  output: pageOf(duplicates),
  absent: { mcp: 'Used for merging, which MCP does not offer' },
  run: async () => (await import('../service/handlers/files.ts')).listDuplicates,
});

export const mergeDuplicates = defineOperation({
  name: 'duplicate.merge',
  summary: 'Merge two duplicate books: keep one, and move the listening progress of the other to the kept book',
  permission: MANAGE,
  input: {
    keep: text('Book to keep: id or title', { min: 1, max: 500, label: 'book' }),
    drop: text('Book to remove from the lists: id or title', { min: 1, max: 500, label: 'book' }),
  },
  output: object({ book: bookRow, operation_id: text('Id of this operation, for undo') }),
  errors: [BOOK_NOT_FOUND, audiobookErrors.FIELD_INVALID],
  absent: { mcp: 'Hides a book; reserved for people' },
  run: async () => (await import('../service/handlers/files.ts')).mergeDuplicates,
});
