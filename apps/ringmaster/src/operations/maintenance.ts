import {
  boolean,
  flag,
  type GivenObject,
  integer,
  list,
  nullable,
  object,
  optional,
  pageOf,
  text,
  type ValueOf,
} from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, LOCAL_FILES, NOT_A_TOOL, PEOPLE_ONLY, project, READ, WRITE } from './fields.ts';

const LOCAL = { http: LOCAL_FILES, mcp: NOT_A_TOOL } as const;

const importInput = {
  content: text('Content of the file'),
  source: text('Name of the file, for reports'),
  project,
  dry_run: flag('Only report what would happen'),
  strict: flag('Import everything or nothing'),
} as const;
export type ImportInput = GivenObject<typeof importInput>;

const importReport = object({
  project: text(),
  lines: integer(),
  created: integer(),
  updated: integer(),
  unchanged: integer(),
  kept: integer('Lines that are not issues and are stored as they are'),
  skipped: integer(),
  links: integer(),
  unresolved: integer('Links to tasks that are not there'),
  resolved: integer('Links of earlier imports that were waiting'),
  problems: list(object({ line: integer(), id: nullable(text()), kind: text(), message: text() })),
  dry_run: boolean(),
});
export type ImportReport = ValueOf<typeof importReport>;

export const importBeads = defineOperation({
  name: 'beads.import',
  summary: 'Import the issues of a Beads file',
  description:
    'Nothing is lost: the export writes unknown fields back. Lines that cannot be imported unchanged are reported; with ' +
    'strict, one such line refuses the whole import.',
  permission: WRITE,
  input: importInput,
  output: importReport,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.IMPORT_REFUSED],
  absent: LOCAL,
  run: async () => (await import('../service/beads.ts')).importBeads,
});

export const exportBeads = defineOperation({
  name: 'beads.export',
  summary: 'Write a project as a Beads file',
  permission: READ,
  input: {
    project,
    path: optional(text('File; default: .ringmaster/exports/beads.jsonl', { label: 'file' })),
    simple: flag('Only id, title, status, priority and dependencies'),
  },
  output: object({ path: text(), lines: integer() }),
  errors: [ringmasterErrors.PROJECT_NOT_FOUND],
  absent: LOCAL,
  run: async () => (await import('../service/beads.ts')).exportBeads,
});

export const createBackup = defineOperation({
  name: 'backup.create',
  summary: 'Back up the database and its files, and check the copy',
  permission: WRITE,
  input: {},
  output: object({ path: text(), revision: integer(), files: integer(), deleted: list(text()) }),
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/backup.ts')).backup,
});

export const listBackups = defineOperation({
  name: 'backup.list',
  summary: 'List the backups, oldest first',
  permission: READ,
  input: {},
  output: pageOf(
    object({ path: text(), created_at: text(), revision: integer(), oldest_revision: integer(), bytes: integer() }),
  ),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/backup.ts')).listBackups),
});

export const verifyBackups = defineOperation({
  name: 'backup.verify',
  summary: 'Check all backups and their files',
  permission: READ,
  input: {},
  output: pageOf(object({ path: text(), problem: nullable(text('Null if it is sound')) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/backup.ts')).verifyBackups),
});

export const cleanUp = defineOperation({
  name: 'maintenance.cleanup',
  summary: 'Archive old tasks and delete old logs and events, as ringmaster.toml says',
  permission: WRITE,
  input: {},
  output: object({ archived: integer(), logs: integer(), events: integer(), purged: integer() }),
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/backup.ts')).cleanUp,
});

export const examine = defineOperation({
  name: 'maintenance.check',
  summary: 'Check the database, the graph, the files and the workers',
  permission: WRITE,
  input: { repair: flag('Restore missing files from the backups') },
  output: pageOf(object({ check: text(), problems: list(text()) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/doctor.ts')).examine),
});
