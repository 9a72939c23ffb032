/** Names that the service worker and the pages share. */

/** Prefix of the cache keys of downloaded books. No page has such a path. */
export const DOWNLOADS_PATH = '/downloaded-books/';
/** Holds the files and details of downloaded books. */
export const BOOKS_CACHE = 'holdfast-books';
/** Set on answers that come from the cache because the server is unreachable. */
export const STORED_HEADER = 'x-holdfast-stored';
