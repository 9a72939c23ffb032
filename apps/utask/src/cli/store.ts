import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { shortId } from '../model/task.ts';
import { FORMAT_NAMES } from '../model/import-formats/format.ts';
import { checkIndex, purgeDeleted, rebuildIndex, showStatus } from '../operations/tasks.ts';
import { command, sharedOptions } from './command.ts';

const inherits = sharedOptions;
const group = 'Data';
const overwrite = { type: 'boolean', summary: 'Overwrite tasks that already exist but differ' } as const;

const check = command(checkIndex, {
  name: 'check',
  group,
  print: ({ tasks, tags, missing, stale, unreadable = [] }, page, { note }) => {
    page.line(`${tasks} tasks, ${tags} tags: ${missing.length} entries missing, ${stale.length} stale`);
    page.lines(missing.map(({ tag, id }) => `missing  ${shortId(id)}  ${tag}`));
    page.lines(stale.map(({ tag, id }) => `stale    ${shortId(id)}  ${tag}`));
    page.lines(unreadable.map((id) => `invalid  ${shortId(id)}`));
    if (missing.length + stale.length > 0) {
      note("'ut rebuild-index' corrects this. Missing entries affect results; stale ones do not.");
    }
  },
  exit: ({ missing, stale, unreadable = [] }) => (missing.length + stale.length + unreadable.length === 0 ? 0 : 1),
});

const rebuild = command(rebuildIndex, {
  name: 'rebuild-index',
  group,
  print: ({ tasks, tags, added, removed }, page) =>
    page.line(`${tasks} tasks, ${tags} tags: ${added} entries added, ${removed} removed`),
});

const purge = command(purgeDeleted, {
  name: 'gc',
  group,
  print: ({ tasks, tags }, page) =>
    page.line(`Permanently removed ${tasks} deleted tasks and ${tags} unused tag lists`),
});

const importCommand = defineCommand({
  name: 'import',
  group,
  summary: 'Import tasks from a file: ut JSON, Taskwarrior or todo.txt',
  description: 'Importing a file again adds only new tasks.',
  arguments: [{ name: 'file', summary: 'File to import, or - for standard input', complete: 'file' }],
  options: {
    format: { type: 'string', summary: 'File format; default: detected', choices: FORMAT_NAMES },
    overwrite,
    dryRun: { type: 'boolean', summary: 'Only show what would be imported' },
  },
  inherits,
  examples: [{ command: 'task export | ut import -', summary: 'Import from Taskwarrior' }],
  load: async () => ({ run: (await import('./transfer.ts')).importTasks }),
});

const exportCommand = defineCommand({
  name: 'export',
  group,
  summary: 'Export tasks as ut JSON, Taskwarrior or todo.txt',
  options: {
    format: { type: 'string', summary: 'Output format', choices: FORMAT_NAMES, default: 'json' },
    any: { type: 'string', summary: 'Only tasks with at least one of these tags', value: 'a,b', multiple: true },
    all: { type: 'string', summary: 'Only tasks with all of these tags', value: 'a,b', multiple: true },
  },
  inherits,
  examples: [{ command: 'ut export --format taskwarrior | task import', summary: 'Export to Taskwarrior' }],
  load: async () => ({ run: (await import('./transfer.ts')).exportTasks }),
});

const move = defineCommand({
  name: 'move',
  group,
  summary: 'Copy all tasks to a NATS server, or back to this machine',
  description: 'The source keeps its tasks. Repeat the command to continue an interrupted copy.',
  options: {
    to: { type: 'string', summary: 'nats://host:4222, or "embedded" for this machine', value: 'store', required: true },
    toProfile: { type: 'string', summary: 'Profile at the destination; default: the same profile', value: 'name' },
    overwrite,
  },
  inherits,
  examples: [{ command: 'ut move --to nats://127.0.0.1:4222', summary: 'Share the tasks on this machine' }],
  load: async () => ({ run: (await import('./transfer.ts')).copyTasks }),
});

const status = defineCommand({
  name: 'status',
  summary: showStatus.summary,
  operation: showStatus,
  inherits,
  load: async () => ({ run: (await import('./server.ts')).status }),
});

const server = defineCommand({
  name: 'server',
  group: 'Serve',
  summary: 'Manage a private NATS server on this machine',
  commands: [
    defineCommand({
      name: 'start',
      summary: 'Start the server on loopback, with its files in the data home',
      options: {
        port: { type: 'integer', summary: 'Port to listen on', default: 4222, min: 1, max: 65_535 },
        use: { type: 'boolean', summary: 'Configure ut to use this server from now on' },
      },
      load: async () => ({ run: (await import('./server.ts')).start }),
    }),
    defineCommand({
      name: 'stop',
      summary: 'Stop the server',
      load: async () => ({ run: (await import('./server.ts')).stop }),
    }),
    status,
  ],
});

const mcp = defineCommand({
  name: 'mcp',
  group: 'Serve',
  summary: 'Serve tools to an agent over the Model Context Protocol on standard input and output',
  options: {
    stdio: {
      type: 'boolean',
      summary: 'Use standard input and output; this is the default and the only transport',
      hidden: true,
    },
  },
  inherits,
  load: async () => ({ run: (await import('./server.ts')).serveMcp }),
});

export const storeCommands: readonly CommandSpec[] = [
  check,
  rebuild,
  purge,
  importCommand,
  exportCommand,
  move,
  server,
  mcp,
];
