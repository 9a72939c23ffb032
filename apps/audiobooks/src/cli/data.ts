import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { scanLibrary } from '../operations/files.ts';

const GROUP = 'Data';

/** Commands that are not derived from operations: they stream, watch or manage the database. */
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
        { command: 'holdfast audiobooks scan ~/Audiobooks', summary: 'Scan a folder, the first time or again' },
      ],
      load: () => import('./scan.ts'),
    }),
    operation: scanLibrary,
  },
  defineCommand({
    name: 'export',
    summary: 'Export everything as JSON lines, except the audio',
    group: GROUP,
    examples: [{ command: 'holdfast audiobooks export > library.jsonl', summary: 'Save an export to a file' }],
    load: async () => ({ run: (await import('./data-commands.ts')).runExport }),
  }),
  defineCommand({
    name: 'import',
    summary: 'Import an export, or book metadata from a file',
    description:
      'A metadata file has one book per line: JSON with field names, or an Open Library dump of editions. Lines for ' +
      'books that are not in the library are skipped.',
    group: GROUP,
    arguments: [{ name: 'file', summary: 'File, or - for standard input', complete: 'file' }],
    options: {
      overwrite: { type: 'boolean', summary: 'Replace existing values; by default, only empty fields are filled' },
    },
    load: async () => ({ run: (await import('./data-commands.ts')).runImport }),
  }),
  defineCommand({
    name: 'verify',
    summary: 'Check all indexes, sums, timelines and counts',
    group: GROUP,
    options: { repair: { type: 'boolean', summary: 'Repair problems' } },
    load: async () => ({ run: (await import('./data-commands.ts')).runVerify }),
  }),
  defineCommand({
    name: 'encrypt',
    summary: 'Encrypt fields of the database with a key file',
    description:
      'Uses AES-256-GCM. The key file is $HOLDFAST_AUDIOBOOKS_KEY_FILE, or keys/audiobooks.key in the data home; it is ' +
      'created if it is missing. Keep a copy elsewhere: without the key file, the database cannot be opened. Earlier ' +
      'backups and the journal of the last days still contain the plain text.',
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
