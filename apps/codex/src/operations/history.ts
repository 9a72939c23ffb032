import {
  boolean,
  choice,
  integer,
  list,
  nullable,
  object,
  operationsOf,
  optional,
  pageFields,
  pageOf,
  text,
  time,
  type ObjectValue,
  type ValueOf,
} from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { commitField, fileField, notebookField, queueErrors, READ, waitField, WRITE, writtenObject } from './fields.ts';

const defineOperation = operationsOf<Codex>();
const errors = [
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.GIT_UNAVAILABLE,
] as const;

const commitFields = {
  sha: text(),
  author: text(),
  email: text(),
  at: time(),
  subject: text(),
  event_ids: list(integer(), {
    summary: 'Ids of the events in the commit; empty if a person made the commit with git',
  }),
} as const;
const changeFields = {
  path: text(),
  change: choice(['added', 'modified', 'deleted', 'renamed']),
  from: nullable(text()),
} as const;

const listHistoryInput = { notebook: notebookField, file: optional(fileField), ...pageFields } as const;
export type ListHistoryInput = ObjectValue<typeof listHistoryInput>;

export const listHistory = defineOperation({
  name: 'history.list',
  summary: 'Show the commits of a notebook, or of one file including its earlier names, newest first',
  permission: READ,
  input: listHistoryInput,
  output: pageOf(object({ ...commitFields, changes: list(object(changeFields)) })),
  errors,
  run: async () => (await import('../service/history.ts')).listHistory,
});

const showCommitInput = { notebook: notebookField, commit: commitField } as const;
export type ShowCommitInput = ObjectValue<typeof showCommitInput>;

export const showCommit = defineOperation({
  name: 'history.show',
  summary: 'Show one commit with its changes to each file',
  permission: READ,
  input: showCommitInput,
  output: object({
    ...commitFields,
    parent: nullable(text()),
    file_count: integer('Number of changed files; the list may be shorter'),
    files: list(
      object({
        ...changeFields,
        diff: nullable(text('Diff in git format; null if the diffs of the commit are too long in total')),
        is_binary: boolean(),
        is_cut: boolean('True if only the beginning is shown'),
      }),
    ),
  }),
  errors,
  run: async () => (await import('../service/history.ts')).showCommit,
});

const fileDiff = object({ path: text(), to: text(), from: nullable(text()), diff: text() });
export type FileDiff = ValueOf<typeof fileDiff>;
const diffFileInput = {
  notebook: notebookField,
  file: fileField,
  to: optional(text('Commit; defaults to the last commit of the file', { max: 64, label: 'commit' })),
  from: optional(text('Compare with this commit', { max: 64, label: 'commit' })),
} as const;
export type DiffFileInput = ObjectValue<typeof diffFileInput>;

export const diffFile = defineOperation({
  name: 'history.diff',
  summary: 'Show what a commit changed in a file, or how the file differs between two commits',
  permission: READ,
  input: diffFileInput,
  output: fileDiff,
  errors,
  absent: { mcp: 'The tool `show_commit` shows what a commit changed' },
  run: async () => (await import('../service/history.ts')).diffFile,
});

const restoreVersionInput = { notebook: notebookField, file: fileField, commit: commitField, wait: waitField } as const;
export type RestoreVersionInput = ObjectValue<typeof restoreVersionInput>;

export const restoreVersion = defineOperation({
  name: 'history.restore',
  summary: 'Restore a file to its version at a commit, as a new change',
  permission: WRITE,
  input: restoreVersionInput,
  output: writtenObject,
  errors: [...queueErrors, codexErrors.GIT_UNAVAILABLE],
  absent: { mcp: 'To restore an old version, agents read it and write it back' },
  run: async () => (await import('../service/history.ts')).restoreVersion,
});
