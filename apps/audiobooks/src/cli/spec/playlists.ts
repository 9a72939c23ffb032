import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { bookArgument, booksArgument, page, user } from './shared.ts';

const playlistArgument = {
  name: 'playlist',
  summary: 'Id or name of a playlist',
  complete: () => import('../complete-playlist.ts'),
} as const;
const nameArgument = { name: 'name', summary: 'What it is called' } as const;
const before = {
  before: { type: 'string', summary: 'Before this book; at the end if left out', value: 'book' },
} as const;
const QUESTION = 'The question as JSON, or - for standard input';

const create = defineCommand({
  name: 'create',
  summary: 'Make a playlist in an order, or with a question a smart one',
  description:
    'A question has all or any of conditions on title, author, series, narrator, genre, tag, language, state, year, ' +
    'duration and added, and perhaps sort and limit; docs/audiobooks.md has all of them.',
  arguments: [nameArgument],
  options: {
    ...user,
    shared: { type: 'boolean', summary: 'For everybody' },
    query: { type: 'string', summary: QUESTION, value: 'json' },
  },
  examples: [
    { command: 'holdfast audiobooks playlist create "For the road"', summary: 'Then add books to it' },
    {
      command:
        'holdfast audiobooks playlist create History --query \'{"all":[{"field":"genre","op":"is","value":"history"}]}\'',
      summary: 'Whatever is history, now and later',
    },
  ],
  load: () => import('../commands/playlist/create.ts'),
});

const changes: readonly CommandSpec[] = [
  defineCommand({
    name: 'rename',
    summary: 'Give a playlist another name',
    arguments: [playlistArgument, nameArgument],
    options: user,
    load: () => import('../commands/playlist/rename.ts'),
  }),
  defineCommand({
    name: 'ask',
    summary: 'Change what a smart playlist asks for',
    arguments: [playlistArgument, { name: 'query', summary: QUESTION }],
    options: user,
    load: () => import('../commands/playlist/ask.ts'),
  }),
  defineCommand({
    name: 'delete',
    summary: 'Delete a playlist; its books stay',
    arguments: [playlistArgument],
    options: user,
    load: () => import('../commands/playlist/delete.ts'),
  }),
  defineCommand({
    name: 'add',
    summary: 'Put books on a playlist; those that are on it already stay where they are',
    arguments: [playlistArgument, { ...booksArgument, optional: false }],
    options: { ...user, ...before },
    load: () => import('../commands/playlist/add.ts'),
  }),
  defineCommand({
    name: 'remove',
    summary: 'Take books off a playlist',
    arguments: [playlistArgument, { ...booksArgument, optional: false }],
    options: user,
    load: () => import('../commands/playlist/remove.ts'),
  }),
  defineCommand({
    name: 'move',
    summary: 'Put a book of a playlist before another one, or at its end',
    arguments: [playlistArgument, bookArgument],
    options: { ...user, ...before },
    load: () => import('../commands/playlist/move.ts'),
  }),
];

export const playlist = defineCommand({
  name: 'playlist',
  summary: 'Playlists of somebody and of everybody, or the books of one',
  arguments: [{ ...playlistArgument, optional: true }],
  options: { ...user, ...page },
  commands: [create, ...changes],
  load: () => import('../commands/playlist/show.ts'),
});
