import { z } from 'zod';
import { count, id, time } from './stored.ts';

/** A folder that is scanned. All paths in it are relative to `root`. */
export const libraryShape = z.object({
  id,
  root: z.string(),
  name: z.string(),
  created_at: time,
  scanned_at: time.nullable(),
  /** When the library was removed. Its books are hidden until the folder is added again. */
  removed_at: time.nullable().default(null),
  version: z.literal(1),
});
export type Library = z.infer<typeof libraryShape>;

/** Scan result of one folder; an unchanged folder costs a single read. */
export const unitShape = z.object({
  /** The full path; keys truncate long ones. */
  unit: z.string(),
  fingerprint: z.string(),
  books: z.array(id),
  /** Books no longer in the folder; the end of a complete scan decides whether they moved or are missing. */
  left: z.array(id).optional(),
  problems: z.array(z.object({ kind: z.string(), path: z.string(), message: z.string() })),
  version: z.literal(1),
});
export type Unit = z.infer<typeof unitShape>;

/** A book's picture: a file, or bytes inside an audio file. */
export const assetShape = z.object({
  id,
  book_id: id,
  kind: z.enum(['file', 'embedded']),
  library_id: id.nullable(),
  path: z.string(),
  mime: z.string(),
  offset: count,
  length: count,
  created_at: time,
  version: z.literal(1),
});
export type Asset = z.infer<typeof assetShape>;

export const migrationShape = z.object({
  id: count,
  applied_at: z.string(),
  description: z.string(),
  duration_ms: z.number(),
});
