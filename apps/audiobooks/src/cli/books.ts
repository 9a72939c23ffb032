import { type CommandSpec, defineCommand, type Page, style } from '@holdfast/cli';
import * as books from '../operations/books.ts';
import type { BookDetail } from '../operations/fields.ts';
import * as groups from '../operations/groups.ts';
import { command, completeBook, noteMore, userOption } from './command.ts';
import { lengthText, printBooks, seriesText, timeText } from './print.ts';

const complete = { book: completeBook } as const;
const printBook = (book: BookDetail, page: Page): void => printBooks(page, [book], '');

const search = command(books.listBooks, {
  name: 'search',
  arguments: ['q'],
  description:
    'All words must match; a word also matches longer words that start with it. To search only one field, put ' +
    'author:, narrator:, series:, genre: or title: before a word.',
  examples: [
    { command: 'holdfast audiobooks search author:herbert dune', summary: 'Search the books of one author for a word' },
  ],
  // Restores the quotes in author:"Frank Herbert", which the shell has removed.
  prepare: (input) => ({ ...input, q: (input['q'] as readonly string[]).map(quoted).join(' ') }),
  print: ({ data, next_cursor: cursor }, page, context) => {
    printBooks(page, data, 'Nothing found.');
    noteMore(context, cursor);
  },
});

function quoted(word: string): string {
  return /^\p{L}+:.*\s/u.test(word) ? word.replace(/:(.*)$/u, ':"$1"') : word;
}

const bookCommands: readonly CommandSpec[] = [
  command(books.listBooks, {
    name: 'list',
    aliases: ['ls'],
    short: { limit: 'n' },
    examples: [
      { command: 'holdfast audiobooks list --author "Ursula K. Le Guin"', summary: 'List all books by one author' },
      { command: 'holdfast audiobooks list --sort added', summary: 'List new books first' },
    ],
    print: ({ data, next_cursor: cursor }, page, context) => {
      printBooks(page, data, "No books. Use 'holdfast audiobooks scan DIR' to find some.");
      noteMore(context, cursor);
    },
  }),
  {
    ...search,
    summary: 'Search books by words in any field',
    arguments: [{ name: 'q', summary: 'Words to find', variadic: true }],
  },
  command(books.showBook, { name: 'show', arguments: ['book'], complete, print: printDetail }),
  command(books.editBook, {
    name: 'edit',
    arguments: ['book'],
    complete,
    flags: { authors: 'author', narrators: 'narrator', genres: 'genre', tags: 'tag' },
    stdin: 'description',
    omit: ['locks'],
    examples: [
      { command: 'holdfast audiobooks edit Dune --year 1965 --series "Dune #1"', summary: 'Change two fields' },
      { command: "holdfast audiobooks edit Dune --subtitle ''", summary: 'Clear a field' },
      {
        command: 'holdfast audiobooks edit Dune --unlock year',
        summary: 'Let scans and imports change the year again',
      },
    ],
    print: printBook,
  }),
  command(books.deleteBook, {
    name: 'delete',
    arguments: ['book'],
    complete,
    print: ({ title, id }, page) =>
      page.line(`Removed ${title} from all lists; its files stay. Undo: holdfast audiobooks restore ${id}`),
  }),
  command(books.restoreBook, {
    name: 'restore',
    arguments: ['book'],
    print: ({ title }, page) => page.line(`Restored ${title}.`),
  }),
  command(books.bookHistory, {
    name: 'history',
    arguments: ['book'],
    complete,
    print: ({ data, next_cursor: cursor }, page, context) => {
      if (data.length === 0) page.line('No changes.');
      for (const { id, at, field, before, after, source } of data) {
        const change = `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)} (${source})`;
        page.line(style.dim(`${id}  ${timeText(at)}  `), change);
      }
      noteMore(context, cursor);
    },
  }),
  command(books.revertChange, { name: 'revert', arguments: ['book', 'entry'], complete, print: printBook }),
  command(books.showShelves, {
    name: 'shelves',
    options: userOption,
    print: (shelves, page) => {
      const titles = {
        continue: 'Continue',
        next_in_series: 'Next in series',
        recently_added: 'New',
        finished: 'Finished',
      };
      for (const [shelf, title] of Object.entries(titles)) {
        page.line(style.bold(title));
        printBooks(page, shelves[shelf as keyof typeof titles], '(none)');
      }
    },
  }),
  defineCommand({
    name: 'ebook',
    summary: 'List and save the e-books in the folder of a book',
    commands: [
      command(books.listEbooks, {
        name: 'list',
        aliases: ['ls'],
        arguments: ['book'],
        complete,
        print: ({ data }, page) => {
          if (data.length === 0) page.line('No e-books.');
          else
            page.table(data, [
              { heading: 'NAME', value: ({ name }) => name, flexible: true },
              { heading: 'BYTES', value: ({ size_bytes: size }) => String(size), align: 'right' },
            ]);
        },
      }),
      defineCommand({
        name: 'save',
        summary: 'Copy an e-book to a new file',
        arguments: [
          { name: 'book', summary: 'Book: id or title', complete: completeBook },
          { name: 'name', summary: "Name of the e-book, as 'ebook list' shows it" },
          { name: 'file', summary: 'New file', complete: 'file' },
        ],
        load: async () => ({ run: (await import('./data-commands.ts')).runSaveEbook }),
      }),
    ],
  }),
];

function printDetail(book: BookDetail, page: Page): void {
  page.line(style.bold(book.title), book.subtitle === null ? '' : `: ${book.subtitle}`);
  const fields: readonly (readonly [string, string])[] = [
    ['id', book.id],
    ['authors', book.authors.map(({ name }) => name).join(', ')],
    ['narrators', book.narrators.join(', ')],
    ['series', book.series.map((series) => seriesText({ series: [series] })).join('; ')],
    ['year', book.year === null ? '' : String(book.year)],
    ['publisher', book.publisher ?? ''],
    ['language', book.language ?? ''],
    ['ISBN', book.isbn13 ?? book.isbn10 ?? ''],
    ['ASIN', book.asin ?? ''],
    ['genres', book.genres.join(', ')],
    ['tags', book.tags.join(', ')],
    ['edition', book.edition ?? ''],
    ['length', `${lengthText(book.duration_ms)}, ${book.chapters.length} chapters`],
    ['locked', book.locks.join(', ')],
    ['folder', book.folder ?? ''],
    ['missing since', timeText(book.missing_since)],
    ['work', book.work_id ?? ''],
  ];
  page.fields(fields.filter(([, value]) => value !== ''));
  if (book.description !== null) page.line(book.description);
  page.line('');
  page.table(book.segments, [
    { heading: '', value: ({ index }) => String(index + 1), align: 'right' },
    { heading: 'FILE', value: ({ path, format }) => path ?? format, flexible: true },
    { heading: 'LENGTH', value: ({ duration_ms: duration }) => lengthText(duration), align: 'right' },
  ]);
  if (book.chapters.length > 1) {
    page.line('');
    page.table(book.chapters, [
      { heading: '', value: ({ index }) => String(index + 1), align: 'right' },
      { heading: 'CHAPTER', value: ({ title }) => title, flexible: true },
      { heading: 'START', value: ({ start_ms: start }) => lengthText(start), align: 'right' },
    ]);
  }
  for (const { id, title, narrators } of book.editions) {
    page.line(style.dim('edition'), ` ${id} ${title}, read by ${narrators.join(', ') || '?'}`);
  }
}

const groupCommands: readonly CommandSpec[] = [
  command(groups.listGroups, {
    name: 'groups',
    arguments: ['kind'],
    examples: [{ command: 'holdfast audiobooks groups series', summary: 'List all series with their number of books' }],
    print: ({ data, next_cursor: cursor }, page, context) => {
      page.table(data, [
        { heading: 'NAME', value: ({ name }) => name, flexible: true },
        { heading: 'BOOKS', value: ({ books: count }) => String(count), align: 'right' },
        { heading: 'ID', value: ({ id }) => id },
      ]);
      noteMore(context, cursor);
    },
  }),
  defineCommand({
    name: 'author',
    summary: 'Show, edit and merge authors',
    commands: [
      command(groups.showAuthor, { name: 'show', arguments: ['author'], print: printAuthor }),
      command(groups.editAuthor, {
        name: 'edit',
        arguments: ['author'],
        flags: { add_aliases: 'add-alias', remove_aliases: 'remove-alias' },
        print: printAuthor,
      }),
      command(groups.mergeAuthors, { name: 'merge', arguments: ['author', 'others'], print: printMerged }),
    ],
  }),
  defineCommand({
    name: 'series',
    summary: 'Show and merge series',
    commands: [
      command(groups.showSeries, {
        name: 'show',
        arguments: ['series'],
        print: ({ name, books: inOrder, gaps }, page) => {
          page.line(style.bold(name));
          page.table(inOrder, [
            { heading: '#', value: ({ sequence }) => sequence ?? '', align: 'right' },
            { heading: 'TITLE', value: ({ title }) => title, flexible: true },
            { heading: 'LENGTH', value: ({ duration_ms: duration }) => lengthText(duration), align: 'right' },
            { heading: 'ID', value: ({ id }) => id },
          ]);
          if (gaps.length > 0) page.line(style.yellow('missing'), ` ${gaps.join(', ')}`);
        },
      }),
      command(groups.mergeSeries, { name: 'merge', arguments: ['series', 'others'], print: printMerged }),
    ],
  }),
];

function printAuthor({ name, aliases }: groups.Author, page: Page): void {
  page.lines([name, ...aliases.map((alias) => `  ${alias}`)]);
}

interface Merged {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly operation_id: string;
}

function printMerged({ name, aliases, operation_id: id }: Merged, page: Page): void {
  page.line(`Merged into ${name}; aliases: ${aliases.join(', ')}. Undo: holdfast audiobooks undo ${id}`);
}

export const browsing: readonly CommandSpec[] = [...bookCommands, ...groupCommands];
