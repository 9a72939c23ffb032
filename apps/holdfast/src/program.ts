import { VERSION } from '@holdfast/base';
import { type CommandSpec, defineCommand, defineProgram, type ProgramSpec } from '@holdfast/cli';
import { hubCommands } from '@holdfast/hub/cli';

const database = {
  name: 'db',
  summary: 'Database: np, utask, codex, audiobooks, accounts, or the path of a database file',
  complete: () => import('./databases.ts'),
} as const;

const keys = defineCommand({
  name: 'keys',
  summary: 'Show the keys and values in a database',
  description:
    'Shows JSON values as JSON, other text as text, and raw bytes as hexadecimal digits. Without --json and --limit, ' +
    'shows the first 1,000 keys.',
  arguments: [database, { name: 'prefix', summary: 'Show only keys that start with this prefix', optional: true }],
  options: {
    limit: { type: 'integer', summary: 'Maximum number of keys; 0 for all', short: 'n', min: 0 },
    after: { type: 'string', summary: 'Start after this key', value: 'key' },
    reverse: { type: 'boolean', summary: 'Show the last key first' },
  },
  examples: [
    { command: 'holdfast keys np', summary: 'Show everything np has stored' },
    { command: 'holdfast keys np s/ --json', summary: 'Print the keys that start with s/, as JSON' },
  ],
  load: () => import('./commands/keys.ts'),
});

const changes = defineCommand({
  name: 'changes',
  summary: 'Show the changes in each commit; with --follow, also in future commits',
  description: 'Without --since, shows the last 20 commits.',
  arguments: [database],
  options: {
    since: { type: 'integer', summary: 'Show only commits after this revision', value: 'revision', min: 0 },
    limit: { type: 'integer', summary: 'Maximum number of commits', short: 'n', min: 1 },
    follow: { type: 'boolean', summary: 'Also show new commits by all processes as they happen', short: 'f' },
  },
  examples: [
    { command: 'holdfast changes np --follow', summary: 'Watch what an agent changes' },
    { command: 'holdfast changes np --since 120 --json', summary: 'Continue after revision 120' },
  ],
  load: () => import('./commands/changes.ts'),
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Check the file, journal and indexes of a database',
  description:
    'Checks the file with SQLite, and compares the journal with the data. If the schema is known, also compares every ' +
    'index and log with the records. Exits with 1 if problems remain.',
  arguments: [database],
  options: {
    repair: {
      type: 'boolean',
      summary:
        'Restore damaged values from the journal, or move them out of the way if that is impossible; rebuild indexes ' +
        'and counters',
    },
  },
  examples: [{ command: 'holdfast verify np --repair', summary: 'Check and repair np, even while it is in use' }],
  load: () => import('./commands/verify.ts'),
});

const backup = defineCommand({
  name: 'backup',
  summary: 'Back up a database, even while it is in use, and check the copy',
  description:
    'Without a target, writes to the backups folder and deletes expired backups there. Keeps all backups from the last ' +
    'day, one per day for 30 days, and always the newest.',
  arguments: [database, { name: 'target', summary: 'File to write the backup to', optional: true, complete: 'file' }],
  options: { list: { type: 'boolean', summary: 'List the backups in the backups folder' } },
  examples: [
    { command: 'holdfast backup np', summary: 'Write to $HOLDFAST_HOME/backups/np/' },
    { command: 'holdfast backup np --list', summary: 'List backups that can be restored' },
  ],
  load: () => import('./commands/backup.ts'),
});

const restore = defineCommand({
  name: 'restore',
  summary: 'Restore an earlier state or a backup',
  description:
    'With --at, restores the state at a revision or time as a new commit; other programs keep working, and you can ' +
    'undo the restore. With --from, replaces the file with a backup and keeps the old file. With --to, writes the ' +
    'state to a new file and replaces nothing.',
  arguments: [database],
  options: {
    at: { type: 'string', summary: 'Revision, or time such as 2026-11-15T10:00:00Z', value: 'when' },
    from: { type: 'string', summary: 'Backup to restore from', value: 'backup', complete: 'file' },
    to: { type: 'string', summary: 'New file to write to', value: 'file', complete: 'file' },
  },
  examples: [
    { command: 'holdfast restore np --at 120', summary: 'Undo everything after revision 120' },
    {
      command: 'holdfast restore np --at 2026-11-15T10:00:00Z --to then.db',
      summary: 'Write an earlier state to a file',
    },
    { command: 'holdfast restore np --from np-20261115T100000Z-r120.db', summary: 'Replace a lost or damaged file' },
  ],
  load: () => import('./commands/restore.ts'),
});

const move = defineCommand({
  name: 'move',
  summary: 'Move a database to PostgreSQL or back, while it is in use',
  description:
    'Copies keys, values, revisions and the journal, and checks the copy. Writers wait only while the last commits ' +
    'are copied. The old database keeps its data but accepts no more writes. If a move is interrupted, repeat the ' +
    'command.',
  arguments: [
    { name: 'db', summary: 'Database to move: np, audiobooks or accounts', complete: () => import('./databases.ts') },
  ],
  options: {
    to: { type: 'string', summary: 'postgres://USER@HOST/DATABASE, or sqlite for a file', value: 'where' },
    cancel: { type: 'boolean', summary: 'Undo an interrupted move' },
  },
  examples: [
    {
      command: 'holdfast move np --to postgres://holdfast@db.example.org/holdfast',
      summary: 'Move the np plans to a PostgreSQL server',
    },
    { command: 'holdfast move np --to sqlite', summary: 'Move the plans back to a file' },
  ],
  load: () => import('./commands/move.ts'),
});

const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check this installation for problems',
  examples: [{ command: 'holdfast doctor --json', summary: 'Print the result as JSON, for a bug report' }],
  load: () => import('./commands/doctor.ts'),
});

/** Applications within `holdfast`. Loaded on demand, because their commands make up most of the code. */
const applications = [
  {
    name: 'notebooks',
    aliases: ['codex'],
    summary: 'Manage notebooks: plain files with git history and a durable queue of file operations',
    group: 'Applications',
    loadCommands: async () => (await import('@holdfast/codex/cli')).codexCommands,
  },
  {
    name: 'audiobooks',
    aliases: ['ab'],
    summary: 'Organise and play audiobooks',
    group: 'Applications',
    loadCommands: async () => (await import('@holdfast/audiobooks/cli')).audiobookCommands,
  },
];

/** Returns the program, without the commands of applications that this command line does not use. */
export async function programFor(words: readonly string[]): Promise<ProgramSpec> {
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  const needsAll = ['help', '__complete', '__man'].includes(first);
  const commands: CommandSpec[] = [];
  for (const { loadCommands, ...application } of applications) {
    const isNeeded = needsAll || first === application.name || application.aliases.includes(first);
    commands.push(isNeeded ? { ...application, ...(await loadCommands()) } : application);
  }
  return defineProgram({
    name: 'holdfast',
    version: VERSION,
    summary: 'Run the server; inspect, check, back up and restore Holdfast databases',
    description: 'np, ut and ringmaster are separate commands.',
    completes: ['holdfast', 'np', 'nasin', 'ringmaster', 'ut'],
    commands: [...hubCommands, ...commands, keys, changes, verify, backup, restore, move, doctor],
  });
}
