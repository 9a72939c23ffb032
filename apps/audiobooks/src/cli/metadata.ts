import { type CommandSpec, defineCommand, type Page, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';
import * as operations from '../operations/metadata.ts';
import { command, completeBook } from './command.ts';
import { fieldText, lengthText } from './print.ts';

const GROUP = 'Metadata';
const complete = { book: completeBook } as const;

function printProviders({ data }: OutputOf<typeof operations.listProviders>, page: Page): void {
  page.table(data, [
    { heading: 'PROVIDER', value: ({ name }) => name },
    { heading: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : '') },
    { heading: 'RECEIVES', value: ({ receives }) => receives, flexible: true },
    { heading: 'HOSTS', value: ({ hosts }) => hosts.join(', '), flexible: true },
  ]);
}

const provider = defineCommand({
  name: 'provider',
  summary: 'Manage the providers: services that describe books',
  group: GROUP,
  description:
    'All providers are disabled at first. A provider receives data about a book only when a user searches for this ' +
    'book.',
  commands: [
    command(operations.listProviders, { name: 'list', aliases: ['ls'], print: printProviders }),
    command(operations.enableProvider, { name: 'enable', arguments: ['provider'], print: printProviders }),
    command(operations.disableProvider, { name: 'disable', arguments: ['provider'], print: printProviders }),
    defineCommand({
      name: 'command',
      summary: 'Use a program on this machine as a provider',
      description:
        'The program receives a query as JSON on its standard input and prints books as JSON. It runs with exactly ' +
        'these arguments, without a shell. If you give no program, Holdfast stops using the previous one.',
      arguments: [{ name: 'command', summary: 'Program and its arguments', optional: true, variadic: true }],
      options: {
        host: {
          type: 'string',
          multiple: true,
          summary: 'Host from which covers may be fetched; repeat for several',
          value: 'name',
        },
      },
      examples: [
        {
          command: 'holdfast audiobooks provider command /usr/local/bin/find-book --host covers.example.org',
          summary: 'Use your own program as a source of metadata',
        },
      ],
      load: async () => ({ run: (await import('./data-commands.ts')).runProviderCommand }),
    }),
  ],
});

const match = defineCommand({
  name: 'match',
  summary: 'Search the enabled providers for a book, and copy fields from a match',
  group: GROUP,
  commands: [
    command(operations.searchMatches, {
      name: 'search',
      arguments: ['book'],
      complete,
      print: ({ matches, problems }, page, { note }) => {
        for (const { id, confidence, title, authors, changes } of matches) {
          page.line(
            style.bold(id),
            `  ${confidence} %  ${title}${authors.length === 0 ? '' : ` by ${authors.join(', ')}`}`,
          );
          for (const { field, before, after } of changes)
            page.line(
              `  ${field}: `,
              ...(field === 'cover' ? ['another picture'] : [style.dim(fieldText(before)), ' → ', fieldText(after)]),
            );
        }
        if (matches.length === 0) page.line('No matches.');
        for (const { provider: name, message } of problems) note(`${name}: ${message}`);
      },
    }),
    command(operations.applyMatch, {
      name: 'apply',
      arguments: ['book', 'match'],
      complete,
      flags: { fields: 'field' },
      examples: [
        {
          command: 'holdfast audiobooks match apply Emma open-library:OL66513W --field year --field cover',
          summary: 'Copy the year and the cover from a match',
        },
      ],
      print: ({ fields, operation_id: id }, page) =>
        page.line(`Changed ${fields.join(', ')}. Undo: holdfast audiobooks undo ${id}`),
    }),
  ],
});

/** A subcommand of `chapters`. */
export const findChapters: CommandSpec = command(operations.findChapters, {
  name: 'find',
  arguments: ['book'],
  complete,
  print: ({ data }, page) =>
    page.table(data, [
      { heading: 'START', value: ({ start_ms: start }) => lengthText(start), align: 'right' },
      { heading: 'TITLE', value: ({ title }) => title, flexible: true },
    ]),
});

export const metadata: readonly CommandSpec[] = [provider, match];
