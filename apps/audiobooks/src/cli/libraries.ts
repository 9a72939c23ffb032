import { resolve } from 'node:path';
import { type CommandSpec, commandLineErrors, defineCommand, type Page } from '@holdfast/cli';
import * as clients from '../operations/clients.ts';
import * as feeds from '../operations/feeds.ts';
import * as libraries from '../operations/libraries.ts';
import * as rights from '../operations/rights.ts';
import { command, completeBook, noteMore, userOption } from './command.ts';
import { timeText } from './print.ts';

const GROUP = 'Libraries';
const complete = { library: 'directory', root: 'directory' } as const;

function printLibraries(page: Page, rows: readonly libraries.LibraryView[]): void {
  if (rows.length === 0) page.line("No libraries yet. 'holdfast audiobooks scan DIR' adds one.");
  else {
    page.table(rows, [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'NAME', value: ({ name }) => name, flexible: true },
      { heading: 'BOOKS', value: ({ books }) => String(books), align: 'right' },
      { heading: 'SCANNED', value: ({ scanned_at: at }) => (at === null ? 'never' : timeText(at)) },
      { heading: 'FOLDER', value: ({ root }) => root ?? '', flexible: true },
    ]);
  }
}

const library = defineCommand({
  name: 'library',
  summary: 'Add, rename and remove libraries',
  group: GROUP,
  commands: [
    command(libraries.listLibraries, {
      name: 'list',
      aliases: ['ls'],
      print: ({ data }, page) => printLibraries(page, data),
    }),
    command(libraries.addLibrary, {
      name: 'add',
      arguments: ['root'],
      complete: { root: complete.root },
      prepare: (input) => ({ ...input, root: resolve(String(input['root'])) }),
      print: (added, page) => printLibraries(page, [added]),
    }),
    command(libraries.renameLibrary, {
      name: 'rename',
      arguments: ['library', 'name'],
      complete: { library: complete.library },
      print: (renamed, page) => printLibraries(page, [renamed]),
    }),
    command(libraries.removeLibrary, {
      name: 'remove',
      arguments: ['library'],
      complete: { library: complete.library },
      options: { yes: { type: 'boolean', short: 'y', summary: 'Confirm the removal' } },
      prepare: (input, { options }) => {
        if (options['yes'] === true) return input;
        throw commandLineErrors.MISSING_ARGUMENT('This removes a library and its books from all lists.', {
          hint: 'Nothing was changed. Confirm with --yes; files stay, and scanning the folder restores everything.',
        });
      },
      print: ({ name, books, root }, page) => {
        page.line(`Removed ${name} with ${books} ${books === 1 ? 'book' : 'books'}. No file was changed.`);
        page.line(`Restore: holdfast audiobooks scan ${root ?? ''}`);
      },
    }),
  ],
});

function printRights(
  { user_id: user, libraries: visible, edit, download }: Omit<rights.UserRights, 'username'>,
  page: Page,
): void {
  page.fields([
    ['user', user],
    ['libraries', visible === 'all' ? 'all' : visible.join(', ')],
    ['edit', edit ? 'yes' : 'no'],
    ['download', download ? 'yes' : 'no'],
  ]);
}

const rightsCommand = defineCommand({
  name: 'rights',
  summary: 'Control which libraries users see, and whether they may edit and download',
  group: GROUP,
  commands: [
    command(rights.listRights, {
      name: 'list',
      print: ({ data, next_cursor: cursor }, page, context) => {
        page.table(data, [
          { heading: 'USER', value: ({ user_id: user }) => user },
          { heading: 'NAME', value: ({ username }) => username, flexible: true },
          { heading: 'EDIT', value: ({ edit }) => (edit ? 'yes' : '') },
          { heading: 'DOWNLOAD', value: ({ download }) => (download ? 'yes' : '') },
          {
            heading: 'LIBRARIES',
            value: ({ libraries: all }) => (all === 'all' ? all : all.join(', ')),
            flexible: true,
          },
        ]);
        noteMore(context, cursor);
      },
    }),
    command(rights.showRights, { name: 'show', arguments: ['user_id'], print: printRights }),
    command(rights.setRights, {
      name: 'set',
      arguments: ['user_id'],
      description: 'Separate several libraries with commas: --libraries ID,ID',
      prepare: ({ libraries: given, ...input }) => ({
        ...input,
        ...(typeof given === 'string' ? { libraries: given === 'all' ? given : given.split(',') } : {}),
      }),
      print: printRights,
    }),
  ],
});

const feed = defineCommand({
  name: 'feed',
  summary: 'Create and revoke private feeds for podcast and OPDS programs',
  group: GROUP,
  commands: [
    command(feeds.listFeeds, {
      name: 'list',
      options: userOption,
      print: ({ data }, page) => {
        if (data.length === 0) page.line('No feeds.');
        else
          page.table(data, [
            { heading: 'ID', value: ({ id }) => id },
            { heading: 'KIND', value: ({ kind }) => kind },
            { heading: 'BOOK', value: ({ book_id: book }) => book ?? '' },
            { heading: 'CREATED', value: ({ created_at: at }) => timeText(at) },
          ]);
      },
    }),
    command(feeds.createFeed, {
      name: 'create',
      arguments: ['kind'],
      complete: { book: completeBook },
      options: userOption,
      print: ({ url }, page) => page.line(url),
    }),
    command(feeds.revokeFeed, {
      name: 'revoke',
      arguments: ['feed'],
      options: userOption,
      print: (_output, page) => page.line('Revoked the feed.'),
    }),
  ],
});

function printClients({ enabled, path }: { readonly enabled: boolean; readonly path: string }, page: Page): void {
  page.line(
    enabled
      ? `Audiobookshelf clients can connect: enter the address of this server, followed by ${path}.`
      : "Audiobookshelf clients cannot connect. 'holdfast audiobooks clients on' enables them.",
  );
}

const clientsCommand = defineCommand({
  name: 'clients',
  summary: 'Let apps for Audiobookshelf connect to this server',
  group: GROUP,
  commands: [
    command(clients.enableClients, { name: 'on', print: printClients }),
    command(clients.disableClients, { name: 'off', print: printClients }),
    command(clients.showClients, { name: 'status', print: printClients }),
  ],
});

export const managing: readonly CommandSpec[] = [library, rightsCommand, feed, clientsCommand];
