import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { bookArgument, booksArgument, libraryOption } from './shared.ts';

const GROUP = 'Files';

const scan = defineCommand({
  name: 'scan',
  summary: 'Look through folders and bring the library in line with them',
  description:
    'A folder that is scanned for the first time becomes a library. Files are known by what they are, not by what ' +
    'they are called; what is unchanged is not read again. Without folders, all libraries are scanned.',
  group: GROUP,
  arguments: [
    { name: 'dir', summary: 'Folders with audiobooks', optional: true, variadic: true, complete: 'directory' },
  ],
  options: { watch: { type: 'boolean', short: 'w', summary: 'Go on whenever something changes' } },
  examples: [{ command: 'holdfast audiobooks scan ~/Audiobooks', summary: 'The first time, and every time after' }],
  load: () => import('../commands/scan.ts'),
});

const library = defineCommand({
  name: 'library',
  summary: 'The folders that are libraries, and how one stops being one',
  group: GROUP,
  commands: [
    defineCommand({
      name: 'list',
      aliases: ['ls'],
      summary: 'List the libraries',
      load: () => import('../commands/library-list.ts'),
    }),
    defineCommand({
      name: 'remove',
      summary: 'Take a library and its books off the lists; says what would go unless --yes is given',
      description:
        'No file is touched, and nothing is forgotten: scanning its folder again brings everything back, ' +
        'with the place of everybody who listened.',
      arguments: [{ name: 'library', summary: 'Its folder, name or id', complete: 'directory' }],
      options: { yes: { type: 'boolean', short: 'y', summary: 'Do it' } },
      examples: [{ command: 'holdfast audiobooks library remove ~/Audiobooks', summary: 'What would go' }],
      load: () => import('../commands/library-remove.ts'),
    }),
  ],
});

const organise = defineCommand({
  name: 'organise',
  aliases: ['organize'],
  summary: 'Move files to where a template says; shows what would happen unless --apply is given',
  group: GROUP,
  arguments: [booksArgument],
  options: {
    template: { type: 'string', summary: 'Where files go', short: 't' },
    apply: { type: 'boolean', summary: 'Do it' },
    ...libraryOption,
  },
  load: () => import('../commands/organise.ts'),
});

const merge = defineCommand({
  name: 'merge',
  summary: 'Make one m4b with chapters of all files of a book; everyone keeps their place',
  group: GROUP,
  arguments: [bookArgument],
  options: {
    bitrate: {
      type: 'integer',
      summary: 'Kilobits per second, where it has to be encoded',
      value: 'kbps',
      min: 16,
      max: 512,
    },
    force: { type: 'boolean', summary: 'Also if it is one m4b already' },
  },
  load: () => import('../commands/merge.ts'),
});

const transcode = defineCommand({
  name: 'transcode',
  summary: 'Encode every file of a book in another format',
  group: GROUP,
  arguments: [bookArgument],
  options: {
    to: { type: 'string', summary: 'Format', choices: ['m4a', 'mp3', 'opus', 'flac'], required: true },
    bitrate: { type: 'integer', summary: 'Kilobits per second', value: 'kbps', min: 16, max: 512 },
  },
  load: () => import('../commands/transcode.ts'),
});

const tag = defineCommand({
  name: 'tag',
  summary: 'Write what the library knows about books into their files',
  group: GROUP,
  arguments: [{ ...booksArgument, optional: false }],
  load: () => import('../commands/tag.ts'),
});

export const files: readonly CommandSpec[] = [scan, library, organise, merge, transcode, tag];
