import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { bookArgument } from './shared.ts';

const text = (summary: string) => ({ type: 'string', summary }) as const;
const texts = (summary: string) => ({ type: 'string', summary, multiple: true }) as const;

const edit = defineCommand({
  name: 'edit',
  summary: 'Change a book; what is changed is locked against scans and imports',
  description:
    'Fields: title, subtitle, authors, narrators, series, year, publisher, language, isbn, asin, description, ' +
    'genres, tags, edition. Every change is kept in the history and can be undone.',
  arguments: [bookArgument],
  options: {
    title: text('Title'),
    subtitle: text('Subtitle'),
    author: texts('Author; give it once for each'),
    narrator: texts('Narrator; give it once for each'),
    series: { type: 'string', summary: 'Series, as "Name" or "Name #2.5"', multiple: true },
    year: { type: 'integer', summary: 'Year of publication' },
    publisher: text('Publisher'),
    language: text('Language'),
    isbn: text('ISBN'),
    asin: text('ASIN'),
    description: text('Description, or - for standard input'),
    genre: texts('Genre; give it once for each'),
    tag: texts('Tag; give it once for each'),
    edition: text('Edition, for example unabridged'),
    clear: { type: 'string', summary: 'Make this field empty', value: 'field', multiple: true },
    lock: { type: 'string', summary: 'Lock this field as it is', value: 'field', multiple: true },
    unlock: { type: 'string', summary: 'Unlock this field', value: 'field', multiple: true },
    keepOpen: { type: 'boolean', summary: 'Do not lock what is changed' },
    work: { type: 'string', summary: 'Make it an edition of this work', value: 'id' },
    ifRevision: { type: 'integer', summary: 'Only if the book has still this revision', value: 'n' },
    delete: { type: 'boolean', summary: 'Take it off the lists; files stay' },
    restore: { type: 'boolean', summary: 'Put it back on the lists' },
  },
  examples: [
    { command: 'holdfast audiobooks edit Dune --year 1965 --series "Dune #1"', summary: 'Two fields' },
    { command: 'holdfast audiobooks edit Dune --unlock year', summary: 'Let scans and imports change it again' },
  ],
  load: () => import('../commands/edit.ts'),
});

const person = { name: 'author', summary: 'Id or name of an author' } as const;

const author = defineCommand({
  name: 'author',
  summary: 'Names of authors: one person under several names, and the name that is shown',
  commands: [
    defineCommand({
      name: 'merge',
      summary: 'Make one author of several; the other names lead to the one that stays',
      arguments: [
        { name: 'keep', summary: 'The one that stays' },
        { name: 'others', summary: 'The others', variadic: true },
      ],
      load: () => import('../commands/author-merge.ts'),
    }),
    defineCommand({
      name: 'rename',
      summary: 'Change the name that is shown; the one before leads to it',
      arguments: [person, { name: 'name', summary: 'The new name' }],
      load: () => import('../commands/author-rename.ts'),
    }),
    defineCommand({
      name: 'alias',
      summary: 'Names under which files know an author',
      arguments: [person],
      options: { add: texts('Add this name'), remove: texts('Remove this name') },
      load: () => import('../commands/author-alias.ts'),
    }),
  ],
});

const series = defineCommand({
  name: 'series',
  summary: 'Make one series of several',
  commands: [
    defineCommand({
      name: 'merge',
      summary: 'Make one series of several; the other names lead to the one that stays',
      arguments: [
        { name: 'keep', summary: 'The one that stays' },
        { name: 'others', summary: 'The others', variadic: true },
      ],
      load: () => import('../commands/series-merge.ts'),
    }),
  ],
});

export const changing: readonly CommandSpec[] = [edit, author, series];
