import { z } from 'zod';

import { id, time } from '../model/stored.ts';

/** An id in an address. What is none cannot exist, so it is refused as such before anything is looked up. */
export const idParameter: typeof id = id;

const ms = z.int().nonnegative();
const text = z.string().nullable();

export const bookRowSchema = z.object({
  id,
  title: z.string(),
  subtitle: text,
  authors: z.array(z.object({ id, name: z.string() })),
  narrators: z.array(z.string()),
  series: z.array(z.object({ id, name: z.string(), sequence: text })),
  year: z.int().nullable(),
  language: text,
  duration_ms: ms,
  library_id: id.nullable(),
  cover: text.meta({ description: 'Where the picture is; add &size=96, 256, 512 or 1024. Null when there is none' }),
  added_at: time,
  missing: z.boolean().meta({ description: 'None of its files can be found' }),
  work_id: id.nullable(),
  revision: z.int(),
  generation: z.int(),
  progress: z
    .object({ position_ms: ms, percent: z.number(), finished: z.boolean(), updated_at: time })
    .nullable()
    .meta({ description: 'Where the caller is in it' }),
});
/** A book in a list, as everybody outside sees it. */
export type BookRowView = z.infer<typeof bookRowSchema>;

const chapterSchema = z.object({ index: z.int(), title: z.string(), start_ms: ms, end_ms: ms });

export const bookSchema = bookRowSchema.extend({
  description: text,
  publisher: text,
  isbn10: text,
  isbn13: text,
  asin: text,
  genres: z.array(z.string()),
  tags: z.array(z.string()),
  edition: text,
  deleted_at: time.nullable(),
  locks: z.array(z.string()),
  provenance: z.record(z.string(), z.string()),
  folder: text.meta({ description: 'In its library; shown to those who may edit' }),
  size_bytes: z.int(),
  chapters: z.array(chapterSchema),
  segments: z.array(
    z.object({
      id,
      index: z.int(),
      start_ms: ms,
      duration_ms: ms,
      size_bytes: z.int(),
      format: z.string(),
      content_type: z.string(),
      missing: z.boolean(),
      url: z.string(),
    }),
  ),
  editions: z.array(bookRowSchema),
});

export const librarySchema = z.object({
  id,
  name: z.string(),
  root: z.string().optional().meta({ description: 'The folder; shown to those who manage it' }),
  books: z.int(),
  scanned_at: time.nullable(),
});

export const meSchema = z.object({
  can: z.object({ listen: z.boolean(), edit: z.boolean(), manage: z.boolean(), download: z.boolean() }),
  libraries: z.array(id),
});

export const historySchema = z.object({
  id,
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  source: z.string(),
  at: time,
  by: z.string(),
});

export const groupSchema = z.object({ id: z.string(), name: z.string(), books: z.int() });

export const authorSchema = z.object({
  id,
  name: z.string(),
  aliases: z.array(z.string()),
  books: z.int().meta({ description: 'How many the caller can see; they are listed by /books?author=' }),
});

export const seriesSchema = z.object({
  id,
  name: z.string(),
  aliases: z.array(z.string()),
  books: z.array(bookRowSchema.extend({ sequence: text })),
  gaps: z.array(z.string()).meta({ description: 'Numbers of which there is no book' }),
});

export const rightsSchema = z.object({
  user_id: z.string(),
  libraries: z.union([z.literal('all'), z.array(id).max(1_000)]),
  edit: z.boolean(),
  download: z.boolean(),
});

export const operationSchema = z.object({
  id,
  type: z.string(),
  status: z.string(),
  progress: z.object({ current: z.int(), total: z.int(), phase: z.string() }),
  created_by: z.string(),
  created_at: time,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  error: text,
  error_code: text,
  target: z.string(),
  summary: text.meta({ description: 'What came of it, in a few numbers' }),
  can_undo: z.boolean(),
  cancelling: z.boolean(),
  undone_by: id.nullable(),
  undoes: id.nullable(),
});

export const logLineSchema = z.object({
  seq: z.int(),
  timestamp: time,
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
});

export const organisePlanSchema = z.object({
  template: z.string(),
  moves: z.array(z.object({ book_id: z.string(), from: z.string(), to: z.string() })),
  refusals: z.array(z.object({ book_id: z.string(), title: z.string(), path: z.string(), reason: z.string() })),
  total_moves: z.int().meta({ description: 'How many there are; only the first 2,000 are shown' }),
  total_refusals: z.int(),
});

export const mergePlanSchema = z.object({
  book: bookRowSchema,
  files: z.int(),
  paths: z.array(z.string()),
  format: z.string(),
  way: z.enum(['copy', 'encode']).meta({ description: 'Whether the sound is taken over as it is, or encoded again' }),
  chapters: z.array(chapterSchema),
  duration_ms: ms,
  size_bytes: z.int(),
});
