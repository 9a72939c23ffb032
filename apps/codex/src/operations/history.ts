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
  event_ids: list(integer(), { summary: 'Events in the commit; none if it was made by hand' }),
} as const;
const changeFields = {
  path: text(),
  change: choice(['added', 'modified', 'deleted', 'renamed']),
  from: nullable(text()),
} as const;

export const listHistory = defineOperation({
  name: 'history.list',
  summary: 'Show the commits of a file, through its renames, or of the whole notebook, newest first',
  permission: READ,
  input: { notebook: notebookField, file: optional(fileField), ...pageFields },
  output: pageOf(object({ ...commitFields, changes: list(object(changeFields)) })),
  errors,
  run: async () => (await import('../service/history.ts')).listHistory as never,
});

export const showCommit = defineOperation({
  name: 'history.show',
  summary: 'Show one commit with its changes to each file',
  permission: READ,
  input: { notebook: notebookField, commit: commitField },
  output: object({
    ...commitFields,
    parent: nullable(text()),
    file_count: integer('Number of changed files; the list may be shorter'),
    files: list(
      object({
        ...changeFields,
        diff: nullable(text('As git prints it; null if all diffs together are too long')),
        is_binary: boolean(),
        is_cut: boolean('True if only the beginning is shown'),
      }),
    ),
  }),
  errors,
  run: async () => (await import('../service/history.ts')).showCommit as never,
});

export const diffFile = defineOperation({
  name: 'history.diff',
  summary: 'Show what a commit changed in a file, or the difference between two commits',
  permission: READ,
  input: {
    notebook: notebookField,
    file: fileField,
    to: optional(text('Commit; defaults to the last one of the file', { max: 64, label: 'commit' })),
    from: optional(text('Compare with this commit', { max: 64, label: 'commit' })),
  },
  output: object({ path: text(), to: text(), from: nullable(text()), diff: text() }),
  errors,
  absent: { mcp: 'The tool `show_commit` shows what a commit changed' },
  run: async () => (await import('../service/history.ts')).diffFile as never,
});

export const restoreVersion = defineOperation({
  name: 'history.restore',
  summary: 'Restore a file as it was at a commit, as a new change',
  permission: WRITE,
  input: { notebook: notebookField, file: fileField, commit: commitField, wait: waitField },
  output: writtenObject,
  errors: [...queueErrors, codexErrors.GIT_UNAVAILABLE],
  absent: { mcp: 'Agents read the version and write it' },
  run: async () => (await import('../service/history.ts')).restoreVersion as never,
});
