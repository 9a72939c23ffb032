import { defineErrors } from '@holdfast/base';

export const audiobookErrors = defineErrors({
  BOOK_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no book with this id, or with a title like this.',
    hint: "'holdfast audiobooks list' and 'holdfast audiobooks search' show the books with their ids.",
  },
  BOOK_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several books match what was given for one.',
    hint: 'Use the id of the one that is meant.',
  },
  BOOK_STALE: {
    kind: 'conflict',
    means: 'The book was changed since the revision that the change was made for.',
    hint: 'Nothing was changed. Read the book again and decide anew.',
  },
  SEGMENT_NOT_FOUND: {
    kind: 'not_found',
    means: 'The book has no such file, or the file is not where it was.',
    hint: 'Read the book again; if files were moved by hand, scan the library.',
  },
  COVER_NOT_FOUND: {
    kind: 'not_found',
    means: 'The book has no cover, or its picture cannot be shown.',
    hint: 'Replace it by a JPEG, PNG or WebP picture.',
  },
  AUTHOR_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no author with this id or name.',
    hint: "'holdfast audiobooks list --by author' shows them.",
  },
  SERIES_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no series with this id or name.',
    hint: "'holdfast audiobooks list --by series' shows them.",
  },
  WORK_NOT_FOUND: { kind: 'not_found', means: 'There is no work with this id.', hint: '' },
  LIBRARY_NOT_FOUND: {
    kind: 'not_found',
    means: 'No folder that was scanned has this id or path.',
    hint: "Scan it first: 'holdfast audiobooks scan DIR'.",
  },
  LIBRARY_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'The folder of a library cannot be read, or is empty although books are known to be in it.',
    hint: 'Nothing was changed. Mount its disk and repeat; a library that is no longer wanted can be removed.',
  },
  LIBRARY_FOLDER: {
    kind: 'conflict',
    means: 'The folder is hidden, a home directory, or holds credentials, and cannot be a library.',
    hint: 'Choose a folder that holds audiobooks only.',
  },
  LIBRARY_OVERLAPS: {
    kind: 'conflict',
    means:
      'A folder was to become a library that lies in another one, or has one in it, or holds the data of Holdfast.',
    hint: 'Choose a folder of its own for each library.',
  },
  HISTORY_NOT_FOUND: {
    kind: 'not_found',
    means: 'The history of the book has no such change.',
    hint: 'Read the history again.',
  },
  FEED_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no such private link; it may have been revoked.',
    hint: 'Make a new one on the page of the book.',
  },
  FEEDS_FULL: {
    kind: 'conflict',
    means: 'Somebody has as many private links as anybody may have.',
    hint: 'Revoke those that are not used any more.',
  },
  RIGHTS_MISSING: {
    kind: 'usage',
    means:
      'The caller may see this, but not change it: the right was not given, or it would change other libraries too.',
    hint: 'Whoever manages the libraries can give it, on the page of rights.',
  },
  OPERATIONS_FULL: {
    kind: 'unavailable',
    means: 'The server already carries out as many operations as it is willing to.',
    hint: 'Wait for one of them to end, or cancel it.',
  },
  PICTURE_INVALID: {
    kind: 'usage',
    means: 'What was sent as a cover is no picture, is broken, or is far too large.',
    hint: 'Send a JPEG, PNG, WebP or GIF picture of up to 16 MiB.',
  },
  PICTURES_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'Covers are made smaller by sharp, which could not be loaded: it is found through node_modules only.',
    hint: 'Run the program from where it was built, or install sharp beside it (npm install sharp), and start it again.',
  },
  FIELD_UNKNOWN: {
    kind: 'usage',
    means: 'A book has no field of this name that could be changed.',
    hint: 'The fields are listed by holdfast audiobooks edit --help.',
  },
  FIELD_INVALID: {
    kind: 'usage',
    means: 'A value does not fit its field.',
    hint: 'Nothing was changed; correct the value and repeat.',
  },
  OPERATION_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no operation with this id; old ones are removed after a while.',
    hint: "'holdfast audiobooks ops' lists them.",
  },
  OPERATION_RUNNING: {
    kind: 'conflict',
    means: 'Another operation works on the same book or library.',
    hint: "Wait for it, or cancel it: 'holdfast audiobooks ops --cancel ID'.",
  },
  OPERATION_CANCELLED: {
    kind: 'failed',
    means: 'The operation was cancelled. What it had finished stays; what it had begun was taken back.',
    hint: '',
  },
  OPERATION_FINISHED: {
    kind: 'conflict',
    means: 'An operation was to be cancelled that is finished already.',
    hint: '',
  },
  NOT_UNDOABLE: {
    kind: 'conflict',
    means: 'This operation cannot be undone, or was undone already.',
    hint: '',
  },
  UNDO_CONFLICT: {
    kind: 'conflict',
    means: 'What the operation changed was changed again since, so that undoing it would lose the later change.',
    hint: 'Nothing was changed. Undo the later operation first.',
  },
  MERGE_STALE: {
    kind: 'conflict',
    means: 'The files of the book changed while they were merged.',
    hint: 'Nothing was changed. Scan the library and merge again.',
  },
  MERGE_NEEDLESS: {
    kind: 'conflict',
    means: 'A book was to be merged that is one m4b already.',
    hint: 'Nothing was changed. To make the file anew nevertheless, use --force; to make it smaller, --bitrate.',
  },
  BOOK_WITHOUT_FILES: {
    kind: 'conflict',
    means: 'The book has no files at present, so there is no place in it.',
    hint: 'Scan the library when its files are there again.',
  },
  BOOKMARK_NOT_FOUND: { kind: 'not_found', means: 'There is no bookmark of yours with this id.', hint: '' },
  PLAYLIST_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no playlist with this id or name that you may see.',
    hint: "'holdfast audiobooks playlist' shows them.",
  },
  PLAYLIST_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several playlists have the name that was given for one.',
    hint: 'Use the id of the one that is meant.',
  },
  PLAYLIST_SMART: {
    kind: 'conflict',
    means: 'The books of a smart playlist follow from its question; they cannot be added, moved or removed one by one.',
    hint: 'Change its question, or make a playlist of the other kind.',
  },
  PLAYLIST_HAS_BOOK: { kind: 'conflict', means: 'The book is in this playlist already.', hint: '' },
  PLAYLIST_FULL: {
    kind: 'conflict',
    means: 'A playlist holds no more than 10,000 books.',
    hint: 'Make another one, or a smart one.',
  },
  PLAYLIST_ITEM_NOT_FOUND: {
    kind: 'not_found',
    means: 'The playlist has nothing at this position; it may have been moved or removed meanwhile.',
    hint: 'Read the playlist again.',
  },
  QUERY_INVALID: {
    kind: 'usage',
    means: 'A smart playlist needs a question, and another one has none.',
    hint: 'For example {"all": [{"field": "genre", "op": "is", "value": "history"}]}',
  },
  IMPORT_INVALID: {
    kind: 'usage',
    means: 'What was to be imported is not in a format that is understood, or was damaged.',
    hint: 'See docs/audiobooks.md for the formats.',
  },
  ENCRYPTION_KEY_MISSING: {
    kind: 'unavailable',
    means: 'Fields of this database are encrypted, and the key file is missing or is not the right one.',
    hint: 'Put the key file back, or name it in HOLDFAST_AUDIOBOOKS_KEY_FILE.',
  },
  ENCRYPTED_VALUE_DAMAGED: {
    kind: 'failed',
    means: 'An encrypted field could not be opened: it was changed, or copied from another record.',
    hint: 'Restore the record from a backup or from the journal.',
  },
  TEMPLATE_INVALID: {
    kind: 'usage',
    means: 'A naming template is not written as templates are.',
    hint: 'For example: {author}/[{series}/][{sequence:2} - ]{title}[ ({year})]',
  },
  PATH_OUTSIDE: {
    kind: 'usage',
    means: 'A path leads out of the library, by itself or through a link.',
    hint: 'Nothing was changed. Links in a library are not followed.',
  },
  FILE_IN_THE_WAY: {
    kind: 'conflict',
    means: 'Where a file was to be put, there is another one.',
    hint: 'Nothing is ever overwritten. Move the other file away, or use another template.',
  },
  FILE_CHANGED: {
    kind: 'conflict',
    means: 'A file is not the one that was scanned, or changed while it was worked on.',
    hint: 'Nothing was changed. Scan the library and repeat.',
  },
  MOVE_UNRECOVERABLE: {
    kind: 'failed',
    means: 'After a crash a file is neither where it was nor where it was to be, so somebody else moved it.',
    hint: 'Look for the file that the message names, put it to one of the two places, and start again.',
  },
  FFMPEG_MISSING: {
    kind: 'unavailable',
    means: 'Merging and transcoding need ffmpeg, and it is not installed.',
    hint: 'Install ffmpeg, for example: apt install ffmpeg',
  },
  FFMPEG_FAILED: {
    kind: 'failed',
    means: 'ffmpeg could not make the new file.',
    hint: 'Nothing was changed. The log of the operation has what ffmpeg said.',
  },
  ENCODED_INVALID: {
    kind: 'failed',
    means: 'A new file was made, but it is not as long as it should be, cannot be played, or lacks chapters.',
    hint: 'Nothing was changed, the new file was thrown away.',
  },
  TAGS_UNWRITABLE: {
    kind: 'failed',
    means: 'The tags of a file could not be written, or writing them would have changed its sound.',
    hint: 'The file is as it was.',
  },
});
