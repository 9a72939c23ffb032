import { integer, list, object, optional, text, withDefault } from '@holdfast/operation';
import { audiobookErrors } from '../model/errors.ts';
import { bookDetail, bookField, defineOperation, ifRevision, milliseconds, WRITE } from './fields.ts';

const { BOOK_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, CHAPTERS_INVALID, REVISION_STALE } = audiobookErrors;

const CHAPTERS_MAX = 2_000;

const mark = object({
  title: text('Title; if empty, "Chapter" and the chapter number', { max: 500 }),
  start_ms: integer('Start in milliseconds from the start of the book', { min: 0 }),
});

export const chaptersGiven = {
  book: bookField,
  chapters: list(mark, { max: CHAPTERS_MAX }),
  if_revision: optional(ifRevision),
} as const;

const absent = { mcp: 'A person has to listen to the audio' } as const;

export const setChapters = defineOperation({
  name: 'chapters.set',
  summary: 'Replace the chapters of a book; the files of the book change only when you merge or tag them',
  description: 'The first chapter starts at 0. An empty list restores the chapters of the files.',
  permission: WRITE,
  input: chaptersGiven,
  output: bookDetail,
  errors: [BOOK_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, CHAPTERS_INVALID, REVISION_STALE],
  absent,
  run: async () => (await import('../service/handlers/chapters.ts')).setChapters,
});

export const silenceOptions = {
  book: bookField,
  seconds: withDefault(integer('Shortest silence, in seconds', { min: 1, max: 60 }), 2),
  noise_db: withDefault(integer('Level below which audio counts as silence, in dB', { min: -90, max: -10 }), -35),
} as const;

export const listSilences = defineOperation({
  name: 'chapters.silences',
  summary: 'List silences in a book as possible chapter starts',
  description: 'Decodes the whole book, which can take minutes.',
  permission: WRITE,
  input: silenceOptions,
  output: object({
    data: list(
      object({ start_ms: milliseconds, silence_ms: integer('Duration of the silence; 0 at the start of a file') }),
    ),
  }),
  errors: [
    BOOK_NOT_FOUND,
    NAME_AMBIGUOUS,
    RIGHTS_MISSING,
    audiobookErrors.BOOK_WITHOUT_FILES,
    audiobookErrors.FFMPEG_FAILED,
    audiobookErrors.FFMPEG_MISSING,
  ],
  absent,
  run: async () => (await import('../service/handlers/chapters.ts')).listSilences,
});

export const readCueSheet = defineOperation({
  name: 'chapters.cue',
  summary: 'Show the chapters in a cue sheet, without changing the book',
  permission: WRITE,
  input: { book: bookField, cue: text('Text of the cue sheet', { max: 1_000_000 }) },
  output: object({ data: list(mark) }),
  errors: [BOOK_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, CHAPTERS_INVALID],
  absent,
  run: async () => (await import('../service/handlers/chapters.ts')).readCueSheet,
});
