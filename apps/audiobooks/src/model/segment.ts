import { z } from 'zod';
import { count, id, time, versioned } from './stored.ts';

const chapterShape = z.object({ title: z.string(), startMs: count, endMs: count });

const shape = z.object({
  id,
  book_id: id,
  library_id: id.nullable(),
  /** Relative to the library root. */
  file_path: z.string(),
  format: z.string(),
  codec: z.string(),
  size_bytes: count,
  /** Whole milliseconds, summed over the packets; the design document's seconds are derived from it. */
  duration_ms: count,
  duration_seconds: z.number().nonnegative(),
  /** Covers the whole file; computed on demand. */
  hash_sha256: z.string().nullable(),
  /** Covers the audio only, so that writing tags does not change it. */
  quick_hash: z.string().nullable(),
  device: z.string().nullable(),
  inode: z.string().nullable(),
  mtime_ns: z.string().nullable(),
  track_number: count.nullable(),
  total_tracks: count.nullable(),
  disc_number: count.nullable(),
  /** Zero-based index among the active segments. */
  order: count,
  chapters: z.array(chapterShape),
  active: z.boolean(),
  superseded_by: id.nullable(),
  /** Start and duration within the replacing segment, to convert late reports. */
  superseded_at_ms: count.nullable(),
  superseded_duration_ms: count.nullable(),
  missing_since: time.nullable(),
  created_at: time,
  updated_at: time,
  version: z.literal(2),
});
export type Segment = z.infer<typeof shape>;

export const segmentShape = versioned(shape, [
  (old) => ({
    ...old,
    library_id: null,
    codec: '',
    duration_ms: Math.round(Number(old['duration_seconds'] ?? 0) * 1_000),
    quick_hash: null,
    device: null,
    inode: null,
    mtime_ns: null,
    disc_number: null,
    order: Math.max(0, Number(old['track_number'] ?? 1) - 1),
    chapters: [],
    superseded_at_ms: null,
    superseded_duration_ms: null,
    missing_since: null,
  }),
]);

/** Scan data of a file beyond the segment's fields, so that a moved file need not be read again. */
export const fileFactsShape = z.object({
  stream: z.record(z.string(), z.unknown()),
  tags: z.record(z.string(), z.unknown()),
  cover: z.record(z.string(), z.unknown()).nullable(),
  version: z.literal(1),
});
export type FileFacts = z.infer<typeof fileFactsShape>;
