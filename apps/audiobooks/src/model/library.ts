import { z } from 'zod';
import { count, id, time } from './stored.ts';

/** A folder that is scanned. Paths of everything in it are relative to `root`. */
export const libraryShape = z.object({
  id,
  root: z.string(),
  name: z.string(),
  created_at: time,
  scanned_at: time.nullable(),
  /** Since when it is no library any more; its books went off the lists at that moment, and come back with it. */
  removed_at: time.nullable().default(null),
  version: z.literal(1),
});
export type Library = z.infer<typeof libraryShape>;

/** Scan result of one folder; an unchanged folder costs a single read. */
export const unitShape = z.object({
  /** The folder; the key may hold only its beginning. */
  unit: z.string(),
  fingerprint: z.string(),
  books: z.array(id),
  /** Books that were in the folder and are not; a scan that has seen everything knows what became of them. */
  left: z.array(id).optional(),
  problems: z.array(z.object({ kind: z.string(), path: z.string(), message: z.string() })),
  version: z.literal(1),
});
export type Unit = z.infer<typeof unitShape>;

/** A picture that belongs to a book: a file of its own, or bytes inside one. */
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
