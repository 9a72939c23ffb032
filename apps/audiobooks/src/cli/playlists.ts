import { defineCommand, type Page } from '@holdfast/cli';
import { audiobookErrors } from '../model/errors.ts';
import * as operations from '../operations/playlists.ts';
import { command, completeBook, completePlaylist, noteMore, userOption } from './command.ts';
import { printBooks } from './print.ts';

const complete = { playlist: completePlaylist, book: completeBook, books: completeBook, before: completeBook } as const;
const options = userOption;

/** Parses the field `query`, which is JSON text on the command line. */
function withQuery(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { query } = input;
  if (typeof query !== 'string') return input;
  try {
    return { ...input, query: JSON.parse(query) as unknown };
  } catch (error) {
    throw audiobookErrors.QUERY_INVALID('The query is not valid JSON.', { cause: error });
  }
}

function printItems({ name, items }: operations.PlacedItems, page: Page): void {
  for (const { title, position } of items) {
    page.line(`${title} ${position === null ? 'was already' : 'is now'} on the playlist ${name}.`);
  }
}

export const playlist = defineCommand({
  name: 'playlist',
  summary: 'Show and edit private and shared playlists',
  group: 'Listening',
  description:
    'The query of a smart playlist lists conditions under "all" or "any". A condition tests title, author, series, ' +
    'narrator, genre, tag, language, state, year, duration or added. "sort" and "limit" are optional; see docs/audiobooks.md.',
  commands: [
    command(operations.listPlaylists, {
      name: 'list',
      aliases: ['ls'],
      complete: { book: complete.book },
      options,
      print: ({ data, next_cursor: cursor }, page, context) => {
        if (data.length === 0) page.line('No playlists.');
        else
          page.table(data, [
            { heading: 'ID', value: ({ id }) => id },
            { heading: 'NAME', value: ({ name }) => name, flexible: true },
            { heading: 'KIND', value: ({ kind }) => kind },
            { heading: 'SHARED', value: ({ shared }) => (shared ? 'yes' : '') },
          ]);
        noteMore(context, cursor);
      },
    }),
    command(operations.showPlaylist, {
      name: 'show',
      arguments: ['playlist'],
      complete: { playlist: complete.playlist },
      options,
      print: ({ items }, page, context) => {
        printBooks(
          page,
          items.data.map(({ book }) => book),
          'No books.',
        );
        noteMore(context, items.next_cursor);
      },
    }),
    command(operations.createPlaylist, {
      name: 'create',
      arguments: ['name'],
      options,
      stdin: 'query',
      prepare: withQuery,
      examples: [
        { command: 'holdfast audiobooks playlist create "For the road"', summary: 'Create an empty playlist' },
        {
          command:
            'holdfast audiobooks playlist create History --query \'{"all":[{"field":"genre","op":"is","value":"history"}]}\'',
          summary: 'Create a smart playlist of all history books, including future ones',
        },
      ],
      print: ({ name, id }, page) => page.line(`Created ${name}: ${id}`),
    }),
    command(operations.previewQuery, {
      name: 'preview',
      arguments: ['query'],
      stdin: 'query',
      prepare: withQuery,
      print: ({ data, next_cursor: cursor }, page, context) => {
        printBooks(page, data, 'No books.');
        noteMore(context, cursor);
      },
    }),
    command(operations.editPlaylist, {
      name: 'edit',
      arguments: ['playlist'],
      complete: { playlist: complete.playlist },
      options,
      stdin: 'query',
      prepare: withQuery,
      print: ({ name }, page) => page.line(`Changed ${name}.`),
    }),
    command(operations.deletePlaylist, {
      name: 'delete',
      arguments: ['playlist'],
      complete: { playlist: complete.playlist },
      options,
      print: ({ name }, page) => page.line(`Deleted ${name}; its books stay.`),
    }),
    command(operations.addItems, {
      name: 'add',
      arguments: ['playlist', 'books'],
      complete: { playlist: complete.playlist, books: complete.books, before: complete.before },
      options,
      print: printItems,
    }),
    command(operations.moveItem, {
      name: 'move',
      arguments: ['playlist', 'book'],
      complete: { playlist: complete.playlist, book: complete.book, before: complete.before },
      options,
      print: printItems,
    }),
    command(operations.removeItems, {
      name: 'remove',
      arguments: ['playlist', 'books'],
      complete: { playlist: complete.playlist, books: complete.books },
      options,
      print: ({ name, items }, page) =>
        page.line(`Removed ${items.length} ${items.length === 1 ? 'book' : 'books'} from ${name}.`),
    }),
  ],
});
