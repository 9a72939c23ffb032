import { defineCommand } from '@holdfast/cli';

import { shared } from './shared.ts';

export const importCommand = defineCommand({
  name: 'import',
  summary: 'Take over the issues of a Beads file',
  description:
    'Nothing is lost: fields that are unknown here are given back by the export. Every line that could not be taken ' +
    'as it is gets reported; with --strict it is refused, and then nothing is changed at all.',
  inherits: shared,
  options: {
    fromBeads: { type: 'string', summary: 'The file', value: 'file', required: true, complete: 'file' },
    dryRun: { type: 'boolean', summary: 'Only say what would happen' },
    strict: { type: 'boolean', summary: 'All or nothing' },
  },
  examples: [{ command: 'ringmaster import --from-beads .beads/issues.jsonl --dry-run', summary: 'Look first' }],
  load: () => import('../commands/import.ts'),
});

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write the project as a Beads file',
  inherits: shared,
  options: {
    toBeads: {
      type: 'string',
      summary: 'The file; .ringmaster/exports/beads.jsonl if left out',
      value: 'file',
      complete: 'file',
    },
    simple: { type: 'boolean', summary: 'Only id, title, status, priority and deps' },
  },
  load: () => import('../commands/export.ts'),
});

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy the database and the files it refers to, and check the copy',
  inherits: shared,
  options: {
    list: { type: 'boolean', summary: 'Show the backups instead' },
    verify: { type: 'boolean', summary: 'Check all backups and their files instead' },
  },
  load: () => import('../commands/backup.ts'),
});

export const restore = defineCommand({
  name: 'restore',
  summary: 'Go back to an earlier state, files included',
  description:
    'With --at, to any commit in the window, as one more commit that can itself be undone. With --from, a backup is put ' +
    'in the place of the database, and the old file is kept. Refused while somebody works with it.',
  inherits: shared,
  options: {
    at: { type: 'string', summary: 'A revision, or a moment such as 2026-11-15T10:00:00Z', value: 'when' },
    from: { type: 'string', summary: 'A backup', value: 'file', complete: 'file' },
  },
  load: () => import('../commands/restore.ts'),
});

export const cleanup = defineCommand({
  name: 'cleanup',
  summary: 'Archive old tasks and delete old logs, as ringmaster.toml says',
  inherits: shared,
  load: () => import('../commands/cleanup.ts'),
});

export const maintain = defineCommand({
  name: 'maintain',
  summary: 'Run maintenance until stopped: reclaim lost tasks, rank, back up hourly, clean up',
  inherits: shared,
  options: { once: { type: 'boolean', summary: 'Run everything that is due once, then exit' } },
  load: () => import('../commands/maintain.ts'),
});

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check the database, the graph and the files',
  inherits: shared,
  options: { repair: { type: 'boolean', summary: 'Bring missing files back from the backups' } },
  load: () => import('../commands/doctor.ts'),
});
