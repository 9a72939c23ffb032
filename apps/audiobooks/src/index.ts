/**
 * Audiobooks as a library: the operations behind `holdfast audiobooks`, for other programs.
 *
 * Open it with `openAudiobooks({ path })`, and close it when done. Each read sees one consistent state. A short change
 * is one transaction; longer work is an operation, whose progress other processes can follow. Any number of processes
 * may use the same database.
 *
 * @module
 */
export { requirePictures } from './adapters/resize-image.ts';
export type { Book } from './model/book.ts';
export { audiobookErrors } from './model/errors.ts';
export type { Library } from './model/records.ts';
export type { PlaybackEvent } from './model/playback.ts';
export type { ScannedBook, ScannedFile } from './model/scanned.ts';
export { ScanSession } from './service/scan-library.ts';
export { type Audiobooks, openAudiobooks } from './service/audiobooks.ts';
export { type Listener, localListener } from './service/listener.ts';
export { recordPlayback, type Report } from './service/listening/record-playback.ts';
export { listProgress } from './service/listening/progress.ts';
export { evaluateQuery } from './service/playlists/smart.ts';
export { shelvesOf } from './service/shelves.ts';
export { catchUp } from './service/statistics/count.ts';
export { lastYear } from './service/statistics/read-statistics.ts';
export { statisticsOf } from './service/statistics/read-statistics.ts';
export { libraryAt } from './service/libraries.ts';
export { browseBooks, type BrowseRequest } from './service/queries/browse-books.ts';
export { showBook } from './service/views.ts';
export { scanLibrary } from './service/scan-library.ts';
export { libraries, schema } from './store/definitions.ts';
