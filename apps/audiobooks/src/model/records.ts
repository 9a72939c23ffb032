import { z } from 'zod';
import { SOURCES } from './book.ts';
import { BOOK_FIELDS, PROVIDERS } from './choices.ts';
import { FINISHED_WHEN } from './progress-rules.ts';
import { smartQueryShape } from './smart-query.ts';
import { count, id, time } from './stored.ts';

export const authorShape = z.object({
  id,
  name: z.string().min(1),
  normalized_name: z.string(),
  sort_name: z.string(),
  aliases: z.array(z.string()),
  created_at: time,
  updated_at: time,
  version: z.literal(1),
});
export type Author = z.infer<typeof authorShape>;

/** A narrator, identified by name. */
export const narratorShape = z.object({
  name: z.string().min(1),
  normalized_name: z.string(),
  sort_name: z.string(),
  created_at: time,
  version: z.literal(1),
});

export const seriesShape = z.object({
  id,
  name: z.string().min(1),
  normalized_name: z.string(),
  sort_name: z.string(),
  author_id: id.nullable(),
  aliases: z.array(z.string()),
  created_at: time,
  updated_at: time,
  version: z.literal(1),
});
export type Series = z.infer<typeof seriesShape>;

/** A written work, shared by all editions and narrations of one title. */
export const workShape = z.object({
  id,
  title: z.string(),
  normalized_title: z.string(),
  author_id: id.nullable(),
  alt_titles: z.array(z.string()),
  series_id: id.nullable(),
  created_at: time,
  updated_at: time,
  version: z.literal(1),
});
export type Work = z.infer<typeof workShape>;

/** A folder that Holdfast scans. The paths of all its files are relative to `root`. */
export const libraryShape = z.object({
  id,
  root: z.string(),
  name: z.string(),
  created_at: time,
  scanned_at: time.nullable(),
  /** Time at which the library was removed. Its books are hidden until the folder is added again. */
  removed_at: time.nullable().default(null),
  version: z.literal(1),
});
export type Library = z.infer<typeof libraryShape>;

/** Scan result of one folder. If the folder has not changed, a scan reads only this record. */
export const unitShape = z.object({
  /** The full path of the folder. It is stored here because keys truncate long paths. */
  unit: z.string(),
  fingerprint: z.string(),
  books: z.array(id),
  /** Books that are no longer in the folder. A complete scan finds each of them elsewhere or marks it missing. */
  left: z.array(id).optional(),
  problems: z.array(z.object({ kind: z.string(), path: z.string(), message: z.string() })),
  version: z.literal(1),
});
export type Unit = z.infer<typeof unitShape>;

/** A book's picture: a separate file, or bytes inside an audio file. */
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

/** Edited chapters of a book. Lists are immutable: an edit adds a new list, so that undo finds the previous one. */
export const chapterListShape = z.object({
  id,
  book_id: id,
  /** The timeline to which the start times refer. */
  generation: count,
  marks: z.array(z.object({ title: z.string().min(1), start_ms: count })),
  created_at: time,
  version: z.literal(1),
});
export type ChapterList = z.infer<typeof chapterListShape>;

export const migrationShape = z.object({
  id: count,
  applied_at: z.string(),
  description: z.string(),
  duration_ms: z.number(),
});

export const historyShape = z.object({
  id,
  book_id: id,
  field: z.enum(BOOK_FIELDS),
  before: z.unknown(),
  after: z.unknown(),
  source: z.enum(SOURCES),
  by: z.string(),
  operation_id: id.nullable(),
  at: time,
  version: z.literal(1),
});
export type HistoryEntry = z.infer<typeof historyShape>;

export const playlistShape = z.object({
  id,
  name: z.string().min(1),
  /** Null for a shared playlist. */
  user_id: z.string().nullable(),
  kind: z.enum(['manual', 'smart']),
  /** Null for a manual playlist. */
  query: smartQueryShape.nullable(),
  created_at: time,
  updated_at: time,
  revision: count,
  version: z.literal(1),
});
export type Playlist = z.infer<typeof playlistShape>;

export const playlistItemShape = z.object({ book_id: id, added_at: time, version: z.literal(1) });
export type PlaylistItem = z.infer<typeof playlistItemShape>;

/**
 * Playback preferences. Each preference has its own key, as in the audiobooks design document, so two devices can
 * change different preferences at the same time.
 */

const speed = z.number().min(0.25).max(4);

const preferenceFields = {
  speed,
  skip_back_seconds: z.int().min(1).max(600),
  skip_forward_seconds: z.int().min(1).max(600),
  sleep_minutes: z.int().min(0).max(1_440),
  finished_when: z.object({ seconds: z.int().min(0).max(3_600), percent: z.number().min(50).max(100) }),
};

/** Each preference has its own schema, which checks the value when it is written. */
export const preferenceShape = z.object({ value: z.unknown(), version: z.literal(1) });

export const preferencesShape = z.object({
  ...preferenceFields,
  books: z.record(z.string(), z.object({ speed })).meta({ description: 'Speeds of single books, by their ids' }),
});
export type Preferences = z.infer<typeof preferencesShape>;

/** Omitted fields stay unchanged; null removes a book's speed. */
export type PreferenceChanges = {
  readonly [Name in Exclude<keyof Preferences, 'books'>]?: Preferences[Name] | undefined;
} & {
  readonly books?: Readonly<Record<string, { readonly speed: number | null }>> | undefined;
};

export const DEFAULT_PREFERENCES: Preferences = {
  speed: 1,
  skip_back_seconds: 15,
  skip_forward_seconds: 30,
  sleep_minutes: 30,
  finished_when: FINISHED_WHEN,
  books: {},
};

const FEED_KINDS = ['book', 'opds'] as const;

/**
 * A private link for programs that cannot sign in. Only the hash of its secret is stored, so nobody can read the link
 * from the database.
 */
export const feedShape = z.object({
  id,
  user_id: z.string(),
  kind: z.enum(FEED_KINDS),
  /** The book of a podcast feed; null for an OPDS feed. */
  book_id: id.nullable(),
  secret_hash: z.string(),
  created_at: time,
  version: z.literal(1),
});
export type Feed = z.infer<typeof feedShape>;

/** The providers that an administrator enabled. */
export const providerSettingsShape = z.object({ enabled: z.array(z.enum(PROVIDERS)), version: z.literal(1) });

/** The libraries that a user sees, and what the user may do. The key is `rights:{user}`. */
export const rightsShape = z.object({
  user_id: z.string(),
  libraries: z.union([z.literal('all'), z.array(id)]),
  /** Whether the user may edit metadata; the account also needs the write permission. */
  edit: z.boolean(),
  /** Whether the user may download whole files. */
  download: z.boolean(),
  updated_at: time,
  revision: count,
  version: z.literal(1),
});
export type Rights = z.infer<typeof rightsShape>;

/** Rights of users for whom no rights are stored. */
export const DEFAULT_RIGHTS: Pick<Rights, 'libraries' | 'edit' | 'download'> = {
  libraries: 'all',
  edit: true,
  download: true,
};
