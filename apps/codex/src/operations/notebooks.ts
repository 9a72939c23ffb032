import { gitErrors } from '@holdfast/git';
import {
  boolean,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  operationsOf,
  optional,
  pageOf,
  text,
  time,
  type GivenObject,
  type ObjectValue,
  type ValueOf,
} from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { conflictObject, remoteObject } from './remotes.ts';
import { notebookField, notebookObject, READ, WRITE, inNotebook } from './fields.ts';

const defineOperation = operationsOf<Codex>();
const LEFT_TO_PEOPLE = 'Only people manage notebooks';

export const listNotebooks = defineOperation({
  name: 'notebook.list',
  summary: 'Show all notebooks',
  permission: READ,
  input: {},
  output: pageOf(notebookObject),
  run: async () => (await import('../service/notebooks.ts')).listNotebooks,
});

const addNotebookInput = {
  name: text('Name of the notebook', { min: 1, max: 100 }),
  path: optional(
    text('Absolute path of the folder; defaults to a folder in the data home', { min: 1, label: 'folder' }),
  ),
} as const;
export type AddNotebookInput = GivenObject<typeof addNotebookInput>;

export const addNotebook = defineOperation({
  name: 'notebook.add',
  summary: 'Add a folder as a notebook; create the folder and its git repository if they do not exist',
  permission: WRITE,
  input: addNotebookInput,
  output: notebookObject,
  errors: [
    codexErrors.NOTEBOOK_EXISTS,
    codexErrors.NOTEBOOK_FOLDER,
    codexErrors.PATH_INVALID,
    gitErrors.GIT_REPOSITORY_REFUSED,
  ],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/notebooks.ts')).addNotebook,
});

export const showNotebook = defineOperation({
  name: 'notebook.show',
  summary: 'Show one notebook',
  permission: READ,
  input: inNotebook,
  output: notebookObject,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'The tool `notebooks` lists them with all their fields' },
  run: async () => (await import('../service/notebooks.ts')).showNotebook,
});

const removeNotebookInput = {
  notebook: text('Name or id of the notebook', { min: 1, label: 'notebook' }),
} as const;
export type RemoveNotebookInput = ObjectValue<typeof removeNotebookInput>;

export const removeNotebook = defineOperation({
  name: 'notebook.remove',
  summary: 'Remove a notebook; its files and their history stay where they are',
  permission: WRITE,
  input: removeNotebookInput,
  output: notebookObject,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/notebooks.ts')).removeNotebook,
});

const pausedObject = nullable(
  object({
    reason: text('Why queued operations do not run'),
    is_manual: boolean('True if a user has paused the notebook, false while a git operation is in progress'),
  }),
);

const notebookStatusObject = object({
  pending: integer('Number of queued operations'),
  paused: pausedObject,
  problem: nullable(text()),
  git: object({
    pending: integer('Number of changes that are not committed yet'),
    problem: nullable(text('Why nothing is committed at the moment')),
    held: list(text(), {
      summary: 'Paths that the user has staged in git; Holdfast leaves them for the user to commit',
    }),
    untracked: list(object({ path: text(), reason: text() }), {
      summary: 'Up to 100 files in the notebook that are not in git, such as those in a nested repository',
    }),
    index_locked: boolean('True while another process holds the index lock, or left it behind'),
    last_commit: nullable(text()),
  }),
  remotes: list(remoteObject),
  conflicts: list(conflictObject, { summary: 'Up to 100 files that have a second version next to them' }),
  watcher: nullable(
    object({
      watching: boolean(),
      problem: nullable(text()),
      comparing: nullable(
        integer(
          'Number of files and folders that the first comparison with the index has checked so far; null if no ' +
            'comparison is running',
        ),
      ),
      importing: nullable(
        object({
          total: integer('Number of new and changed files and folders that were found'),
          done: integer('Number of these files and folders that are already indexed'),
          remaining_seconds: nullable(integer('Estimated number of seconds until all of them are indexed')),
        }),
      ),
      echoes: integer('Number of checks that found no change'),
      queued: integer(),
      drift: integer('Number of changes found only by comparing the whole folder'),
      skipped: list(object({ path: text(), reason: text() }), {
        summary: 'Up to 100 files that a notebook cannot hold, such as symbolic links',
      }),
    }),
  ),
});
export type NotebookStatus = ValueOf<typeof notebookStatusObject>;
export type WatcherStatus = NonNullable<NotebookStatus['watcher']>;

export const notebookStatus = defineOperation({
  name: 'notebook.status',
  summary: 'Show whether a notebook is saved, committed and watched, and list its problems',
  permission: READ,
  input: inNotebook,
  output: notebookStatusObject,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.GIT_UNAVAILABLE],
  absent: {
    cli: 'The command `status` shows this together with the queue',
    mcp: 'An agent sees problems in the answers to its own operations',
  },
  run: async () => (await import('../service/notebooks.ts')).notebookStatus,
});

const count = integer(undefined, { min: 0 });

const queueStatusObject = object({
  pending: count,
  processing: count,
  failed_24h: count,
  completed_24h: count,
  dead: count,
  waiting_for_retry: count,
  oldest_pending_seconds: number(),
  latency_p50_ms: nullable(number()),
  latency_p95_ms: nullable(number()),
  unchanged_syncs_24h: count,
  notebooks: list(
    object({
      notebook_id: integer(),
      name: text(),
      reconciled_at: nullable(time()),
      paused: pausedObject,
      pending: count,
      processing: count,
      dead: count,
      git_pending: count,
      git_lag_seconds: number(),
      git_problem: nullable(text('Why nothing is committed at the moment')),
      held: list(text(), { summary: 'Paths that the user has staged in git' }),
      problems: list(object({ source: text(), code: text(), message: text(), since: time() })),
      remotes: list(remoteObject),
      conflicts: list(conflictObject),
    }),
  ),
});
export type QueueStatus = ValueOf<typeof queueStatusObject>;

export const queueStatus = defineOperation({
  name: 'queue.status',
  summary: 'Show the state of the queue, and whether everything is committed',
  permission: READ,
  input: inNotebook,
  output: queueStatusObject,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'An agent sees problems in the answers to its own operations' },
  run: async () => (await import('../service/metrics.ts')).queueStatus,
});

const pausedNotebook = object({
  notebook: notebookObject,
  commit_sha: nullable(text('Last commit of the branch')),
  problem: nullable(text('Why some changes are not committed')),
  held: list(text(), { summary: 'Paths that the user has staged in git' }),
});
export type PausedNotebook = ValueOf<typeof pausedNotebook>;

export const pauseNotebook = defineOperation({
  name: 'notebook.pause',
  summary:
    'Pause a notebook: commit everything, then leave the folder and its branch unchanged; requests stay in the queue ' +
    'until you resume the notebook',
  permission: WRITE,
  input: inNotebook,
  output: pausedNotebook,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.NOTEBOOK_CLOSING, codexErrors.WAIT_TIMEOUT],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/notebooks.ts')).pauseNotebook,
});

export const resumeNotebook = defineOperation({
  name: 'notebook.resume',
  summary: 'Resume a paused notebook and process its queue',
  permission: WRITE,
  input: inNotebook,
  output: notebookObject,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.NOTEBOOK_CLOSING],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/notebooks.ts')).resumeNotebook,
});

const reconcileReport = object({
  seen: integer('Number of files compared'),
  queued: integer('Number of differences found'),
  skipped: list(object({ path: text(), reason: text() })),
});
export type ReconcileReport = ValueOf<typeof reconcileReport>;

const reconcileNotebookInput = {
  notebook: notebookField,
  without_disks: flag('Treat files on unmounted disks as deleted'),
} as const;
export type ReconcileNotebookInput = GivenObject<typeof reconcileNotebookInput>;

export const reconcileNotebook = defineOperation({
  name: 'notebook.reconcile',
  summary: 'Find files that other programs have changed, by comparing the folder with the index, and sync them',
  permission: WRITE,
  input: reconcileNotebookInput,
  output: reconcileReport,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.NOTEBOOK_AWAY, codexErrors.NOTEBOOK_FOLDER],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/notebooks.ts')).reconcileNotebook,
});

const reindexReport = object({
  files: integer('Number of files compared with the index'),
  indexed: integer('Number of files read again'),
});
export type ReindexReport = ValueOf<typeof reindexReport>;

export const reindexNotebook = defineOperation({
  name: 'notebook.reindex',
  summary: 'Rebuild the index of text, tags, properties and links from the files',
  permission: WRITE,
  input: inNotebook,
  output: reindexReport,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/notebooks.ts')).reindexNotebook,
});
