import { counter, leases, log, record, type Schema, text } from '@holdfast/keyspace';
import {
  type ClientSession,
  clientSessionShape,
  clientSettingsShape,
  clientSignInShape,
} from '../model/audiobookshelf/records.ts';
import { type Book, bookShape, fileFactsShape, type Segment, segmentShape } from '../model/book.ts';
import { normalizeName, normalizeText } from '../model/normalize.ts';
import {
  isFinished,
  journalEntryShape,
  movedBookShape,
  type Operation,
  operationLogShape,
  operationShape,
} from '../model/operation.ts';
import { bookmarkShape, jumpsShape, playbackEventShape, type Progress, progressShape } from '../model/playback.ts';
import {
  assetShape,
  authorShape,
  chapterListShape,
  feedShape,
  historyShape,
  libraryShape,
  migrationShape,
  narratorShape,
  playlistItemShape,
  playlistShape,
  preferenceShape,
  providerSettingsShape,
  rightsShape,
  type Series,
  seriesShape,
  unitShape,
  type Work,
  workShape,
} from '../model/records.ts';
import { seriesSortKey } from '../model/series-position.ts';
import { bookTallyShape, dayTallyShape, userTallyShape } from '../model/tally.ts';
import { durationMapShape } from '../model/timeline.ts';

/**
 * The audiobooks keyspace, with the exact keys from the audiobooks design document. Users and sessions (`u:`, `ua:`,
 * `sess:`, `authz:`) are in the accounts database.
 *
 * Everything under `idx:` and `bfi:` is derived from the records. Where the design document has one index entry per
 * text, this keyspace has one per text and id, because two authors may share a name. Keys of book indexes have the sort
 * key before the id, so that reading an index returns the books in sorted order.
 */

/** Placeholder for "none" in keys; not a valid ULID. */
export const NONE = '-';

const isListed = (book: Book): boolean => book.deleted_at === null;
const isPresent = (segment: Segment): boolean => segment.missing_since === null;
const normalized = (texts: readonly string[]): readonly string[] => texts.map(normalizeText);

/**
 * Returns a variant of the position's sort key that sorts correctly when a colon follows it. Replaces the tilde, which
 * would be escaped. Replaces the hyphen, which sorts before the colon, so that a range does not come before the book
 * that it starts with.
 */
function positionKey(sequence: string | null): string {
  const key = seriesSortKey(sequence ?? undefined);
  return key === '~' ? 'z' : key.charAt(0) + key.slice(1).replace('-', '_');
}

/** An index entry whose value has no meaning. */
const entry = <const Key extends string>(key: Key) => ({ key, value: '1' }) as const;
/** An entry that only listed books have. */
const listed = <const Key extends string>(key: Key) => ({ key, value: '1', when: isListed }) as const;

export const libraries = record('lib:{id}', libraryShape, {
  indexes: { root: { key: 'idx:lib:root:{root}', value: '{id}', unique: true } },
});

export const units = record('scan:{library}:{unit}', unitShape);

export const authors = record('a:{id}', authorShape, {
  indexes: {
    name: entry('idx:author:name:{normalized_name}:{id}'),
    alias: {
      ...entry('idx:author:alias:{alias}:{id}'),
      from: { alias: ({ aliases }: { readonly aliases: readonly string[] }) => aliases.map(normalizeName) },
    },
    sort: entry('idx:author:sort:{sort_name}:{id}'),
  },
});

export const narrators = record('n:{normalized_name}', narratorShape, {
  indexes: { sort: entry('idx:narrator:sort:{sort_name}:{normalized_name}') },
});

export const series = record('s:{id}', seriesShape, {
  indexes: {
    name: entry('idx:series:name:{normalized_name}:{id}'),
    alias: { ...entry('idx:series:alias:{alias}:{id}'), from: { alias: ({ aliases }: Series) => normalized(aliases) } },
    author: entry('idx:series:author:{author_id}:{id}'),
    sort: entry('idx:series:sort:{sort_name}:{id}'),
  },
});

export const works = record('w:{id}', workShape, {
  indexes: {
    title: {
      ...entry('idx:work:title:{normalized_title}:author:{author}:{id}'),
      from: { author: ({ author_id: author }: Work) => author ?? NONE },
    },
  },
});

export const books = record('b:{id}', bookShape, {
  indexes: {
    author: {
      ...listed('idx:book:author:{author}:{sort_title}:{id}'),
      from: { author: (book: Book) => book.authors.map((author) => author.id) },
    },
    narrator: {
      ...listed('idx:book:narrator:{narrator}:{sort_title}:{id}'),
      from: { narrator: (book: Book) => book.narrators.map(normalizeName) },
    },
    series: {
      key: 'idx:book:series:{series}:{position}:{sort_title}:{id}',
      value: '1',
      when: isListed,
      each: (book: Book) =>
        book.series.map((membership) => ({
          series: membership.id,
          position: positionKey(membership.sequence),
        })),
    },
    title: listed('idx:book:title:{normalized_title}:{id}'),
    sortTitle: listed('idx:book:sort:title:{sort_title}:{id}'),
    sortAuthor: listed('idx:book:sort:author:{author_sort}:{sort_title}:{id}'),
    tag: {
      ...listed('idx:book:tag:{tag}:{sort_title}:{id}'),
      from: { tag: (book: Book) => book.tags.map((tag) => tag.toLowerCase()) },
    },
    genre: {
      ...listed('idx:book:genre:{genre}:{sort_title}:{id}'),
      from: { genre: (book: Book) => normalized(book.genres) },
    },
    library: listed('idx:book:library:{library_id}:{sort_title}:{id}'),
    sortDuration: listed('idx:book:sort:duration:{duration_ms:d15}:{id}'),
    language: listed('idx:book:language:{language}:{sort_title}:{id}'),
    isbn10: entry('idx:book:isbn10:{isbn10}:{id}'),
    isbn13: entry('idx:book:isbn13:{isbn13}:{id}'),
    asin: entry('idx:book:asin:{asin}:{id}'),
    work: entry('idx:book:work:{work_id}:{id}'),
    folder: entry('idx:book:folder:{library_id}:{folder}:{id}'),
    missing: listed('idx:book:missing:{missing_since}:{id}'),
    deleted: entry('idx:book:deleted:{deleted_at}:{id}'),
  },
});

export const segments = record('bf:{id}', segmentShape, {
  indexes: {
    order: {
      key: 'bfi:{book_id}:{order:d10}',
      value: '{id}',
      unique: true,
      when: ({ active }: Segment) => active,
    },
    book: entry('idx:bf:book:{book_id}:{id}'),
    path: { key: 'idx:bf:path:{library_id}:{file_path}', value: '{id}', unique: true, when: isPresent },
    inode: { ...entry('idx:bf:ino:{device}:{inode}:{id}'), when: isPresent },
    hash: entry('idx:bf:hash:{quick_hash}:{id}'),
    sha256: entry('idx:bf:sha256:{hash_sha256}:{id}'),
    superseded: entry('idx:bf:superseded:{superseded_by}:{id}'),
  },
});

/** Scan results that are not part of the file's segment. */
export const fileFacts = record('bft:{segment}', fileFactsShape);

export const durationMaps = record('bdm:{book_id}:{generation:d10}', durationMapShape);

export const assets = record('asset:{id}', assetShape, {
  indexes: { book: entry('idx:asset:book:{book_id}:{id}') },
});

export const chapterLists = record('chap:{id}', chapterListShape, {
  indexes: { book: entry('idx:chap:book:{book_id}:{id}') },
});

export const history = record('hist:{book_id}:{field}:{id}', historyShape, {
  indexes: {
    book: entry('idx:hist:book:{book_id}:{id}:{field}'),
    operation: entry('idx:hist:op:{operation_id}:{book_id}:{field}:{id}'),
  },
});

export const playlists = record('pl:{id}', playlistShape, {
  indexes: {
    user: entry('idx:playlist:user:{user_id}:{id}'),
    shared: {
      key: 'idx:playlist:shared:{id}',
      value: '1',
      when: ({ user_id: user }: { readonly user_id: string | null }) => user === null,
    },
  },
});
export const playlistItems = record('pli:{playlist}:{position:d10}', playlistItemShape, {
  indexes: { book: entry('idx:pli:book:{book_id}:{playlist}:{position:d10}') },
});

const isStarted = ({ started }: Progress): boolean => started;
const isFinishedProgress = ({ started, finished }: Progress): boolean => started && finished;

/** Number of events ever written for a user. New events get their sequence number from it. */
export const eventNumbers = counter('playseq:{user}');
export const playbackEvents = record('playe:{user_id}:{book_id}:{id}', playbackEventShape, {
  indexes: {
    user: entry('idx:playe:user:{user_id}:{seq:d15}:{book_id}:{id}'),
  },
});
/** Maps a client event id to its book and event, so that one read detects a repeated upload. */
export const eventIds = text('playid:{user}:{client_event_id}');
export const progress = record('playp:{user_id}:{book_id}', progressShape, {
  indexes: {
    book: entry('idx:playp:book:{book_id}:{user_id}'),
    // Sorts by minute: positions change every 15 seconds, but the entry then moves at most once a minute.
    recent: {
      key: 'idx:playp:recent:{user_id}:{minute}:{book_id}',
      value: '1',
      when: isStarted,
      from: { minute: ({ updated_at: at }: Progress) => at.slice(0, 'YYYY-MM-DDTHH:MM'.length) },
    },
    finished: { ...entry('idx:playp:finished:{user_id}:{finished_at}:{book_id}'), when: isFinishedProgress },
  },
});
export const jumps = record('playj:{user_id}:{book_id}', jumpsShape);
export const bookmarks = record('bm:{user_id}:{book_id}:{id}', bookmarkShape, {
  indexes: {
    book: entry('idx:bm:book:{book_id}:{user_id}:{id}'),
    own: entry('idx:bm:user:{user_id}:{id}:{book_id}'),
  },
});
/** Preferences of users. They are in this database because playback reports read them. */
export const preferences = record('pref:{user}:{name}', preferenceShape);

/** Private links for programs that cannot sign in; looked up by the hash of their secret. */
export const feeds = record('feed:{id}', feedShape, {
  indexes: {
    secret: { key: 'idx:feed:secret:{secret_hash}', value: '{id}', unique: true },
    user: entry('idx:feed:user:{user_id}:{id}'),
  },
});

/** A user without a record has the default rights. */
export const rights = record('rights:{user_id}', rightsShape);

export const providerSettings = record('meta:providers', providerSettingsShape);

/** Whether Audiobookshelf clients may connect, and the key that encrypts the ids they see. */
export const clientSettings = record('meta:audiobookshelf', clientSettingsShape);
export const clientSignIns = record('abst:{token_id}', clientSignInShape);
export const clientSessions = record('abss:{id}', clientSessionShape, {
  indexes: {
    user: entry('idx:abss:user:{user_id}:{started_at}:{id}'),
    open: {
      ...entry('idx:abss:open:{user_id}:{id}'),
      when: ({ closed_at: closed }: ClientSession) => closed === null,
    },
    updated: entry('idx:abss:updated:{updated_at}:{id}'),
  },
});

export const bookPlays = counter('stats:book:plays:{book}');
export const bookListenSeconds = counter('stats:book:listen_seconds:{book}');
export const userListenSeconds = counter('stats:user:listen_seconds:{user}');
export const workPlays = counter('stats:work:plays:{work}');
export const workListenSeconds = counter('stats:work:listen_seconds:{work}');

/** Totals behind the `stats:` counters, for all events and for the events that pruning may delete. */
export const userTallies = record('tally:user:{side}:{user}', userTallyShape);
export const dayTallies = record('tally:day:{side}:{user}:{date}', dayTallyShape);
export const bookTallies = record('tally:book:{side}:{user}:{book}', bookTallyShape, {
  indexes: { book: entry('idx:tally:book:{side}:{book}:{user}') },
});

/** Number of listed books in total (`all:-`), per author, per series, and so on. */
export const bookCounts = counter('meta:count:{kind}:{value}');
/** The same counts per library, for users who see only some libraries. */
export const libraryCounts = counter('meta:libcount:{library}:{kind}:{value}');

const isOpen = (operation: Operation): boolean => !isFinished(operation);

export const operations = record('op:{id}', operationShape, {
  indexes: {
    target: { key: 'idx:op:target:{target}', value: '{id}', unique: true, when: isOpen },
    open: { ...entry('idx:op:open:{id}'), when: isOpen },
    idempotency: { key: 'idx:op:key:{idempotency_key}', value: '{id}', unique: true },
    type: entry('idx:op:type:{type}:{id}'),
  },
});
export const operationLogs = log('opl:{op}:{seq:d10}', operationLogShape, {
  counter: 'opseq:{op}',
  trimmable: true,
});
/** File steps of an operation, for recovery. */
export const operationJournal = record('opj:{op}:{seq:d10}', journalEntryShape);
/** Previous paths of moved books, for undo. */
export const movedBooks = record('opu:{op}:{book}', movedBookShape);

/**
 * Stored as a counter, so that repair can set an unreadable version aside. The next start then repeats the migrations.
 */
const version = counter('meta:version');
const migrating = text('meta:version_migrating');
const migrationRecords = record('mig:{version:d10}', migrationShape);
const encryption = text('meta:encryption');

export const schema = {
  libraries,
  units,
  authors,
  narrators,
  series,
  works,
  books,
  segments,
  fileFacts,
  durationMaps,
  assets,
  chapterLists,
  history,
  playlists,
  playlistItems,
  eventNumbers,
  playbackEvents,
  eventIds,
  progress,
  jumps,
  bookmarks,
  feeds,
  rights,
  providerSettings,
  preferences,
  clientSettings,
  clientSessions,
  clientSignIns,
  bookPlays,
  bookListenSeconds,
  userListenSeconds,
  workPlays,
  workListenSeconds,
  userTallies,
  dayTallies,
  bookTallies,
  bookCounts,
  libraryCounts,
  operations,
  operationLogs,
  operationJournal,
  movedBooks,
  leases,
  version,
  migrating,
  migrationRecords,
  encryption,
} as const satisfies Schema;
