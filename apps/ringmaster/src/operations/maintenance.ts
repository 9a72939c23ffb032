import * as f from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, LOCAL_FILES, NOT_A_TOOL, PEOPLE_ONLY, project, READ, WRITE } from './fields.ts';

const LOCAL = { http: LOCAL_FILES, mcp: NOT_A_TOOL } as const;

const importInput = {
  content: f.text('Content of the file'),
  source: f.text('Name of the file, for reports'),
  project,
  dry_run: f.flag('Only report what would change'),
  strict: f.flag('Import nothing if any line cannot be imported unchanged'),
} as const;
export type ImportInput = f.GivenObject<typeof importInput>;

const importReport = f.object({
  project: f.text(),
  lines: f.integer(),
  created: f.integer(),
  updated: f.integer(),
  unchanged: f.integer(),
  kept: f.integer('Lines that are not issues and are stored unchanged'),
  skipped: f.integer(),
  links: f.integer(),
  unresolved: f.integer('Links to tasks that do not exist'),
  resolved: f.integer('Links from earlier imports whose tasks now exist'),
  problems: f.list(f.object({ line: f.integer(), id: f.nullable(f.text()), kind: f.text(), message: f.text() })),
  dry_run: f.boolean(),
});
export type ImportReport = f.ValueOf<typeof importReport>;

export const importBeads = defineOperation({
  name: 'beads.import',
  summary: 'Import issues from a Beads file',
  description:
    'Nothing is lost: the export writes unknown fields back. Lines that cannot be imported unchanged are reported; in ' +
    'strict mode, one such line makes the whole import fail.',
  permission: WRITE,
  input: importInput,
  output: importReport,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.IMPORT_REFUSED],
  absent: LOCAL,
  run: async () => (await import('../service/beads.ts')).importBeads,
});

export const exportBeads = defineOperation({
  name: 'beads.export',
  summary: 'Export a project to a Beads file',
  permission: READ,
  input: {
    project,
    path: f.optional(f.text('File; default: .ringmaster/exports/beads.jsonl', { label: 'file' })),
    simple: f.flag('Export only id, title, status, priority and dependencies'),
  },
  output: f.object({ path: f.text(), lines: f.integer() }),
  errors: [ringmasterErrors.PROJECT_NOT_FOUND],
  absent: LOCAL,
  run: async () => (await import('../service/beads.ts')).exportBeads,
});

export const createBackup = defineOperation({
  name: 'backup.create',
  summary: 'Back up the database and its files, and check the copy',
  permission: WRITE,
  input: {},
  output: f.object({ path: f.text(), revision: f.integer(), files: f.integer(), deleted: f.list(f.text()) }),
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/backup.ts')).backup,
});

export const listBackups = defineOperation({
  name: 'backup.list',
  summary: 'List the backups, oldest first',
  permission: READ,
  input: {},
  output: f.pageOf(
    f.object({
      path: f.text(),
      created_at: f.text(),
      revision: f.integer(),
      oldest_revision: f.integer(),
      bytes: f.integer(),
    }),
  ),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/backup.ts')).listBackups),
});

export const verifyBackups = defineOperation({
  name: 'backup.verify',
  summary: 'Check all backups and their files',
  permission: READ,
  input: {},
  output: f.pageOf(f.object({ path: f.text(), problem: f.nullable(f.text('Null if the backup is intact')) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/backup.ts')).verifyBackups),
});

export const cleanUp = defineOperation({
  name: 'maintenance.cleanup',
  summary: 'Archive old tasks and delete old logs and events, according to ringmaster.toml',
  permission: WRITE,
  input: {},
  output: f.object({ archived: f.integer(), logs: f.integer(), events: f.integer(), purged: f.integer() }),
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/backup.ts')).cleanUp,
});

export const examine = defineOperation({
  name: 'maintenance.check',
  summary: 'Check the database, the graph, the files and the workers',
  permission: WRITE,
  input: { repair: f.flag('Restore missing files from the backups') },
  output: f.pageOf(f.object({ check: f.text(), problems: f.list(f.text()) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/doctor.ts')).examine),
});
