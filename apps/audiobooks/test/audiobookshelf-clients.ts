import { z } from 'zod';

/**
 * Schemas of the responses that Audiobookshelf clients require, taken from the classes that decode them. The clients
 * are the official apps for Android and iOS, the official web client, Lissen, ShelfPlayer, AudioBooth, BookPlayer and
 * aioaudiobookshelf. Decoders in Swift and Kotlin reject the whole response if one field has the wrong type.
 */

const text = z.string();
const textOrNull = z.string().nullable();
const flag = z.boolean();
const whole = z.int();
const number = z.number();
/** A timestamp in whole milliseconds; a fraction breaks AudioBooth and the official iOS app. */
const moment = z.int().min(946_684_800_000);
const uuid = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u);
/** Clients get made-up paths, never paths on the server. */
const madeUpPath = z.string().regex(/^\/?[\w. -]*(?:\/[\w.-]+)?$/u);

const fileMetadata = z.object({
  filename: text,
  ext: z.string().startsWith('.'),
  path: madeUpPath,
  relPath: text,
  size: whole,
  mtimeMs: moment,
  ctimeMs: moment,
  birthtimeMs: moment,
});

const audioFile = z.object({
  index: z.int().min(1),
  ino: text,
  metadata: fileMetadata,
  duration: number,
  mimeType: z.string().startsWith('audio/'),
  codec: text,
  format: text,
  bitRate: whole,
  channels: whole,
  channelLayout: text,
  addedAt: moment,
  updatedAt: moment,
  metaTags: z.record(text, text),
  chapters: z.array(z.unknown()),
});

const track = audioFile.extend({
  startOffset: number,
  title: text,
  contentUrl: z.string().regex(/^\/(?:api\/items|public\/session)\//u),
});

const chapter = z.object({ id: whole, start: number, end: number, title: text });

const metadata = z
  .object({
    title: z.string().min(1),
    titleIgnorePrefix: text,
    subtitle: textOrNull,
    authorName: text,
    authorNameLF: text,
    narratorName: text,
    seriesName: text,
    genres: z.array(text),
    publishedYear: textOrNull,
    publishedDate: textOrNull,
    publisher: textOrNull,
    description: textOrNull,
    isbn: textOrNull,
    asin: textOrNull,
    language: textOrNull,
    explicit: flag,
    abridged: flag,
    series: z.object({ id: uuid, name: text, sequence: textOrNull }).optional(),
  })
  // The official Android app mistakes a book with one of these fields for a podcast.
  .strict();

const expandedMetadata = metadata.extend({
  authors: z.array(z.object({ id: uuid, name: text })),
  narrators: z.array(text),
  series: z.array(z.object({ id: uuid, name: text, sequence: textOrNull })),
  descriptionPlain: textOrNull,
});

const itemBase = z.object({
  id: uuid,
  ino: text,
  oldLibraryItemId: z.null(),
  libraryId: uuid,
  folderId: uuid,
  path: madeUpPath,
  relPath: text,
  isFile: flag,
  mtimeMs: moment,
  ctimeMs: moment,
  birthtimeMs: moment,
  addedAt: moment,
  updatedAt: moment,
  isMissing: flag,
  isInvalid: flag,
  mediaType: z.literal('book'),
  numFiles: whole,
  size: whole,
});

const mediaBase = z.object({
  id: uuid,
  coverPath: madeUpPath.nullable(),
  tags: z.array(text),
  numTracks: whole,
  numAudioFiles: whole,
  numChapters: whole,
  duration: number,
  size: whole,
});

const minifiedItem = itemBase.extend({
  media: mediaBase.extend({ metadata }).strict(),
  collapsedSeries: z
    .object({
      id: uuid,
      name: text,
      nameIgnorePrefix: text,
      sequence: textOrNull,
      libraryItemIds: z.array(uuid),
      numBooks: whole,
    })
    .optional(),
  progressLastUpdate: moment.optional(),
});

export const mediaProgress = z.object({
  id: text,
  userId: uuid,
  libraryItemId: uuid,
  episodeId: z.null(),
  mediaItemId: text,
  mediaItemType: z.literal('book'),
  duration: number.positive(),
  progress: number.min(0).max(1),
  currentTime: number,
  isFinished: flag,
  hideFromContinueListening: flag,
  ebookLocation: z.null(),
  ebookProgress: z.null(),
  lastUpdate: moment,
  startedAt: moment,
  finishedAt: moment.nullable(),
});

export const expandedItem = itemBase.extend({
  lastScan: moment,
  scanVersion: text,
  media: mediaBase
    .extend({
      libraryItemId: uuid,
      metadata: expandedMetadata,
      audioFiles: z.array(audioFile).min(1),
      tracks: z.array(track).min(1),
      chapters: z.array(chapter).min(1),
      ebookFile: z.null(),
    })
    .strict()
    // The official apps find the file to download by comparing these paths.
    .refine(({ tracks, audioFiles }) => {
      const paths = tracks.map((each) => each.metadata.path);
      return new Set(paths).size === paths.length && audioFiles.every((each, at) => each.metadata.path === paths[at]);
    }),
  libraryFiles: z.array(
    z.object({
      ino: text,
      metadata: fileMetadata,
      isSupplementary: flag.nullable(),
      addedAt: moment,
      updatedAt: moment,
      fileType: z.literal('audio'),
    }),
  ),
  userMediaProgress: mediaProgress.nullable().optional(),
});

export const bookmark = z.object({ libraryItemId: uuid, time: whole, title: z.string().min(1), createdAt: moment });

export const user = z.object({
  id: uuid,
  username: text,
  email: z.null(),
  type: z.literal('user'),
  token: z.string().min(1),
  mediaProgress: z.array(mediaProgress),
  seriesHideFromContinueListening: z.array(text),
  bookmarks: z.array(bookmark),
  isActive: z.literal(true),
  isLocked: z.literal(false),
  lastSeen: moment,
  createdAt: moment,
  permissions: z.object({
    download: flag,
    update: flag,
    delete: flag,
    upload: flag,
    createEreader: flag,
    accessAllLibraries: flag,
    accessAllTags: flag,
    accessExplicitContent: flag,
    selectedTagsNotAccessible: flag,
  }),
  librariesAccessible: z.array(uuid),
  itemTagsSelected: z.array(text),
  hasOpenIDLink: flag,
});

/** AudioBooth reads the expiry from the access token. */
const accessToken = z.string().refine((token) => {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
  return Number.isInteger(payload.exp);
});

/** aioaudiobookshelf fails if one of these fields is missing. */
const serverSettings = z.object({
  id: z.literal('server-settings'),
  scannerFindCovers: flag,
  scannerCoverProvider: text,
  scannerParseSubtitle: flag,
  scannerPreferMatchedMetadata: flag,
  scannerDisableWatcher: flag,
  storeCoverWithItem: flag,
  storeMetadataWithItem: flag,
  metadataFileFormat: z.enum(['json', 'abs']),
  rateLimitLoginRequests: whole,
  rateLimitLoginWindow: whole,
  backupSchedule: z.union([flag, text]),
  backupsToKeep: whole,
  maxBackupSize: number,
  loggerDailyLogsToKeep: whole,
  loggerScannerLogsToKeep: whole,
  homeBookshelfView: whole,
  bookshelfView: whole,
  sortingIgnorePrefix: flag,
  sortingPrefixes: z.array(text),
  chromecastEnabled: flag,
  dateFormat: z.enum(['MM/dd/yyyy', 'dd/MM/yyyy', 'dd.MM.yyyy', 'yyyy-MM-dd', 'MMM do, yyyy', 'MMMM do, yyyy']),
  timeFormat: z.enum(['HH:mm', 'h:mma']),
  language: text,
  logLevel: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  version: z.string().regex(/^2\.\d+\.\d+$/u),
});

export const authorized = z.object({
  user,
  userDefaultLibraryId: text,
  serverSettings,
  ereaderDevices: z.array(z.unknown()),
  Source: text,
});

export const login = authorized.extend({
  user: user.extend({ accessToken, refreshToken: z.string().min(20) }),
});

export const status = z.object({
  app: z.literal('audiobookshelf'),
  serverVersion: text,
  isInit: z.literal(true),
  language: text,
  authMethods: z.array(text).min(1),
  authFormData: z.object({}),
});

export const library = z.object({
  id: uuid,
  name: text,
  folders: z.array(z.object({ id: text, fullPath: madeUpPath, libraryId: uuid })).min(1),
  displayOrder: whole,
  icon: text,
  mediaType: z.literal('book'),
  provider: text,
  settings: z.object({ coverAspectRatio: whole, audiobooksOnly: flag, markAsFinishedTimeRemaining: whole.nullable() }),
  createdAt: moment,
  lastUpdate: moment,
});

export const libraries = z.object({ libraries: z.array(library) });

/** AudioBooth fails if one of the eight lists is missing. */
export const filterData = z.object({
  authors: z.array(z.object({ id: uuid, name: text })),
  genres: z.array(text),
  tags: z.array(text),
  series: z.array(z.object({ id: uuid, name: text })),
  narrators: z.array(text),
  languages: z.array(text),
  publishers: z.array(text),
  publishedDecades: z.array(text),
});

export const libraryWithFilters = z.object({ filterdata: filterData, issues: whole, numUserPlaylists: whole, library });

const page = z.object({ total: whole, limit: whole, page: whole });

export const itemPage = page.extend({
  results: z.array(minifiedItem),
  sortBy: text,
  sortDesc: flag,
  filterBy: text,
  mediaType: z.literal('book'),
  minified: flag,
  collapseseries: flag,
  include: text,
  offset: whole,
});

export const series = z.object({
  id: uuid,
  name: text,
  nameIgnorePrefix: text,
  description: textOrNull,
  addedAt: moment,
  updatedAt: moment,
  libraryId: uuid,
});
const seriesWithBooks = series.extend({ books: z.array(minifiedItem) });
export const seriesPage = page.extend({ results: z.array(seriesWithBooks) });

const author = z.object({
  id: uuid,
  asin: textOrNull,
  name: text,
  description: textOrNull,
  imagePath: z.null(),
  libraryId: uuid,
  addedAt: moment,
  updatedAt: moment,
  numBooks: whole,
  lastFirst: text,
});
export const authors = z.object({ authors: z.array(author) });
export const authorPage = page.extend({ results: z.array(author) });
export const authorWithItems = author.extend({ libraryItems: z.array(minifiedItem) });

export const narrators = z.object({ narrators: z.array(z.object({ id: text, name: text, numBooks: whole })) });

const shelf = { id: text, label: text, labelStringKey: z.string().startsWith('Label'), total: whole };
export const shelves = z.array(
  z.discriminatedUnion('type', [
    z.object({ ...shelf, type: z.literal('book'), entities: z.array(minifiedItem).min(1) }),
    z.object({ ...shelf, type: z.literal('series'), entities: z.array(seriesWithBooks).min(1) }),
    z.object({ ...shelf, type: z.literal('authors'), entities: z.array(author).min(1) }),
  ]),
);

const counted = z.array(z.object({ name: text, numItems: whole }));
export const searchResult = z.object({
  book: z.array(z.object({ libraryItem: minifiedItem })),
  authors: z.array(author),
  series: z.array(z.object({ series, books: z.array(minifiedItem) })),
  narrators: z.array(z.object({ name: text, numBooks: whole })),
  tags: counted,
  genres: counted,
});

export const batch = z.object({ libraryItems: z.array(expandedItem) });

/** The official Android app requires the device description that it sent. */
const listeningSession = z.object({
  id: uuid,
  userId: uuid,
  libraryId: uuid,
  libraryItemId: uuid,
  bookId: uuid,
  episodeId: z.null(),
  mediaType: z.literal('book'),
  mediaMetadata: expandedMetadata,
  chapters: z.array(chapter),
  displayTitle: text,
  displayAuthor: text,
  coverPath: textOrNull,
  duration: number,
  playMethod: whole,
  mediaPlayer: text,
  deviceInfo: z.looseObject({}),
  serverVersion: text,
  date: z.iso.date(),
  dayOfWeek: text,
  timeListening: whole,
  startTime: number,
  currentTime: number,
  startedAt: moment,
  updatedAt: moment,
});

export const playSession = listeningSession.extend({
  deviceInfo: z.looseObject({ manufacturer: text, model: text, clientVersion: text }),
  chapters: z.array(chapter).min(1),
  audioTracks: z.array(track).min(1),
  libraryItem: expandedItem,
});

/** ShelfPlayer requires all five fields. */
export const sessionPage = z.object({
  total: whole,
  numPages: whole,
  page: whole,
  itemsPerPage: whole,
  sessions: z.array(listeningSession),
});

export const localResults = z.object({
  results: z.array(z.object({ id: text, success: flag, progressSynced: flag.optional(), error: text.optional() })),
});

export const listeningStats = z.object({
  totalTime: number,
  items: z.record(text, z.object({ id: uuid, timeListening: number, mediaMetadata: z.looseObject({ title: text }) })),
  days: z.record(z.iso.date(), number),
  dayOfWeek: z.record(text, number),
  today: number,
  recentSessions: z.array(listeningSession),
});

export const itemsInProgress = z.object({ libraryItems: z.array(minifiedItem.extend({ progressLastUpdate: moment })) });

export const playlist = z.object({
  id: uuid,
  libraryId: uuid,
  userId: uuid,
  name: text,
  description: textOrNull,
  items: z.array(z.object({ libraryItemId: uuid, episodeId: z.null(), libraryItem: expandedItem })),
  lastUpdate: moment,
  createdAt: moment,
});
export const playlistPage = page.extend({ results: z.array(playlist) });

export const collection = z.object({
  id: uuid,
  libraryId: uuid,
  name: text,
  description: textOrNull,
  books: z.array(expandedItem),
  lastUpdate: moment,
  createdAt: moment,
});
export const collectionPage = page.extend({ results: z.array(collection) });
