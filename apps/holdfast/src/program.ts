import { audiobookCommands } from '@holdfast/audiobooks/cli';
import { defineCommand, defineProgram } from '@holdfast/cli';
import { codexCommands } from '@holdfast/codex/cli';
import { hubCommands } from '@holdfast/hub/cli';

const database = {
  name: 'db',
  summary: 'np, utask, codex, audiobooks or accounts, or the path of a database',
  complete: () => import('./databases.ts'),
} as const;

const keys = defineCommand({
  name: 'keys',
  summary: 'Show the keys of a keyspace and what is stored under them',
  description:
    'Values that are JSON objects or lists are shown as such, other text as text, raw bytes as hexadecimal digits. ' +
    'Without --json the first 1,000 are shown unless --limit says otherwise; 0 means all.',
  arguments: [database, { name: 'prefix', summary: 'Only keys that begin with this', optional: true }],
  options: {
    limit: { type: 'integer', summary: 'How many at most; 0 for all', short: 'n', min: 0 },
    after: { type: 'string', summary: 'Go on after this key', value: 'key' },
    reverse: { type: 'boolean', summary: 'From the last to the first' },
  },
  examples: [
    { command: 'holdfast keys np', summary: 'Everything np has stored' },
    { command: 'holdfast keys np s/ --json', summary: 'For a program' },
  ],
  load: () => import('./commands/keys.ts'),
});

const changes = defineCommand({
  name: 'changes',
  summary: 'Show what each commit changed, and follow along',
  description: 'Without --since the last 20 commits are shown. Works on keyspaces and on databases of tables.',
  arguments: [database],
  options: {
    since: { type: 'integer', summary: 'Only commits after this revision', value: 'revision', min: 0 },
    limit: { type: 'integer', summary: 'How many commits at most', short: 'n', min: 1 },
    follow: { type: 'boolean', summary: 'Go on with every new commit, from any process', short: 'f' },
  },
  examples: [
    { command: 'holdfast changes np --follow', summary: 'Watch an agent at work' },
    { command: 'holdfast changes np --since 120 --json', summary: 'Resume where a program stopped' },
  ],
  load: () => import('./commands/changes.ts'),
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Check a database: file, journal, indexes',
  description:
    'Checks the file with SQLite, the journal against the data, and, where the schema is known, every index and log ' +
    'against the records. Exit code 1 when something is wrong and was not repaired.',
  arguments: [database],
  options: { repair: { type: 'boolean', summary: 'Correct indexes and counters' } },
  examples: [{ command: 'holdfast verify np --repair', summary: 'Also while np is in use' }],
  load: () => import('./commands/verify.ts'),
});

const backup = defineCommand({
  name: 'backup',
  summary: 'Copy a database while it is in use, and check the copy',
  description:
    'Without a target, the copy goes into the backups folder and expired copies there are deleted: all of the last day ' +
    'stay, then one per day for 30 days, and always the newest.',
  arguments: [database, { name: 'target', summary: 'File to write', optional: true, complete: 'file' }],
  options: { list: { type: 'boolean', summary: 'Show the backups in the usual place instead' } },
  examples: [
    { command: 'holdfast backup np', summary: 'Into $HOLDFAST_HOME/backups/np/' },
    { command: 'holdfast backup np --list', summary: 'What there is to restore' },
  ],
  load: () => import('./commands/backup.ts'),
});

const restore = defineCommand({
  name: 'restore',
  summary: 'Go back to an earlier state, or to a backup',
  description:
    'With --at, the database goes back to that commit or moment, as one more commit: other programs keep working, and ' +
    'the restore can itself be undone. With --from, the whole file is replaced by a backup, and the old file is kept. ' +
    'With --to, nothing is replaced and the state is written to a new file.',
  arguments: [database],
  options: {
    at: { type: 'string', summary: 'A revision, or a moment such as 2026-11-15T10:00:00Z', value: 'when' },
    from: { type: 'string', summary: 'A backup to take the state from', value: 'backup', complete: 'file' },
    to: { type: 'string', summary: 'Write to this new file instead', value: 'file', complete: 'file' },
  },
  examples: [
    { command: 'holdfast restore np --at 120', summary: 'Undo everything after revision 120' },
    { command: 'holdfast restore np --at 2026-11-15T10:00:00Z --to then.db', summary: 'Look at the past' },
    { command: 'holdfast restore np --from np-20261115T100000Z-r120.db', summary: 'After the loss of the file' },
  ],
  load: () => import('./commands/restore.ts'),
});

const doctor = defineCommand({
  name: 'doctor',
  summary: 'Look for what could be wrong with this installation',
  examples: [{ command: 'holdfast doctor --json', summary: 'For a bug report' }],
  load: () => import('./commands/doctor.ts'),
});

export const program = defineProgram({
  name: 'holdfast',
  version: '0.1.0',
  summary: 'Run the server; look into, check, back up and restore any Holdfast database',
  description: 'np, ut and ringmaster are programs of their own, beside this one.',
  commands: [...hubCommands, ...codexCommands, ...audiobookCommands, keys, changes, verify, backup, restore, doctor],
});
