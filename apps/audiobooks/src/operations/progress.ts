import {
  boolean,
  choice,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  pageFields,
  pageOf,
  record,
  text,
  time,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';
import { EVENT_TYPES, JUMP_REASONS, REPORT_REFUSALS } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookField, defineOperation, ifRevision, milliseconds, READ } from './fields.ts';

const { BOOK_NOT_FOUND, BOOK_WITHOUT_FILES, BOOKMARK_NOT_FOUND, REVISION_STALE } = audiobookErrors;

const progressFields = {
  book_id: text(),
  position_ms: integer(),
  segment_id: text(),
  position_seconds: number(),
  generation: integer('Timeline of the book that the position refers to'),
  percent: number(),
  finished: boolean(),
  completions: integer(),
  speed: number(),
  updated_at: time(),
  device_id: nullable(text()),
  revision: integer(),
} as const;
const progress = object(progressFields, { id: 'ListeningProgress' });
export type Progress = ValueOf<typeof progress>;

export const listProgress = defineOperation({
  name: 'progress.list',
  summary: "List the caller's started and finished books, most recent first",
  permission: READ,
  input: { ...pageFields },
  output: pageOf(
    object({ ...progressFields, title: nullable(text('Title of the book; null if the book no longer exists')) }),
  ),
  run: async () => (await import('../service/handlers/progress.ts')).listProgress,
});

export const showProgress = defineOperation({
  name: 'progress.show',
  summary: "Show the caller's position in a book; null if it was not started",
  permission: READ,
  input: { book: bookField },
  output: nullable(progress),
  errors: [BOOK_NOT_FOUND],
  absent: { mcp: 'progress.list and book.show include the position' },
  run: async () => (await import('../service/handlers/progress.ts')).showProgress,
});

export const progressChanges = {
  book: bookField,
  finished: optional(boolean('True marks the book as finished, false as unfinished')),
  position_ms: optional(integer('New position in milliseconds', { min: 0, label: 'ms' })),
  if_revision: optional(ifRevision),
} as const;

export const setProgress = defineOperation({
  name: 'progress.set',
  summary: 'Mark a book as finished or unfinished, or set the position',
  permission: READ,
  input: progressChanges,
  output: progress,
  errors: [BOOK_NOT_FOUND, BOOK_WITHOUT_FILES, REVISION_STALE],
  run: async () => (await import('../service/handlers/progress.ts')).setProgress,
});

export const resetProgress = defineOperation({
  name: 'progress.reset',
  summary: 'Mark a book as not started; listening statistics stay',
  permission: READ,
  input: { book: bookField, if_revision: optional(ifRevision) },
  output: object({}),
  errors: [BOOK_NOT_FOUND, REVISION_STALE],
  absent: { mcp: 'Discards a position; reserved for people' },
  run: async () => (await import('../service/handlers/progress.ts')).resetProgress,
});

const jump = object({
  position_ms: integer(),
  at: time(),
  device_id: nullable(text()),
  reason: choice(JUMP_REASONS),
});

export const listJumps = defineOperation({
  name: 'progress.jumps',
  summary: 'List the positions from which the listener jumped elsewhere, newest first',
  permission: READ,
  input: { book: bookField },
  output: pageOf(jump),
  errors: [BOOK_NOT_FOUND],
  absent: { mcp: 'Used by players to go back' },
  run: async () => (await import('../service/handlers/progress.ts')).listJumps,
});

const short = (summary: string) => text(summary, { min: 1, max: 100 });

const report = object({
  event_id: short('Id that the device gives to the event; an event that is sent twice counts once'),
  book_id: text(undefined, { max: 64 }),
  event_type: choice(EVENT_TYPES),
  position_ms: optional(
    integer('Position in the book; alternatively, send segment_id and position_seconds', { min: 0 }),
  ),
  generation: optional(integer('Timeline that position_ms refers to; default: the current timeline', { min: 0 })),
  segment_id: optional(text(undefined, { max: 64 })),
  position_seconds: optional(number(undefined, { min: 0 })),
  occurred_at: time("Time on the device's clock"),
  play_speed: number(undefined, { min: 0.25, max: 4 }),
  device_id: short('Device id'),
  session_id: optional(short('Playback session; listening time is counted between events of the same session')),
});

export const playbackReports = {
  events: list(report, { min: 1, max: 500 }),
  sent_at: optional(time("Current time on the device's clock; corrects a wrong clock")),
} as const;

export const reportPlayback = defineOperation({
  name: 'playback.report',
  summary:
    'Report playback events, and receive the resulting position in each book; the newest event counts, even if it ' +
    'arrives late',
  permission: READ,
  input: playbackReports,
  output: object({
    accepted: integer(),
    duplicates: integer('Number of events that were already recorded'),
    refused: list(object({ event_id: text(), code: choice(REPORT_REFUSALS) })),
    progress: list(progress),
  }),
  absent: { cli: "For players; 'progress set' moves a position", mcp: 'For players; progress.set moves a position' },
  run: async () => (await import('../service/handlers/progress.ts')).reportPlayback,
});

const bookmark = object({
  id: text(),
  book_id: text(),
  position_ms: integer(),
  note: text(),
  created_at: time(),
});
export type Bookmark = ValueOf<typeof bookmark>;
const note = text('Note', { max: 10_000 });
const bookmarkField = text('Bookmark id', { min: 1, max: 64, label: 'bookmark' });

export const listBookmarks = defineOperation({
  name: 'bookmark.list',
  summary: "List the caller's bookmarks in a book",
  permission: READ,
  input: { book: bookField, ...pageFields },
  output: pageOf(bookmark),
  errors: [BOOK_NOT_FOUND],
  run: async () => (await import('../service/handlers/progress.ts')).listBookmarks,
});

export const newBookmark = {
  book: bookField,
  position_ms: milliseconds,
  generation: optional(integer('Timeline that position_ms refers to; default: the current timeline', { min: 0 })),
  note: withDefault(note, ''),
} as const;

export const addBookmark = defineOperation({
  name: 'bookmark.add',
  summary: 'Add a bookmark; it keeps its place in the audio when files are merged or replaced',
  permission: READ,
  input: newBookmark,
  output: bookmark,
  errors: [BOOK_NOT_FOUND, BOOK_WITHOUT_FILES],
  run: async () => (await import('../service/handlers/progress.ts')).addBookmark,
});

export const bookmarkChanges = {
  bookmark: bookmarkField,
  note: optional(note),
  position_ms: optional(milliseconds),
} as const;

export const editBookmark = defineOperation({
  name: 'bookmark.edit',
  summary: 'Change the note or the position of a bookmark',
  permission: READ,
  input: bookmarkChanges,
  output: bookmark,
  errors: [BOOKMARK_NOT_FOUND],
  absent: { mcp: 'Agents only add bookmarks' },
  run: async () => (await import('../service/handlers/progress.ts')).editBookmark,
});

export const removeBookmark = defineOperation({
  name: 'bookmark.remove',
  summary: 'Remove a bookmark',
  permission: READ,
  input: { bookmark: bookmarkField },
  output: object({}),
  errors: [BOOKMARK_NOT_FOUND],
  absent: { mcp: 'Agents only add bookmarks' },
  run: async () => (await import('../service/handlers/progress.ts')).removeBookmark,
});

const speed = number('Playback speed', { min: 0.25, max: 4 });
const seconds = (summary: string) => integer(summary, { min: 1, max: 600, label: 'seconds' });
const finishedWhen = object({
  seconds: integer('Mark a book as finished this many seconds before its end', { min: 0, max: 3_600 }),
  percent: number('Mark a book as finished at this percentage of its length', { min: 50, max: 100 }),
});
const skipBack = seconds('Seconds to skip back');
const skipForward = seconds('Seconds to skip forward');
const sleepMinutes = integer('Sleep timer, in minutes', { min: 0, max: 1_440, label: 'minutes' });

const preferences = object({
  speed,
  skip_back_seconds: skipBack,
  skip_forward_seconds: skipForward,
  sleep_minutes: sleepMinutes,
  finished_when: finishedWhen,
  books: record(object({ speed }), 'Playback speed of individual books, by book id'),
});
export type Preferences = ValueOf<typeof preferences>;

export const showPreferences = defineOperation({
  name: 'preferences.show',
  summary: "Show the caller's playback preferences",
  permission: READ,
  input: {},
  output: preferences,
  absent: { mcp: 'Settings for players' },
  run: async () => (await import('../service/handlers/progress.ts')).showPreferences,
});

export const preferenceChanges = {
  speed: optional(speed),
  skip_back_seconds: optional(skipBack),
  skip_forward_seconds: optional(skipForward),
  sleep_minutes: optional(sleepMinutes),
  finished_when: optional(finishedWhen),
  books: optional(
    record(
      object({ speed: nullable(speed) }),
      "Playback speed of individual books, by book id; null removes a book's speed",
    ),
  ),
} as const;

export const setPreferences = defineOperation({
  name: 'preferences.set',
  summary: 'Change playback preferences; omitted preferences stay the same',
  permission: READ,
  input: preferenceChanges,
  output: preferences,
  errors: [BOOK_NOT_FOUND],
  absent: { mcp: 'Settings for players' },
  run: async () => (await import('../service/handlers/progress.ts')).setPreferences,
});
