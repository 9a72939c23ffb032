import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { page } from './shared.ts';

const GROUP = 'Data';

const ops = defineCommand({
  name: 'ops',
  summary: 'Show what was done and is being done; cancel it',
  arguments: [{ name: 'operation', summary: 'Show this one with its log', optional: true }],
  options: {
    cancel: { type: 'string', summary: 'Cancel this one', value: 'id' },
    type: {
      type: 'string',
      summary: 'Only these',
      choices: ['scan', 'organize', 'transcode', 'merge', 'tag', 'import', 'edit', 'undo'],
    },
    after: { type: 'integer', summary: 'Log lines with a higher number only', default: 0, min: 0 },
    ...page,
  },
  load: () => import('../commands/ops.ts'),
});

const undo = defineCommand({
  name: 'undo',
  summary: 'Take back an operation: files to their places, fields to their values',
  arguments: [{ name: 'operation', summary: 'Its id, from ops' }],
  load: () => import('../commands/undo.ts'),
});

const exportCommand = defineCommand({
  name: 'export',
  summary: 'Print the whole library as lines of JSON',
  group: GROUP,
  examples: [{ command: 'holdfast audiobooks export > library.jsonl', summary: 'Everything but the sound' }],
  load: () => import('../commands/export.ts'),
});

const importCommand = defineCommand({
  name: 'import',
  summary: 'Take in an export, or metadata out of a dump',
  description:
    'An export is taken in as it is. Anything else is read as metadata, one book per line: JSON with the names of the ' +
    'fields, or a dump of Open Library editions. Lines for books that are not here are passed over.',
  group: GROUP,
  arguments: [{ name: 'file', summary: 'The file, or - for standard input', complete: 'file' }],
  options: { overwrite: { type: 'boolean', summary: 'Replace values too, instead of filling empty fields only' } },
  load: () => import('../commands/import.ts'),
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Check every index, sum, timeline and count',
  group: GROUP,
  options: { repair: { type: 'boolean', summary: 'Correct what differs' } },
  load: () => import('../commands/verify.ts'),
});

const encrypt = defineCommand({
  name: 'encrypt',
  summary: 'Encrypt fields of the library; the key is in a file of its own',
  description:
    'AES-256-GCM. The key file is made if it is missing: $HOLDFAST_AUDIOBOOKS_KEY_FILE, else keys/audiobooks.key in the ' +
    'data home. Without it the library cannot be opened any more, so keep a copy elsewhere. Earlier backups and the ' +
    'journal of the last days still contain the plain text.',
  group: GROUP,
  arguments: [{ name: 'fields', summary: 'What', choices: ['description', 'notes', 'playlists'], variadic: true }],
  load: () => import('../commands/encrypt.ts'),
});

export const data: readonly CommandSpec[] = [ops, undo, exportCommand, importCommand, verify, encrypt];
