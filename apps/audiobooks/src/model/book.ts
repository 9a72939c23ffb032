import { z } from 'zod';
import { BOOK_FIELDS } from './choices.ts';
import { normalizeText, sortKey } from './normalize.ts';
import { count, id, time } from './stored.ts';

/** Origin of a field's value. */
export const SOURCES = [
  'edit',
  'import',
  'provider',
  'tag',
  'abs',
  'opf',
  'nfo',
  'cue',
  'text',
  'folder',
  'file',
  'undo',
  'merge',
  'organise',
] as const;
export type Source = (typeof SOURCES)[number];

const contributorShape = z.object({ id, name: z.string(), role: z.string() });

/** `sequence` is the position as written (`1`, `0.5`, `1-3`, `1a`) or null. The sort key is derived from it. */
const membershipShape = z.object({ id, name: z.string(), sequence: z.string().nullable() });

const text = z.string().nullable();

export const bookShape = z.object({
  id,
  title: z.string().min(1),
  subtitle: text,
  normalized_title: z.string(),
  sort_title: z.string(),
  authors: z.array(contributorShape),
  narrators: z.array(z.string()),
  series: z.array(membershipShape),
  /**
   * The audiobooks design document has one author, one series and one narrator per book. These four fields hold the
   * first author, the first series with the position in it, and all narrators in one line.
   */
  author_id: id.nullable(),
  series_id: id.nullable(),
  series_position: z.number().nullable(),
  narrator: text,
  author_sort: z.string(),
  work_id: id.nullable(),
  /** True if a person chose the work. In that case, only a person may change it. */
  work_pinned: z.boolean(),
  edition: text,
  language: text,
  publisher: text,
  isbn10: text,
  isbn13: text,
  /** The ISBN as given, if it is not valid. */
  isbn_invalid: text,
  asin: text,
  description: text,
  published_year: z.int().nullable(),
  cover_asset_id: id.nullable(),
  /** Id of the edited chapter list. Without one, the book has the chapters of its files. */
  chapter_list_id: id.nullable().optional(),
  genres: z.array(z.string()),
  tags: z.array(z.string()),
  library_id: id.nullable(),
  folder: text,
  /** Sum of the active segments' durations. */
  duration_ms: count,
  segment_count: count,
  size_bytes: count,
  /** Increases when the timeline changes: its segments, their order or their durations. */
  generation: count,
  locks: z.array(z.string()),
  provenance: z.partialRecord(z.enum(BOOK_FIELDS), z.enum(SOURCES)),
  /** Time at which a scan first found all files missing. */
  missing_since: time.nullable(),
  deleted_at: time.nullable(),
  /** For a deleted duplicate: the book that it was merged into. Clients that request the duplicate get that book. */
  merged_into: id.nullable().optional(),
  created_at: time,
  updated_at: time,
  revision: count,
  version: z.literal(1),
});
export type Book = z.infer<typeof bookShape>;

export function emptyBook(bookId: string, title: string, at: string): Book {
  return {
    id: bookId,
    title,
    subtitle: null,
    normalized_title: normalizeText(title),
    sort_title: sortKey(title),
    authors: [],
    narrators: [],
    series: [],
    author_id: null,
    series_id: null,
    series_position: null,
    narrator: null,
    author_sort: '',
    work_id: null,
    work_pinned: false,
    edition: null,
    language: null,
    publisher: null,
    isbn10: null,
    isbn13: null,
    isbn_invalid: null,
    asin: null,
    description: null,
    published_year: null,
    cover_asset_id: null,
    genres: [],
    tags: [],
    library_id: null,
    folder: null,
    duration_ms: 0,
    segment_count: 0,
    size_bytes: 0,
    generation: 0,
    locks: [],
    provenance: {},
    missing_since: null,
    deleted_at: null,
    created_at: at,
    updated_at: at,
    revision: 0,
    version: 1,
  };
}

const chapterShape = z.object({ title: z.string(), startMs: count, endMs: count });

export const segmentShape = z.object({
  id,
  book_id: id,
  library_id: id.nullable(),
  /** Relative to the library root. */
  file_path: z.string(),
  format: z.string(),
  codec: z.string(),
  size_bytes: count,
  /** Duration of all packets in whole milliseconds. */
  duration_ms: count,
  /** Derived from `duration_ms`; the audiobooks design document requires this field. */
  duration_seconds: z.number().nonnegative(),
  /** Hash of the whole file; computed on demand. */
  hash_sha256: z.string().nullable(),
  /** Hash of parts of the audio, so that writing tags does not change it. */
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
  /** Id of the segment that replaced this one, for example after a merge. */
  superseded_by: id.nullable(),
  /**
   * Where this segment starts in the segment that replaced it, and how long it is there. If a device still reports a
   * position in this segment, Holdfast uses these fields to convert the position.
   */
  superseded_at_ms: count.nullable(),
  superseded_duration_ms: count.nullable(),
  missing_since: time.nullable(),
  created_at: time,
  updated_at: time,
  version: z.literal(1),
});
export type Segment = z.infer<typeof segmentShape>;

/** Scan results that are not part of the file's segment. With them, a moved file need not be read again. */
export const fileFactsShape = z.object({
  stream: z.record(z.string(), z.unknown()),
  tags: z.record(z.string(), z.unknown()),
  cover: z.record(z.string(), z.unknown()).nullable(),
  version: z.literal(1),
});
export type FileFacts = z.infer<typeof fileFactsShape>;
