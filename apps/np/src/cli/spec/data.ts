import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { sharedOptions } from './shared.ts';

const sessions = defineCommand({
  name: 'ls',
  aliases: ['sessions'],
  summary: 'List sessions, active ones first, page by page',
  without: ['session', 'dir'],
  options: {
    state: { type: 'string', summary: 'Only these', choices: ['active', 'archived', 'all'], default: 'all' },
    limit: { type: 'integer', short: 'n', summary: 'How many at most', default: 20, min: 1, max: 1_000 },
    cursor: { type: 'string', summary: 'Where the page before ended' },
  },
  inherits: sharedOptions,
  load: () => import('../commands/sessions.ts'),
});

const log = defineCommand({
  name: 'log',
  summary: 'Show what happened, and why',
  options: {
    follow: { type: 'boolean', short: 'f', summary: 'Go on with everything that happens from now on' },
    all: { type: 'boolean', summary: 'Of all sessions' },
    after: { type: 'integer', summary: 'Only events with a higher number, the oldest first', value: 'seq', min: 0 },
    limit: { type: 'integer', short: 'n', summary: 'How many at most', default: 50, min: 1, max: 100_000 },
  },
  inherits: sharedOptions,
  load: () => import('../commands/log.ts'),
});

const GROUP = 'Data';

const exportCommand = defineCommand({
  name: 'export',
  summary: 'Print the plan and its log as one document',
  group: GROUP,
  options: { format: { type: 'string', summary: 'How', choices: ['md', 'json'], default: 'md' } },
  inherits: sharedOptions,
  load: () => import('../commands/export.ts'),
});

const importCommand = defineCommand({
  name: 'import',
  summary: 'Take in a session that was exported as JSON, for this directory',
  group: GROUP,
  without: ['session'],
  arguments: [{ name: 'file', summary: 'The export, or - for standard input', complete: 'file' }],
  options: { archived: { type: 'boolean', summary: 'Put it with the archived ones' } },
  inherits: sharedOptions,
  load: () => import('../commands/import.ts'),
});

const keys = defineCommand({
  name: 'keys',
  summary: 'Show the keys and values as they are stored; raw bytes as hexadecimal digits',
  group: GROUP,
  without: ['session', 'dir'],
  arguments: [{ name: 'prefix', summary: 'Only keys that begin with this', optional: true }],
  inherits: sharedOptions,
  load: () => import('../commands/keys.ts'),
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Check every index, count and log against the records',
  group: GROUP,
  without: ['session', 'dir'],
  options: { repair: { type: 'boolean', summary: 'Correct what differs' } },
  inherits: sharedOptions,
  load: () => import('../commands/verify.ts'),
});

export const dataCommands: readonly CommandSpec[] = [sessions, log, exportCommand, importCommand, keys, verify];
