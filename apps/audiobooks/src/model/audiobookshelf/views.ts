import type { Book, Segment } from '../book.ts';
import type { Chapter } from '../chapters.ts';
import type { Bookmark, Progress } from '../playback.ts';
import { FINISHED_WHEN } from '../progress-rules.ts';
import type { Library, Playlist } from '../records.ts';
import { contentTypeOf } from '../scanned.ts';
import type { ClientIds } from './ids.ts';
import type { ClientSession } from './records.ts';

/**
 * Converts our records to the form that Audiobookshelf clients read. Durations and positions are in seconds; timestamps
 * are in whole milliseconds. If one field has the wrong type, clients drop the whole list. Paths are made up, because
 * clients must not see paths on the server.
 */

/** The Audiobookshelf version whose API Holdfast offers. Clients send only requests that this version supports. */
export const SERVER_VERSION = '2.36.0';

const seconds = (milliseconds: number): number => milliseconds / 1_000;
export const momentMs = (time: string): number => Date.parse(time);
const momentOrNull = (time: string | null): number | null => (time === null ? null : momentMs(time));

/** Moves the leading article to the end, for sorting: "Hobbit, The". */
export function ignorePrefix(name: string): string {
  const match = /^(the|an?)\s+(.+)$/iu.exec(name);
  return match === null ? name : `${match[2] ?? ''}, ${match[1] ?? ''}`;
}

export function lastFirst(name: string): string {
  const words = name.split(' ');
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}

export function libraryView(ids: ClientIds, library: Library, index: number) {
  const id = ids.toClient(library.id);
  const createdAt = momentMs(library.created_at);
  return {
    id,
    oldLibraryId: null,
    name: library.name,
    folders: [{ id, fullPath: `/${library.name}`, libraryId: id, addedAt: createdAt }],
    displayOrder: index + 1,
    icon: 'audiobookshelf',
    mediaType: 'book',
    provider: 'google',
    settings: {
      coverAspectRatio: 1,
      disableWatcher: false,
      skipMatchingMediaWithAsin: false,
      skipMatchingMediaWithIsbn: false,
      autoScanCronExpression: null,
      audiobooksOnly: true,
      epubsAllowScriptedContent: false,
      hideSingleBookSeries: false,
      onlyShowLaterBooksInContinueSeries: true,
      metadataPrecedence: [],
      markAsFinishedPercentComplete: FINISHED_WHEN.percent,
      markAsFinishedTimeRemaining: FINISHED_WHEN.seconds,
    },
    lastScan: momentOrNull(library.scanned_at),
    lastScanVersion: SERVER_VERSION,
    createdAt,
    lastUpdate: momentOrNull(library.scanned_at) ?? createdAt,
  };
}

function baseItem(ids: ClientIds, book: Book) {
  const id = ids.toClient(book.id);
  const library = ids.toClient(book.library_id ?? book.id);
  const [addedAt, updatedAt] = [momentMs(book.created_at), momentMs(book.updated_at)];
  return {
    id,
    ino: id,
    oldLibraryItemId: null,
    libraryId: library,
    folderId: library,
    path: `/${id}`,
    relPath: id,
    isFile: false,
    mtimeMs: updatedAt,
    ctimeMs: updatedAt,
    birthtimeMs: addedAt,
    addedAt,
    updatedAt,
    isMissing: book.missing_since !== null,
    isInvalid: false,
    mediaType: 'book',
  };
}

function baseMetadata(book: Book) {
  const { authors, narrators } = book;
  return {
    title: book.title,
    titleIgnorePrefix: ignorePrefix(book.title),
    subtitle: book.subtitle,
    authorName: authors.map(({ name }) => name).join(', '),
    authorNameLF: authors.map(({ name }) => lastFirst(name)).join(', '),
    narratorName: narrators.join(', '),
    seriesName: seriesTexts(book).join(', '),
    ...commonMetadata(book),
  };
}

/** Returns each series as Audiobookshelf writes it, with the position in the series. */
export function seriesTexts({ series }: Book): string[] {
  return series.map(({ name, sequence }) => (sequence === null ? name : `${name} #${sequence}`));
}

/** Fields that Audiobookshelf's API and its metadata files share. */
export function commonMetadata(book: Book) {
  return {
    genres: book.genres,
    publishedYear: book.published_year === null ? null : String(book.published_year),
    publishedDate: null,
    publisher: book.publisher,
    description: book.description,
    isbn: book.isbn13 ?? book.isbn10,
    asin: book.asin,
    language: book.language,
    explicit: false,
    // People write the edition as free text.
    abridged: /\babridged\b/iu.test(book.edition ?? ''),
  };
}

function baseMedia(book: Book, id: string) {
  return {
    id,
    coverPath: book.cover_asset_id === null ? null : `/${id}/cover.jpg`,
    tags: book.tags,
    numTracks: book.segment_count,
    numAudioFiles: book.segment_count,
    numChapters: book.segment_count,
    duration: seconds(book.duration_ms),
    size: book.size_bytes,
  };
}

/** A book as an entry of a list. With `seriesId`, the metadata also has the book's position in that series. */
export function minifiedItem(ids: ClientIds, book: Book, seriesId?: string) {
  const item = baseItem(ids, book);
  const membership = book.series.find(({ id }) => id === seriesId);
  const series =
    membership === undefined
      ? {}
      : { series: { id: ids.toClient(membership.id), name: membership.name, sequence: membership.sequence } };
  const media = { ...baseMedia(book, item.id), metadata: { ...baseMetadata(book), ...series } };
  return { ...item, media, numFiles: book.segment_count, size: book.size_bytes };
}

/** A book with its files and chapters. */
export interface WholeBook {
  readonly book: Book;
  readonly segments: readonly Segment[];
  readonly chapters: readonly Chapter[];
}

export function expandedItem(ids: ClientIds, { book, segments, chapters }: WholeBook) {
  const item = baseItem(ids, book);
  const tracks = trackViews(ids, book, segments);
  return {
    ...item,
    lastScan: item.updatedAt,
    scanVersion: SERVER_VERSION,
    media: {
      ...baseMedia(book, item.id),
      libraryItemId: item.id,
      metadata: expandedMetadata(ids, book),
      audioFiles: tracks.map(({ startOffset: _, contentUrl: __, title: ___, ...file }) => file),
      chapters: chapterViews(chapters),
      numChapters: chapters.length,
      ebookFile: null,
      tracks,
    },
    libraryFiles: tracks.map(({ ino, metadata, addedAt, updatedAt }) => ({
      ino,
      metadata,
      isSupplementary: null,
      addedAt,
      updatedAt,
      fileType: 'audio',
    })),
    numFiles: segments.length,
    size: book.size_bytes,
  };
}

function expandedMetadata(ids: ClientIds, book: Book) {
  return {
    ...baseMetadata(book),
    authors: book.authors.map(({ id, name }) => ({ id: ids.toClient(id), name })),
    narrators: book.narrators,
    series: book.series.map(({ id, name, sequence }) => ({ id: ids.toClient(id), name, sequence })),
    descriptionPlain: book.description,
  };
}

function chapterViews(chapters: readonly Chapter[]) {
  return chapters.map(({ title, startMs, endMs }, id) => ({
    id,
    start: seconds(startMs),
    end: seconds(endMs),
    title,
  }));
}

function trackViews(ids: ClientIds, book: Book, segments: readonly Segment[]) {
  const bookId = ids.toClient(book.id);
  let startMs = 0;
  return segments.map((segment, position) => {
    const index = position + 1;
    const ino = ids.toClient(segment.id);
    const ext = `.${segment.format}`;
    // Phones store a file under this name, so the names must differ within a book.
    const filename = `${String(index).padStart(3, '0')}${ext}`;
    const addedAt = momentMs(segment.created_at);
    const mtimeMs = segment.mtime_ns === null ? addedAt : Number(BigInt(segment.mtime_ns) / 1_000_000n);
    const start = startMs;
    startMs += segment.duration_ms;
    return {
      index,
      ino,
      metadata: {
        filename,
        ext,
        path: `/${bookId}/${filename}`,
        relPath: filename,
        size: segment.size_bytes,
        mtimeMs,
        ctimeMs: mtimeMs,
        birthtimeMs: addedAt,
      },
      addedAt,
      updatedAt: momentMs(segment.updated_at),
      trackNumFromMeta: segment.track_number,
      discNumFromMeta: segment.disc_number,
      trackNumFromFilename: null,
      discNumFromFilename: null,
      manuallyVerified: false,
      exclude: false,
      error: null,
      format: segment.format,
      duration: seconds(segment.duration_ms),
      bitRate: segment.duration_ms === 0 ? 0 : Math.round((segment.size_bytes * 8_000) / segment.duration_ms),
      language: null,
      codec: segment.codec,
      timeBase: '1/1000',
      channels: 2,
      channelLayout: 'stereo',
      chapters: [],
      embeddedCoverArt: null,
      metaTags: {},
      mimeType: contentTypeOf(segment.format),
      startOffset: seconds(start),
      title: filename,
      contentUrl: `/api/items/${bookId}/file/${ino}`,
    };
  });
}

/** The progress of a book. Its id is the book's id, because a user has one position per book. */
export function progressView(ids: ClientIds, entry: Progress, durationMs: number) {
  const id = ids.toClient(entry.book_id);
  const position = entry.book_position_ms;
  return {
    id,
    userId: ids.toClient(entry.user_id),
    libraryItemId: id,
    episodeId: null,
    mediaItemId: id,
    mediaItemType: 'book',
    duration: seconds(durationMs),
    progress: entry.finished ? 1 : durationMs === 0 ? 0 : Math.min(1, position / durationMs),
    currentTime: seconds(position),
    isFinished: entry.finished,
    hideFromContinueListening: entry.hidden === true,
    ebookLocation: null,
    ebookProgress: null,
    lastUpdate: momentMs(entry.updated_at),
    startedAt: momentMs(entry.started_at ?? entry.updated_at),
    finishedAt: entry.finished ? momentOrNull(entry.finished_at) : null,
  };
}

/** Has no id: clients identify a bookmark by its book and its position in seconds. */
export function bookmarkView(ids: ClientIds, { book_id, book_position_ms, note, created_at }: Bookmark) {
  return {
    libraryItemId: ids.toClient(book_id),
    time: Math.floor(seconds(book_position_ms)),
    title: note === '' ? 'Bookmark' : note,
    createdAt: momentMs(created_at),
  };
}

export function playlistView(ids: ClientIds, playlist: Playlist, library: string, books: readonly WholeBook[]) {
  const common = {
    id: ids.toClient(playlist.id),
    libraryId: ids.toClient(library),
    name: playlist.name,
    description: null,
    lastUpdate: momentMs(playlist.updated_at),
    createdAt: momentMs(playlist.created_at),
  };
  const items = books.map((whole) => expandedItem(ids, whole));
  if (playlist.user_id === null) return { ...common, books: items };
  return {
    ...common,
    userId: ids.toClient(playlist.user_id),
    items: items.map((libraryItem) => ({ libraryItemId: libraryItem.id, episodeId: null, libraryItem })),
  };
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** A playback session; with `whole`, also the files and chapters for a player. */
export function sessionView(ids: ClientIds, session: ClientSession, book: Book, whole?: WholeBook) {
  const id = ids.toClient(book.id);
  const started = new Date(session.started_at);
  const player =
    whole === undefined
      ? {}
      : {
          audioTracks: trackViews(ids, book, whole.segments).map((track) => ({
            ...track,
            contentUrl: `/public/session/${session.id}/track/${track.index}`,
          })),
          libraryItem: expandedItem(ids, whole),
        };
  return {
    id: session.id,
    userId: ids.toClient(session.user_id),
    libraryId: ids.toClient(book.library_id ?? book.id),
    libraryItemId: id,
    bookId: id,
    episodeId: null,
    mediaType: 'book',
    mediaMetadata: expandedMetadata(ids, book),
    chapters: chapterViews(whole?.chapters ?? []),
    displayTitle: book.title,
    displayAuthor: book.authors.map(({ name }) => name).join(', '),
    coverPath: book.cover_asset_id === null ? null : `/${id}/cover.jpg`,
    duration: seconds(book.duration_ms),
    playMethod: session.play_method,
    mediaPlayer: session.media_player,
    deviceInfo: { userId: ids.toClient(session.user_id), ...session.device },
    serverVersion: SERVER_VERSION,
    date: session.started_at.slice(0, 'YYYY-MM-DD'.length),
    dayOfWeek: DAYS[started.getUTCDay()] ?? DAYS[0],
    timeListening: Math.round(seconds(session.listened_ms)),
    startTime: seconds(session.start_ms),
    currentTime: seconds(session.position_ms),
    startedAt: momentMs(session.started_at),
    updatedAt: momentMs(session.updated_at),
    ...player,
  };
}
