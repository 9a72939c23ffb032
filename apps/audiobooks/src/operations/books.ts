import {
  choice,
  flag,
  integer,
  json,
  list,
  nullable,
  object,
  optional,
  optionalList,
  pageFields,
  pageOf,
  text,
  time,
  union,
  withDefault,
} from '@holdfast/operation';
import { BOOK_FIELDS, BOOK_ORDERS, BOOK_STATES } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookDetail, bookField, bookRow, defineOperation, ifRevision, READ, WRITE } from './fields.ts';

const word = (summary: string, label = 'name') => optional(text(summary, { min: 1, max: 500, label }));
const { NAME_AMBIGUOUS, BOOK_NOT_FOUND, RIGHTS_MISSING } = audiobookErrors;

export const bookFilters = {
  q: word('Words to find in any field, best match first; author:NAME searches only one field', 'words'),
  library: word('Only books in this library', 'id'),
  author: word('Only books by this author (id or name)'),
  series: word('Only books in this series (id or name), in series order'),
  narrator: word('Only books read by this narrator'),
  genre: word('Only books in this genre'),
  tag: word('Only books with this tag'),
  language: word('Only books in this language'),
  work: word('Only editions of this work', 'id'),
  state: optional(choice(BOOK_STATES, 'Only books in this state')),
  sort: withDefault(choice(BOOK_ORDERS, 'Order of the list'), 'title'),
  order: optional(choice(['asc', 'desc'], 'Sort direction; the orders added and recent are descending by default')),
  ...pageFields,
} as const;

export const listBooks = defineOperation({
  name: 'book.list',
  summary: 'List books, with optional filters',
  description:
    'A page can be short or empty even if more pages follow, because each request examines a limited number of books.',
  permission: READ,
  input: bookFilters,
  output: object({
    data: list(bookRow),
    next_cursor: nullable(text('Cursor of the next page; null on the last page')),
    total: nullable(integer('Number of matching books; null if not known exactly')),
  }),
  run: async () => (await import('../service/handlers/books.ts')).listBooks,
});

export const showBook = defineOperation({
  name: 'book.show',
  summary: 'Show a book with its chapters, files and other editions',
  permission: READ,
  input: { book: bookField },
  output: bookDetail,
  errors: [BOOK_NOT_FOUND, NAME_AMBIGUOUS],
  run: async () => (await import('../service/handlers/books.ts')).showBook,
});

const line = (summary: string) => optional(nullable(text(summary, { max: 100_000 })));
const lines = (summary: string, label: string) => optional(list(text(summary, { max: 2_000, label }), { max: 200 }));
const fieldNames = (summary: string) => optionalList(choice(BOOK_FIELDS, summary));

export const bookChanges = {
  book: bookField,
  title: optional(text('Title', { max: 2_000 })),
  subtitle: line('Subtitle'),
  authors: lines('Author; repeat for several', 'name'),
  narrators: lines('Narrator; repeat for several', 'name'),
  series: optional(
    list(
      union(
        [
          object({ name: text('Name'), sequence: optional(nullable(text('Position in the series'))) }),
          text('"Name" or "Name #2.5"'),
        ],
        'Series, as "Name" or "Name #2.5"',
      ),
      { max: 50 },
    ),
  ),
  year: optional(nullable(integer('Year of publication'))),
  publisher: line('Publisher'),
  language: line('Language'),
  isbn: line('ISBN'),
  asin: line('ASIN'),
  description: line('Description'),
  genres: lines('Genre; repeat for several', 'genre'),
  tags: lines('Tag; repeat for several', 'tag'),
  edition: line('Edition, for example unabridged'),
  work_id: optional(nullable(text('Work that this book is an edition of; null makes the book a separate work'))),
  lock: fieldNames('Lock this field without changing it'),
  unlock: fieldNames('Unlock this field'),
  locks: optional(list(choice(BOOK_FIELDS, 'Lock exactly these fields'))),
  keep_open: flag('Do not lock the edited fields'),
  if_revision: optional(ifRevision),
} as const;

export const editBook = defineOperation({
  name: 'book.edit',
  summary: 'Edit the metadata of a book; edited fields are locked, so that scans and imports do not change them',
  description: 'Every change is kept in the history and can be undone.',
  permission: WRITE,
  input: bookChanges,
  output: bookDetail,
  errors: [
    BOOK_NOT_FOUND,
    NAME_AMBIGUOUS,
    RIGHTS_MISSING,
    audiobookErrors.REVISION_STALE,
    audiobookErrors.FIELD_INVALID,
    audiobookErrors.WORK_NOT_FOUND,
  ],
  run: async () => (await import('../service/handlers/books.ts')).editBook,
});

export const deleteBook = defineOperation({
  name: 'book.delete',
  summary: 'Remove a book from all lists; files, progress and history stay',
  permission: WRITE,
  input: { book: bookField },
  output: bookDetail,
  errors: [BOOK_NOT_FOUND, RIGHTS_MISSING],
  absent: { mcp: 'Hides a book; reserved for people' },
  run: async () => (await import('../service/handlers/books.ts')).deleteBook,
});

export const restoreBook = defineOperation({
  name: 'book.restore',
  summary: 'Restore a deleted book',
  permission: WRITE,
  input: { book: bookField },
  output: bookDetail,
  errors: [BOOK_NOT_FOUND, RIGHTS_MISSING],
  absent: { mcp: 'Reverses delete, which MCP does not offer' },
  run: async () => (await import('../service/handlers/books.ts')).restoreBook,
});

const historyEntry = object(
  {
    id: text(),
    field: text(),
    before: json(),
    after: json(),
    source: text(),
    at: time(),
    by: text(),
  },
  { id: 'AudiobookChange' },
);

export const historyFilters = {
  book: bookField,
  field: optional(choice(BOOK_FIELDS, 'Only changes to this field')),
  ...pageFields,
} as const;

export const bookHistory = defineOperation({
  name: 'book.history',
  summary: 'List the changes to a book, newest first',
  permission: READ,
  input: historyFilters,
  output: pageOf(historyEntry),
  errors: [BOOK_NOT_FOUND, NAME_AMBIGUOUS],
  absent: { mcp: 'Used for reverting, which MCP does not offer' },
  run: async () => (await import('../service/handlers/books.ts')).bookHistory,
});

export const revertChange = defineOperation({
  name: 'book.revert',
  summary: 'Revert one change: restore the previous value of the field',
  permission: WRITE,
  input: { book: bookField, entry: text('Id of the change, from the history', { label: 'change' }) },
  output: bookDetail,
  errors: [BOOK_NOT_FOUND, RIGHTS_MISSING, audiobookErrors.HISTORY_NOT_FOUND, audiobookErrors.UNDO_CONFLICT],
  absent: { mcp: 'Needs the history, which MCP does not offer' },
  run: async () => (await import('../service/handlers/books.ts')).revertChange,
});

const group = object({ id: text(), name: text(), books: integer('Number of books that the caller can see') });

export const search = defineOperation({
  name: 'book.search',
  summary: 'Search books, authors, series and narrators at once; returns a few of each',
  permission: READ,
  input: { q: text('First letters of a word or name', { min: 1, max: 200, label: 'words' }) },
  output: object({ books: list(bookRow), authors: list(group), series: list(group), narrators: list(group) }),
  absent: { cli: "Suggestions while typing; 'search' and 'groups' list all matches" },
  run: async () => (await import('../service/handlers/books.ts')).search,
});

const row = object({
  continue: list(bookRow, { summary: 'Started books, most recent first' }),
  next_in_series: list(bookRow, { summary: 'The next book of each series in which you have finished a book' }),
  recently_added: list(bookRow),
  finished: list(bookRow),
});

export const showShelves = defineOperation({
  name: 'book.shelves',
  summary: 'Show what to listen to next: started books, next books in series, new books and finished books',
  permission: READ,
  input: {},
  output: row,
  run: async () => (await import('../service/handlers/books.ts')).showShelves,
});

export const listEbooks = defineOperation({
  name: 'ebook.list',
  summary: 'List the e-books (EPUB, PDF) in the folder of a book',
  permission: READ,
  input: { book: bookField },
  output: object({
    data: list(object({ name: text(), format: text(), size_bytes: integer(), url: text('Address of the download') })),
  }),
  errors: [BOOK_NOT_FOUND, NAME_AMBIGUOUS],
  absent: { mcp: 'Lists downloads, which MCP does not offer' },
  run: async () => (await import('../service/ebooks.ts')).listEbooks,
});
