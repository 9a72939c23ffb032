import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@holdfast/sqlite';

/** The folder of an Audiobookshelf server: its database, with the tables of version 2.36, and its metadata folder. */

/**
 * Column names and types as Audiobookshelf's ORM creates them. All tables except those in `WITHOUT_UPDATES` also have
 * both timestamps.
 */
const TABLES: Readonly<Record<string, string>> = {
  users:
    'username VARCHAR(255), email VARCHAR(255), pash VARCHAR(255), type VARCHAR(255), token VARCHAR(255), isActive TINYINT(1) DEFAULT 0, isLocked TINYINT(1) DEFAULT 0, lastSeen DATETIME, permissions JSON, bookmarks JSON, extraData JSON',
  libraries:
    'name VARCHAR(255), displayOrder INTEGER, icon VARCHAR(255), mediaType VARCHAR(255), provider VARCHAR(255), lastScan DATETIME, lastScanVersion VARCHAR(255), settings JSON, extraData JSON',
  libraryFolders: 'path VARCHAR(255), libraryId UUID REFERENCES libraries (id) ON DELETE CASCADE ON UPDATE CASCADE',
  libraryItems:
    'ino VARCHAR(255), path VARCHAR(255), relPath VARCHAR(255), mediaId UUID, mediaType VARCHAR(255), isFile TINYINT(1), isMissing TINYINT(1), isInvalid TINYINT(1), mtime DATETIME(6), ctime DATETIME(6), birthtime DATETIME(6), size BIGINT, lastScan DATETIME, lastScanVersion VARCHAR(255), libraryFiles JSON, extraData JSON, title VARCHAR(255), titleIgnorePrefix VARCHAR(255), authorNamesFirstLast VARCHAR(255), authorNamesLastFirst VARCHAR(255), libraryId UUID REFERENCES libraries (id), libraryFolderId UUID REFERENCES libraryFolders (id)',
  books:
    'title VARCHAR(255), titleIgnorePrefix VARCHAR(255), subtitle VARCHAR(255), publishedYear VARCHAR(255), publishedDate VARCHAR(255), publisher VARCHAR(255), description TEXT, isbn VARCHAR(255), asin VARCHAR(255), language VARCHAR(255), explicit TINYINT(1), abridged TINYINT(1), coverPath VARCHAR(255), duration FLOAT, narrators JSON, audioFiles JSON, ebookFile JSON, chapters JSON, tags JSON, genres JSON',
  authors:
    'name VARCHAR(255), lastFirst VARCHAR(255), asin VARCHAR(255), description TEXT, imagePath VARCHAR(255), libraryId UUID REFERENCES libraries (id)',
  bookAuthors: 'bookId UUID REFERENCES books (id), authorId UUID REFERENCES authors (id)',
  series:
    'name VARCHAR(255), nameIgnorePrefix VARCHAR(255), description TEXT, libraryId UUID REFERENCES libraries (id)',
  bookSeries: 'sequence VARCHAR(255), bookId UUID REFERENCES books (id), seriesId UUID REFERENCES series (id)',
  collections: 'name VARCHAR(255), description TEXT, libraryId UUID REFERENCES libraries (id)',
  collectionBooks: '"order" INTEGER, bookId UUID REFERENCES books (id), collectionId UUID REFERENCES collections (id)',
  playlists:
    'name VARCHAR(255), description TEXT, libraryId UUID REFERENCES libraries (id), userId UUID REFERENCES users (id)',
  playlistMediaItems:
    'mediaItemId UUID, mediaItemType VARCHAR(255), "order" INTEGER, playlistId UUID REFERENCES playlists (id)',
  mediaProgresses:
    'mediaItemId UUID, mediaItemType VARCHAR(255), duration FLOAT, currentTime FLOAT, isFinished TINYINT(1), hideFromContinueListening TINYINT(1), ebookLocation VARCHAR(255), ebookProgress FLOAT, finishedAt DATETIME, extraData JSON, podcastId UUID, userId UUID REFERENCES users (id)',
  devices:
    'deviceId VARCHAR(255), clientName VARCHAR(255), clientVersion VARCHAR(255), ipAddress VARCHAR(255), deviceName VARCHAR(255), deviceVersion VARCHAR(255), extraData JSON, userId UUID REFERENCES users (id)',
  playbackSessions:
    'mediaItemId UUID, mediaItemType VARCHAR(255), displayTitle VARCHAR(255), displayAuthor VARCHAR(255), duration FLOAT, playMethod INTEGER, mediaPlayer VARCHAR(255), startTime FLOAT, currentTime FLOAT, serverVersion VARCHAR(255), coverPath VARCHAR(255), timeListening INTEGER, mediaMetadata JSON, date VARCHAR(255), dayOfWeek VARCHAR(255), extraData JSON, userId UUID REFERENCES users (id), deviceId UUID REFERENCES devices (id), libraryId UUID REFERENCES libraries (id)',
};
const WITHOUT_UPDATES: ReadonlySet<string> = new Set([
  'bookAuthors',
  'bookSeries',
  'collectionBooks',
  'playlistMediaItems',
]);

/** Returns a UUID that ends with the number of its record. */
export const uuid = (number: number): string => `0d0d0d0d-1111-4222-8333-${String(number).padStart(12, '0')}`;

/** A time as Sequelize writes it. */
export const sqlTime = (iso: string): string => iso.replace('T', ' ').replace('Z', ' +00:00');

type Value = string | number | null | readonly unknown[] | Readonly<Record<string, unknown>>;
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

/** Creates the folder with these rows. Rows without times get a fixed time; objects are stored as JSON. */
export function audiobookshelfServer(
  dir: string,
  rows: Rows,
  covers: Readonly<Record<string, Uint8Array>> = {},
): string {
  mkdirSync(join(dir, 'config'), { recursive: true });
  const database = join(dir, 'config', 'absdatabase.sqlite');
  const connection = new Connection(database);
  for (const [table, columns] of Object.entries(TABLES)) {
    const times = WITHOUT_UPDATES.has(table) ? 'createdAt DATETIME' : 'createdAt DATETIME, updatedAt DATETIME';
    connection.exec(`CREATE TABLE ${table} (id UUID PRIMARY KEY, ${columns}, ${times})`);
    for (const row of rows[table] ?? []) {
      const time = sqlTime('2025-01-01T00:00:00.000Z');
      const updated = WITHOUT_UPDATES.has(table) ? {} : { updatedAt: time };
      const values = Object.entries({ createdAt: time, ...updated, ...row });
      connection.run(
        `INSERT INTO ${table} (${values.map(([name]) => `"${name}"`).join(', ')}) VALUES (${values.map(() => '?').join(', ')})`,
        ...values.map(([, value]) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)),
      );
    }
  }
  // Audiobookshelf itself does not use a write-ahead log.
  connection.exec('PRAGMA journal_mode = DELETE');
  connection.close();
  for (const [item, bytes] of Object.entries(covers)) {
    mkdirSync(join(dir, 'metadata', 'items', item), { recursive: true });
    writeFileSync(join(dir, 'metadata', 'items', item, 'cover.png'), bytes);
  }
  return dir;
}
