import * as f from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, LOCAL_FILES, NOT_A_TOOL, PEOPLE_ONLY, project, READ, WRITE } from './fields.ts';

const LOCAL = { http: LOCAL_FILES, mcp: NOT_A_TOOL } as const;

const importInput = {
  path: f.text('Beads file', { label: 'file' }),
  project,
  dry_run: f.flag('Only report what would change'),
  strict: f.flag('Import nothing if any line cannot be imported unchanged'),
} as const;
export type ImportInput = f.GivenObject<typeof importInput>;

const planInput = {
  path: f.text('Markdown file', { label: 'file' }),
  project,
  dry_run: importInput.dry_run,
} as const;
export type PlanInput = f.GivenObject<typeof planInput>;

const planReport = f.object({
  project: f.text(),
  entries: f.list(
    f.object({
      line: f.integer(),
      depth: f.integer('Nesting depth: number of entries that contain this entry'),
      id: f.nullable(f.text('Task id; null in a dry run if the task does not exist yet')),
      type: f.choice(['epic', 'task']),
      title: f.text(),
      change: f.choice(['created', 'completed', 'unchanged']),
      is_done: f.boolean(),
      depends_on: f.list(f.text(), { summary: 'Titles' }),
    }),
  ),
  created: f.integer(),
  completed: f.integer('Tasks of an earlier import that the plan now marks as done'),
  unchanged: f.integer(),
  links: f.integer('Dependencies that were added'),
  problems: f.list(f.object({ line: f.integer(), message: f.text() }), { summary: 'Why the plan cannot be imported' }),
  dry_run: f.boolean(),
});
export type PlanReport = f.ValueOf<typeof planReport>;

export const importPlan = defineOperation({
  name: 'plan.import',
  summary: 'Import the headings and items of a Markdown plan as epics and tasks',
  description:
    'A repeated import adds new entries and dependencies, and marks tasks as done if their checkbox is now checked. ' +
    'It changes nothing else.',
  permission: WRITE,
  input: planInput,
  output: planReport,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.FILE_UNREADABLE, ringmasterErrors.IMPORT_REFUSED],
  absent: LOCAL,
  run: async () => (await import('../service/plan-import.ts')).importPlanFile,
});

const issuesInput = {
  repository: f.text('GitHub repository: OWNER/REPO', { label: 'repository' }),
  project,
  dry_run: importInput.dry_run,
} as const;
export type IssuesInput = f.GivenObject<typeof issuesInput>;

const issuesReport = f.object({
  project: f.text(),
  created: f.integer(),
  updated: f.integer(),
  unchanged: f.integer(),
  skipped: f.integer('Issues whose task is held by a worker or was deleted'),
  dry_run: f.boolean(),
});
export type IssuesReport = f.ValueOf<typeof issuesReport>;

export const importIssues = defineOperation({
  name: 'github.import',
  summary: 'Import the issues of a GitHub repository as tasks, with gh',
  description:
    'A repeated import updates title, description and labels from GitHub, and marks tasks of closed issues as done.',
  permission: WRITE,
  input: issuesInput,
  output: issuesReport,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.GITHUB_FAILED],
  absent: { http: "Uses the operator's GitHub login", mcp: NOT_A_TOOL },
  run: async () => (await import('../service/github-import.ts')).importIssues,
});

const importReport = f.object({
  project: f.text(),
  lines: f.integer(),
  created: f.integer(),
  updated: f.integer(),
  unchanged: f.integer(),
  kept: f.integer('Lines that are not issues and are stored unchanged'),
  skipped: f.integer(),
  links: f.integer('Links that were made'),
  unresolved: f.integer(
    'Further links that cannot be made yet: the task is missing or external, or the link would close a cycle',
  ),
  resolved: f.integer('Links from earlier imports whose tasks now exist'),
  problems: f.list(f.object({ line: f.integer(), id: f.nullable(f.text()), kind: f.text(), message: f.text() })),
  note: f.nullable(f.text('Warning if the file may be outdated')),
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
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.FILE_UNREADABLE, ringmasterErrors.IMPORT_REFUSED],
  absent: LOCAL,
  run: async () => (await import('../service/beads.ts')).importBeadsFile,
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
  run: async () => (await import('../service/beads-export.ts')).exportBeads,
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
  output: f.pageOf(
    f.object({ path: f.text(), problem: f.nullable(f.text('What is wrong; null if the backup is intact')) }),
  ),
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
  summary: 'Check the database, the task graph, the files and the workers',
  permission: WRITE,
  input: { repair: f.flag('Restore damaged rows from the journal, and missing files from the backups') },
  output: f.pageOf(f.object({ check: f.text(), problems: f.list(f.text()) })),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/doctor.ts')).examine),
});
