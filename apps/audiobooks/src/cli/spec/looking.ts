import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { bookArgument, page } from './shared.ts';

const list = defineCommand({
  name: 'list',
  aliases: ['ls'],
  summary: 'List books, or what they are grouped by',
  description: 'At most one of the filters; search can combine them (author:name genre:name).',
  options: {
    author: { type: 'string', summary: 'Only books by this author', value: 'name' },
    series: { type: 'string', summary: 'Only books of this series, in its order', value: 'name' },
    narrator: { type: 'string', summary: 'Only books read by this narrator', value: 'name' },
    genre: { type: 'string', summary: 'Only books of this genre' },
    tag: { type: 'string', summary: 'Only books with this tag' },
    language: { type: 'string', summary: 'Only books in this language' },
    work: { type: 'string', summary: 'Only editions of this work', value: 'id' },
    missing: { type: 'boolean', summary: 'Only books whose files are gone' },
    deleted: { type: 'boolean', summary: 'Only books that were taken off the lists' },
    by: { type: 'string', summary: 'List groups instead', choices: ['author', 'series', 'narrator', 'genre', 'tag'] },
    sort: { type: 'string', summary: 'Order', choices: ['title', 'author', 'added'], default: 'title' },
    reverse: { type: 'boolean', summary: 'The other way round' },
    all: { type: 'boolean', summary: 'All of them instead of one page' },
    ...page,
  },
  examples: [
    { command: 'holdfast audiobooks list --author "Ursula K. Le Guin"', summary: 'All books by one author' },
    { command: 'holdfast audiobooks list --by series --json', summary: 'All series and how many books each has' },
  ],
  load: () => import('../commands/list.ts'),
});

const show = defineCommand({
  name: 'show',
  summary: 'Show a book with its files, chapters, editions and history; or a series',
  arguments: [{ ...bookArgument, optional: true }],
  options: { series: { type: 'string', summary: 'Show this series and what is missing in it', value: 'name' } },
  load: () => import('../commands/show.ts'),
});

const search = defineCommand({
  name: 'search',
  summary: 'Find books by words in any field, best match first',
  description:
    'All words have to occur; the end of a word may be missing. author:, narrator:, series:, genre: and title: look in one field.',
  arguments: [{ name: 'words', summary: 'What to look for', variadic: true }],
  options: page,
  examples: [{ command: 'holdfast audiobooks search author:herbert dune', summary: 'A word, and an author' }],
  load: () => import('../commands/search.ts'),
});

const dedupe = defineCommand({
  name: 'dedupe',
  summary: 'Find books that are there twice, and make one of two',
  description: 'With --keep and --drop, whoever listened to the one goes on with the other; files are not touched.',
  options: {
    keep: { type: 'string', summary: 'The one to keep', value: 'book' },
    drop: { type: 'string', summary: 'The one to take off the lists', value: 'book' },
  },
  load: () => import('../commands/dedupe.ts'),
});

export const looking: readonly CommandSpec[] = [list, show, search, dedupe];
