import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { scanLibrary } from '../operations/files.ts';

const GROUP = 'Data';

/** The commands that are not derived from operations, because they stream, watch or manage the database. */
export const data: readonly CommandSpec[] = [
  {
    ...defineCommand({
      name: 'scan',
      summary: 'Scan folders for new, changed and missing audiobooks',
      description:
        'A folder that is scanned for the first time becomes a library. Unchanged files are not read again, and moved ' +
        'files are recognised. Without folders, all libraries are scanned.',
      group: 'Files',
      arguments: [
        { name: 'dir', summary: 'Folders with audiobooks', optional: true, variadic: true, complete: 'directory' },
      ],
      options: { watch: { type: 'boolean', short: 'w', summary: 'Keep running, and scan again when files change' } },
      examples: [
        {
          command: 'holdfast audiobooks scan ~/Audiobooks',
          summary: 'Scan a folder for the first time, or again after changes',
        },
      ],
      load: () => import('./scan.ts'),
    }),
    operation: scanLibrary,
  },
  defineCommand({
    name: 'export',
    summary: 'Export everything except the audio as JSON lines',
    description:
      'With --to-audiobookshelf, writes a metadata.json for each book instead, in the same folder structure as the ' +
      'library. Copy the folders into the library; Audiobookshelf reads the files at its next scan.',
    group: GROUP,
    options: {
      toAudiobookshelf: { type: 'string', summary: 'Write metadata.json files into this folder', value: 'dir' },
    },
    examples: [{ command: 'holdfast audiobooks export > library.jsonl', summary: 'Save an export to a file' }],
    load: async () => ({ run: (await import('./data-commands.ts')).runExport }),
  }),
  defineCommand({
    name: 'import',
    summary: 'Import an earlier export, or book metadata from a file',
    description:
      'Each line of a metadata file describes one book, as JSON with field names or as in an Open Library dump of ' +
      'editions. Lines for books that are not in the library are skipped. With --from-audiobookshelf, imports the ' +
      'users, libraries, books, lists and listening data from an Audiobookshelf server, and does not change that ' +
      'server.',
    group: GROUP,
    arguments: [{ name: 'file', summary: 'File, or - for standard input', complete: 'file', optional: true }],
    options: {
      overwrite: { type: 'boolean', summary: 'Replace existing values; by default, only empty fields are filled' },
      fromAudiobookshelf: {
        type: 'string',
        summary: "Folder that contains Audiobookshelf's config and metadata folders",
        value: 'dir',
      },
      folder: {
        type: 'string',
        multiple: true,
        summary: 'Map an Audiobookshelf folder to its path on this machine, such as /audiobooks=/srv/books',
        value: 'from=to',
      },
      dryRun: { type: 'boolean', summary: 'Only show what would be imported from Audiobookshelf' },
    },
    examples: [
      {
        command: 'holdfast audiobooks import --from-audiobookshelf /srv/audiobookshelf --dry-run',
        summary: 'Show what would be imported from Audiobookshelf',
      },
    ],
    load: async () => ({ run: (await import('./data-commands.ts')).runImport }),
  }),
  defineCommand({
    name: 'verify',
    summary: 'Check all indexes, totals, timelines and counters in the database',
    group: GROUP,
    options: { repair: { type: 'boolean', summary: 'Repair problems' } },
    load: async () => ({ run: (await import('./data-commands.ts')).runVerify }),
  }),
  defineCommand({
    name: 'encrypt',
    summary: 'Encrypt database fields with a key file',
    description:
      'Uses AES-256-GCM. The key file is $HOLDFAST_AUDIOBOOKS_KEY_FILE, or keys/audiobooks.key in the data home; it is ' +
      'created if it is missing. Keep a copy elsewhere: without the key file, the database cannot be opened. Earlier ' +
      'backups and recent journal entries still contain the plain text.',
    group: GROUP,
    arguments: [
      { name: 'fields', summary: 'Fields to encrypt', choices: ['description', 'notes', 'playlists'], variadic: true },
    ],
    load: async () => ({ run: (await import('./data-commands.ts')).runEncrypt }),
  }),
  defineCommand({
    name: 'mcp',
    summary: 'Serve audiobook tools to an agent over standard input and output (MCP)',
    group: GROUP,
    load: async () => ({ run: (await import('./data-commands.ts')).runMcp }),
  }),
];
