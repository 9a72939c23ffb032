import { Connection, type Row } from '@holdfast/sqlite';
import { z } from 'zod';
import { audiobookErrors } from '../model/errors.ts';

/**
 * Reads the database of an Audiobookshelf server. Only books are read, not podcasts. Unknown columns are ignored, so
 * other versions with the same tables work too.
 */

const id = z.guid().transform((text) => text.toLowerCase());
const line = z.string().nullish();
const flag = z.union([z.number(), z.boolean()]).nullish().transform(Boolean);
const moment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (typeof value === 'string' ? Date.parse(value) : (value ?? Number.NaN)))
  .transform((time) => (Number.isFinite(time) ? time : undefined));
const seconds = z.number().nullish().catch(null);

/** A column with JSON text. A damaged value counts as missing. */
function json<Shape extends z.ZodType>(shape: Shape) {
  return z.preprocess((text) => {
    try {
      return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
    } catch {
      return undefined;
    }
  }, shape);
}

const texts = json(z.array(z.string()).catch([]));

const userShape = z.object({
  id,
  username: z.string(),
  email: line,
  pash: line,
  type: z.string().nullish(),
  isActive: flag,
  createdAt: moment,
  permissions: json(
    z
      .object({
        download: z.boolean().default(false),
        update: z.boolean().default(false),
        accessAllLibraries: z.boolean().default(false),
        accessAllTags: z.boolean().default(false),
        accessExplicitContent: z.boolean().default(false),
        librariesAccessible: z.array(z.string()).default([]),
      })
      // A user whose permissions are unreadable may see nothing.
      .catch({
        download: false,
        update: false,
        accessAllLibraries: false,
        accessAllTags: false,
        accessExplicitContent: false,
        librariesAccessible: [],
      }),
  ),
  bookmarks: json(
    z
      .array(
        z.object({
          libraryItemId: z.string(),
          time: z.number().nonnegative(),
          title: z.string().nullish(),
          createdAt: z.number().nullish(),
        }),
      )
      .catch([]),
  ),
});

const libraryShape = z.object({ id, name: z.string(), mediaType: z.string().nullish() });
const folderShape = z.object({ id, path: z.string(), libraryId: id });
const itemShape = z.object({
  id,
  path: z.string(),
  mediaId: id,
  libraryId: id,
  libraryFolderId: id.nullish(),
  isFile: flag,
});
const bookShape = z.object({
  id,
  title: line,
  subtitle: line,
  publishedYear: z.union([z.string(), z.number().transform(String)]).nullish(),
  publisher: line,
  description: line,
  isbn: line,
  asin: line,
  language: line,
  explicit: flag,
  abridged: flag,
  coverPath: line,
  narrators: texts,
  genres: texts,
  tags: texts,
  audioFiles: json(z.array(z.object({ metadata: z.object({ path: z.string() }) })).catch([])),
  chapters: json(z.array(z.object({ title: z.string(), start: z.number().nonnegative() })).catch([])),
});
const authorRow = z.object({ bookId: id, name: z.string() });
const seriesRow = z.object({ bookId: id, name: z.string(), sequence: line });
const listShape = z.object({ id, name: z.string(), userId: id.nullish(), createdAt: moment });
const listItem = z.object({ listId: id, bookId: id });
const progressShape = z.object({
  id,
  userId: id,
  mediaItemId: id,
  currentTime: seconds,
  isFinished: flag,
  hideFromContinueListening: flag,
  finishedAt: moment,
  createdAt: moment,
  updatedAt: moment,
});
const sessionShape = z.object({
  id,
  userId: id,
  mediaItemId: id,
  startTime: seconds,
  currentTime: seconds,
  timeListening: seconds,
  mediaPlayer: line,
  createdAt: moment,
  updatedAt: moment,
  deviceId: line,
  clientName: line,
  deviceName: line,
});

export interface AudiobookshelfData {
  readonly users: readonly z.output<typeof userShape>[];
  readonly libraries: readonly z.output<typeof libraryShape>[];
  readonly folders: readonly z.output<typeof folderShape>[];
  readonly items: readonly z.output<typeof itemShape>[];
  readonly books: readonly z.output<typeof bookShape>[];
  readonly authors: readonly z.output<typeof authorRow>[];
  readonly series: readonly z.output<typeof seriesRow>[];
  readonly collections: readonly z.output<typeof listShape>[];
  readonly collectionBooks: readonly z.output<typeof listItem>[];
  readonly playlists: readonly z.output<typeof listShape>[];
  readonly playlistBooks: readonly z.output<typeof listItem>[];
  readonly progress: readonly z.output<typeof progressShape>[];
  readonly sessions: readonly z.output<typeof sessionShape>[];
  /** Number of rows that could not be read. */
  readonly unreadable: number;
}

/**
 * Reads a copy of the database. The original must not be opened, because SQLite may write to a database even when it
 * only reads.
 */
export function readAudiobookshelf(path: string): AudiobookshelfData {
  const connection = openCopy(path);
  let unreadable = 0;
  const rows = <Shape extends z.ZodType>(shape: Shape, sql: string): readonly z.output<Shape>[] =>
    (connection.prepare(sql).all() as Row[]).flatMap((row) => {
      const read = shape.safeParse(row);
      if (!read.success) unreadable += 1;
      return read.success ? [read.data] : [];
    });
  try {
    const data = {
      users: rows(userShape, 'SELECT * FROM users ORDER BY createdAt'),
      libraries: rows(libraryShape, "SELECT * FROM libraries WHERE mediaType = 'book' ORDER BY displayOrder"),
      folders: rows(folderShape, 'SELECT * FROM libraryFolders ORDER BY createdAt'),
      items: rows(itemShape, "SELECT * FROM libraryItems WHERE mediaType = 'book'"),
      books: rows(bookShape, 'SELECT * FROM books'),
      authors: rows(
        authorRow,
        'SELECT bookAuthors.bookId, authors.name FROM bookAuthors JOIN authors ON authors.id = bookAuthors.authorId ' +
          'ORDER BY bookAuthors.createdAt, bookAuthors.rowid',
      ),
      series: rows(
        seriesRow,
        'SELECT bookSeries.bookId, series.name, bookSeries.sequence FROM bookSeries ' +
          'JOIN series ON series.id = bookSeries.seriesId ORDER BY bookSeries.createdAt, bookSeries.rowid',
      ),
      collections: rows(listShape, 'SELECT * FROM collections ORDER BY createdAt'),
      collectionBooks: rows(
        listItem,
        'SELECT collectionId AS listId, bookId FROM collectionBooks ORDER BY "order", createdAt',
      ),
      playlists: rows(listShape, 'SELECT * FROM playlists ORDER BY createdAt'),
      playlistBooks: rows(
        listItem,
        'SELECT playlistId AS listId, mediaItemId AS bookId FROM playlistMediaItems ' +
          'WHERE mediaItemType = \'book\' ORDER BY "order", createdAt',
      ),
      progress: rows(progressShape, "SELECT * FROM mediaProgresses WHERE mediaItemType = 'book' ORDER BY updatedAt"),
      sessions: rows(
        sessionShape,
        'SELECT playbackSessions.*, devices.deviceId AS deviceId, devices.clientName, devices.deviceName ' +
          'FROM playbackSessions LEFT JOIN devices ON devices.id = playbackSessions.deviceId ' +
          "WHERE mediaItemType = 'book' ORDER BY playbackSessions.createdAt",
      ),
    };
    return { ...data, unreadable };
  } catch (error) {
    throw audiobookErrors.IMPORT_INVALID('The Audiobookshelf database is damaged, or its version is not supported.', {
      cause: error,
    });
  } finally {
    connection.close();
  }
}

function openCopy(path: string): Connection {
  try {
    return new Connection(path);
  } catch (error) {
    throw audiobookErrors.IMPORT_INVALID('The Audiobookshelf database cannot be opened.', { cause: error });
  }
}
