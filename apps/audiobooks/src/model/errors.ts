import { defineErrors } from '@holdfast/base';

export const audiobookErrors = defineErrors({
  BOOK_NOT_FOUND: {
    kind: 'not_found',
    means: 'No book has this id or title.',
    hint: "Find the id with 'holdfast audiobooks list' or 'holdfast audiobooks search'.",
  },
  NAME_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several books, authors, series or playlists have this name.',
    hint: 'Use the id of one of them.',
  },
  REVISION_STALE: {
    kind: 'conflict',
    means: 'The record has changed since it was read.',
    hint: 'Nothing was changed. Read the record again, and repeat the change if it still applies.',
  },
  USER_REQUIRED: {
    kind: 'usage',
    means: 'The command does not know which user you mean: several users have listened to books, or none has.',
    hint: "Choose one with --user ID; 'holdfast user list' shows the ids.",
  },
  PLAYBACK_SESSION_NOT_FOUND: {
    kind: 'not_found',
    means: "The Audiobookshelf client's playback session does not exist, or has ended.",
    hint: 'Start playing the book again.',
  },
  SEGMENT_NOT_FOUND: {
    kind: 'not_found',
    means: 'The book has no such file, or the file is missing on disk.',
    hint: 'Request the book again. If you moved files yourself, scan the library.',
  },
  EBOOK_NOT_FOUND: {
    kind: 'not_found',
    means: "The book's folder has no such e-book, or the user may not download it.",
    hint: "List the e-books with 'holdfast audiobooks ebook list BOOK'.",
  },
  COVER_NOT_FOUND: {
    kind: 'not_found',
    means: 'The book has no cover, or its image cannot be read.',
    hint: 'Replace the cover with a JPEG, PNG or WebP image.',
  },
  AUTHOR_NOT_FOUND: {
    kind: 'not_found',
    means: 'No author has this id or name.',
    hint: "List the authors with 'holdfast audiobooks groups author'.",
  },
  SERIES_NOT_FOUND: {
    kind: 'not_found',
    means: 'No series has this id or name.',
    hint: "List the series with 'holdfast audiobooks groups series'.",
  },
  WORK_NOT_FOUND: {
    kind: 'not_found',
    means: 'No work has this id.',
    hint: "'holdfast audiobooks show BOOK' shows the work that a book belongs to.",
  },
  LIBRARY_NOT_FOUND: {
    kind: 'not_found',
    means: 'No library has this id, name or folder.',
    hint: "Scan the folder first: 'holdfast audiobooks scan DIR'.",
  },
  LIBRARY_REQUIRED: {
    kind: 'usage',
    means: 'Several libraries exist, and none was chosen.',
    hint: "Choose one with --library; 'holdfast audiobooks library list' shows them.",
  },
  LIBRARY_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'A library folder cannot be read, or is empty although the library has books.',
    hint: 'Nothing was changed. Mount the disk and repeat the operation, or remove the library if you no longer need it.',
  },
  LIBRARY_FOLDER: {
    kind: 'conflict',
    means: 'The folder cannot be a library because it is hidden, is a home directory or contains credentials.',
    hint: 'Choose a folder that contains only audiobooks.',
  },
  LIBRARY_OVERLAPS: {
    kind: 'conflict',
    means: 'The folder cannot be a library because it contains, or is inside, another library or the data home.',
    hint: 'Choose a separate folder for each library.',
  },
  HISTORY_NOT_FOUND: {
    kind: 'not_found',
    means: "The book's history has no change with this id.",
    hint: "'holdfast audiobooks history BOOK' lists the changes with their ids.",
  },
  FEED_NOT_FOUND: {
    kind: 'not_found',
    means: 'No feed has this id or link; it may have been revoked.',
    hint: "Create a new feed on the book's page.",
  },
  FEEDS_FULL: {
    kind: 'conflict',
    means: 'The user already has the maximum number of feeds.',
    hint: 'Revoke feeds that are no longer used.',
  },
  RIGHTS_MISSING: {
    kind: 'usage',
    means: 'The user does not have the required access, or the change would affect libraries that the user cannot see.',
    hint: 'Ask an administrator for access.',
  },
  OPERATIONS_FULL: {
    kind: 'unavailable',
    means: 'The server is already running the maximum number of operations.',
    hint: 'Wait until one ends, or cancel one.',
  },
  PICTURE_INVALID: {
    kind: 'usage',
    means: 'The uploaded cover is not an image, is damaged or is too large.',
    hint: 'Upload a JPEG, PNG, WebP or GIF image of up to 16 MiB.',
  },
  PICTURES_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'Covers cannot be resized because the sharp package could not be loaded.',
    hint: 'Install Holdfast again with its optional dependencies, and restart the server.',
  },
  FIELD_UNKNOWN: {
    kind: 'usage',
    means: 'Books have no editable field with this name.',
    hint: "'holdfast audiobooks edit --help' lists the fields.",
  },
  FIELD_INVALID: {
    kind: 'usage',
    means: 'A value is not valid for its field.',
    hint: 'Nothing was changed. Correct the value, then repeat the change.',
  },
  OPERATION_NOT_FOUND: {
    kind: 'not_found',
    means: 'No operation has this id; finished operations are removed after 30 days.',
    hint: "List the operations with 'holdfast audiobooks operations list'.",
  },
  OPERATION_RUNNING: {
    kind: 'conflict',
    means: 'Another operation is running on the same book or library.',
    hint: "Wait until that operation ends, or cancel it: 'holdfast audiobooks operations cancel ID'.",
  },
  OPERATION_CANCELLED: {
    kind: 'failed',
    means: 'The operation was cancelled. Finished steps stay; unfinished steps were undone.',
    hint: 'To do the remaining steps, start the operation again.',
  },
  OPERATION_FINISHED: {
    kind: 'conflict',
    means: 'The operation has already ended, so it cannot be cancelled.',
    hint: "If the operation can be undone, 'holdfast audiobooks undo ID' undoes it.",
  },
  NOT_UNDOABLE: {
    kind: 'conflict',
    means: 'The operation cannot be undone, or was already undone.',
    hint: "Nothing was changed. 'holdfast audiobooks operations show ID' shows the operation's state.",
  },
  UNDO_CONFLICT: {
    kind: 'conflict',
    means: 'A later change affects the same data. Undoing the operation would lose the later change.',
    hint: 'Nothing was changed. Undo the later operation first.',
  },
  MERGE_STALE: {
    kind: 'conflict',
    means: "The book's files changed during the merge.",
    hint: 'The merge changed nothing. Scan the library and merge again.',
  },
  MERGE_NEEDLESS: {
    kind: 'conflict',
    means: 'The book is already a single m4b file.',
    hint: 'Nothing was changed. Use --force to create the file again, or --bitrate to make it smaller.',
  },
  BOOK_WITHOUT_FILES: {
    kind: 'conflict',
    means: 'The book currently has no files, so a position in it has no meaning.',
    hint: "Scan the library when the book's files are available again.",
  },
  BOOKMARK_NOT_FOUND: {
    kind: 'not_found',
    means: 'The user has no bookmark with this id.',
    hint: "List the bookmarks with 'holdfast audiobooks bookmark list BOOK'.",
  },
  PLAYLIST_NOT_FOUND: {
    kind: 'not_found',
    means: 'No playlist that the user can see has this id or name.',
    hint: "List the playlists with 'holdfast audiobooks playlist list'.",
  },
  PLAYLIST_SMART: {
    kind: 'conflict',
    means:
      'A smart playlist contains the books that match its query; books cannot be added, moved or removed one by one.',
    hint: 'Change the query, or use a manual playlist.',
  },
  PLAYLIST_FULL: {
    kind: 'conflict',
    means: 'The playlist has the maximum of 10,000 books.',
    hint: 'Create another playlist, or a smart one.',
  },
  PLAYLIST_ITEM_NOT_FOUND: {
    kind: 'not_found',
    means: 'The book is not on the playlist.',
    hint: "'holdfast audiobooks playlist show PLAYLIST' lists its books.",
  },
  QUERY_INVALID: {
    kind: 'usage',
    means: "A smart playlist's query is not valid, or a query was given for a manual playlist.",
    hint: 'Give a query only to smart playlists, for example {"all": [{"field": "genre", "op": "is", "value": "history"}]}',
  },
  IMPORT_INVALID: {
    kind: 'usage',
    means: 'The file cannot be imported: its format is unknown, or it is damaged.',
    hint: 'See docs/audiobooks.md for the formats.',
  },
  CHAPTERS_INVALID: {
    kind: 'usage',
    means: 'A chapter has an invalid start time.',
    hint:
      'The first chapter must start at 0. Each other chapter must start after the previous one and before the end of ' +
      'the book.',
  },
  PATTERN_INVALID: {
    kind: 'usage',
    means:
      'The pattern contains no field, an unknown or repeated field, or two fields with no text between them. A ' +
      'pattern that would change more than 2,000 books is refused too.',
    hint: 'Write a pattern such as {author} - {series} {sequence} - {title}, or choose a folder with fewer books.',
  },
  IMPORT_NEEDS_OWNER: {
    kind: 'usage',
    means: 'Users cannot be imported before Holdfast has its first user.',
    hint: "Run 'holdfast serve', open the link that it prints, and create the first user.",
  },
  ENCRYPTION_KEY_MISSING: {
    kind: 'unavailable',
    means: 'Some database fields are encrypted, but the key file is missing or belongs to another database.',
    hint: 'Restore the key file, or set HOLDFAST_AUDIOBOOKS_KEY_FILE to its path.',
  },
  ENCRYPTED_VALUE_DAMAGED: {
    kind: 'failed',
    means: 'An encrypted field cannot be decrypted: it was changed, or copied from another record.',
    hint: 'Restore the record from a backup or from the journal.',
  },
  TEMPLATE_INVALID: {
    kind: 'usage',
    means: 'The naming template has a syntax error.',
    hint: 'Write a template such as {author}/[{series}/][{sequence:2} - ]{title}[ ({year})]',
  },
  PATH_OUTSIDE: {
    kind: 'usage',
    means: 'A path leads outside the library, directly or through a link.',
    hint: 'Nothing was changed. Links in a library are not followed.',
  },
  FILE_IN_THE_WAY: {
    kind: 'conflict',
    means: 'A file already exists at the target path.',
    hint: 'Files are never overwritten. Move the other file away, or use another template.',
  },
  FILE_CHANGED: {
    kind: 'conflict',
    means: 'Another program changed a file after it was scanned, or during the operation.',
    hint:
      'Holdfast did not change this file. Changes that it already made to other files or books remain. Scan the ' +
      'library, then repeat the operation.',
  },
  LIBRARY_FULL: {
    kind: 'unavailable',
    means: "A library's disk is full, or its quota is used up.",
    hint:
      'Nothing was changed. Free some space, then repeat the operation: new files need about as much space as the ' +
      'book.',
  },
  LIBRARY_READ_ONLY: {
    kind: 'unavailable',
    means: 'A library folder, or a file in it, cannot be written.',
    hint: 'Nothing was changed. Mount the disk as writable, or grant write permission to the user that runs Holdfast.',
  },
  MOVE_UNRECOVERABLE: {
    kind: 'failed',
    means: 'After a crash, a file is at neither its old nor its new path: another program has moved it.',
    hint: 'Find the file that the message names, put it at one of the two paths, and start again.',
  },
  PROVIDER_DISABLED: {
    kind: 'conflict',
    means:
      'No enabled provider can answer the request. All providers are disabled until an administrator enables them.',
    hint: "'holdfast audiobooks provider list' shows what each provider would receive; 'provider enable NAME' enables one.",
  },
  PROVIDER_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'A provider could not be reached, did not answer in time, or refuses further requests for now.',
    hint: 'Nothing was changed. Try again later.',
  },
  PROVIDER_INVALID: {
    kind: 'failed',
    means:
      "A provider's answer was too large, did not have the documented format, or led to an address that is not " +
      'allowed.',
    hint: 'Nothing was changed. Try another provider.',
  },
  MATCH_NOT_FOUND: {
    kind: 'not_found',
    means: 'The provider no longer returns this match for the book.',
    hint: 'Search again, and apply one of the matches that the search lists.',
  },
  FFMPEG_MISSING: {
    kind: 'unavailable',
    means: 'Merging and transcoding need ffmpeg, which is not installed.',
    hint: 'Install ffmpeg, for example: apt install ffmpeg',
  },
  FFMPEG_FAILED: {
    kind: 'failed',
    means: 'ffmpeg failed to create the new file.',
    hint: "Nothing was changed. The operation's log contains ffmpeg's messages.",
  },
  ENCODED_INVALID: {
    kind: 'failed',
    means: 'The new file has the wrong length, cannot be played, or lacks chapters.',
    hint: 'Nothing was changed. Holdfast discarded the new file; the message says what is wrong with it.',
  },
  TAGS_UNWRITABLE: {
    kind: 'failed',
    means: "A file's tags could not be written without changing its audio.",
    hint: 'The file is unchanged. The message gives the reason.',
  },
});
