import { gitErrors } from '@holdfast/git';
import {
  boolean,
  choice,
  flag,
  integer,
  list,
  nullable,
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
import { inNotebook, notebookField, READ, WRITE } from './fields.ts';

const defineOperation = operationsOf<Codex>();
const ADMIN = 'app:codex:admin';
const LEFT_TO_PEOPLE = 'Only people manage remotes';

export const remoteObject = object({
  name: text(),
  url: text(),
  branch: text(),
  credentials: choice(['agent', 'key_file', 'token'], 'Where git gets the credentials from'),
  ahead: nullable(integer('Commits that the remote lacks; null before the first sync')),
  behind: nullable(integer('Commits on the remote that the notebook lacks, as of the last sync')),
  synced_at: nullable(time('Time of the last successful sync')),
  tried_at: nullable(time('Time of the last sync, successful or not')),
  problem: nullable(object({ code: text(), message: text() })),
  is_merging: boolean('True while changes from the remote are being written to the folder'),
  skipped: list(object({ path: text(), reason: text() }), {
    summary: 'Files on the remote that a notebook cannot hold; they stay in the git history',
  }),
});
export type RemoteView = ValueOf<typeof remoteObject>;

export const conflictObject = object({
  path: text('Path of the file'),
  copy: text('Path of the second version'),
  file_id: nullable(text('Id of the file; null if it was moved or deleted since')),
  copy_id: text('Id of the second version'),
});
export type ConflictView = ValueOf<typeof conflictObject>;

const nameField = text('Name of the remote', { min: 1, max: 60, label: 'remote' });

const addRemoteInput = {
  notebook: notebookField,
  name: nameField,
  url: text('Address: https://…, ssh://…, USER@HOST:PATH, or the path of a bare repository', {
    min: 1,
    max: 2_000,
    label: 'address',
  }),
  branch: optional(text('Branch to sync; defaults to the current branch', { min: 1, max: 200, label: 'branch' })),
  key_file: optional(text('Absolute path of a private ssh key; if omitted, ssh uses your agent', { label: 'file' })),
  token: optional(text('Password or access token for https; stored encrypted', { min: 1, max: 4_096 })),
  allow_path: flag('Allow a path on this machine as the address'),
} as const;
export type AddRemoteInput = GivenObject<typeof addRemoteInput>;

export const addRemote = defineOperation({
  name: 'remote.add',
  summary: 'Add a remote git repository to sync the notebook with',
  permission: ADMIN,
  input: addRemoteInput,
  output: remoteObject,
  errors: [
    codexErrors.NOTEBOOK_NOT_FOUND,
    codexErrors.REMOTE_EXISTS,
    codexErrors.REMOTE_UNSUITABLE,
    gitErrors.REMOTE_ADDRESS,
  ],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/remotes.ts')).addRemote,
});

const oneRemoteInput = { notebook: notebookField, remote: nameField } as const;
export type OneRemoteInput = ObjectValue<typeof oneRemoteInput>;

export const removeRemote = defineOperation({
  name: 'remote.remove',
  summary: 'Remove a remote and its credentials; the remote repository and the notebook stay as they are',
  permission: ADMIN,
  input: oneRemoteInput,
  output: remoteObject,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.REMOTE_NOT_FOUND],
  absent: { mcp: LEFT_TO_PEOPLE },
  run: async () => (await import('../service/remotes.ts')).removeRemote,
});

export const listRemotes = defineOperation({
  name: 'remote.list',
  summary: 'Show the remotes of a notebook, and how many commits the notebook is ahead or behind',
  permission: READ,
  input: inNotebook,
  output: pageOf(remoteObject),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  run: async () => (await import('../service/remotes.ts')).listRemotes,
});

const syncInput = {
  notebook: notebookField,
  remote: optional(nameField),
} as const;
export type SyncInput = ObjectValue<typeof syncInput>;

const syncResult = object({ remotes: list(remoteObject), conflicts: list(conflictObject) });
export type SyncResult = ValueOf<typeof syncResult>;

export const syncNotebook = defineOperation({
  name: 'remote.sync',
  summary: 'Fetch changes from the remotes, merge them, and push your own changes',
  description:
    'Changes in different lines of a file are merged. If both sides changed the same lines, the file keeps your version, and the other version is stored next to it as NAME.conflict-ID.EXT.',
  permission: WRITE,
  input: syncInput,
  output: syncResult,
  errors: [
    codexErrors.NOTEBOOK_NOT_FOUND,
    codexErrors.REMOTE_NOT_FOUND,
    codexErrors.REMOTE_UNSUITABLE,
    codexErrors.REMOTE_KEY_MISSING,
    codexErrors.SYNC_UNFINISHED,
    codexErrors.GIT_UNAVAILABLE,
    gitErrors.REMOTE_UNREACHABLE,
    gitErrors.REMOTE_REFUSED,
  ],
  run: async () => (await import('../service/remotes.ts')).syncNotebook,
});

export const listConflicts = defineOperation({
  name: 'conflict.list',
  summary: 'Show conflicts: files with a second version next to them, named NAME.conflict-ID.EXT',
  permission: READ,
  input: inNotebook,
  output: pageOf(conflictObject),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'The tool `sync` lists them' },
  run: async () => (await import('../service/remotes.ts')).listConflicts,
});

const resolveConflictInput = {
  notebook: notebookField,
  copy: text('Path of the second version', { min: 1, max: 4_096, label: 'file' }),
  keep: choice(
    ['file', 'copy', 'both'],
    'file: delete the second version; copy: replace the file with the second version; both: keep both, the second ' +
      'under a new name',
  ),
} as const;
export type ResolveConflictInput = ObjectValue<typeof resolveConflictInput>;

const resolvedConflict = object({ path: text('Path of the remaining file'), kept: list(text()) });
export type ResolvedConflict = ValueOf<typeof resolvedConflict>;

export const resolveConflict = defineOperation({
  name: 'conflict.resolve',
  summary: 'Resolve a conflict: choose which version of a file to keep; the other version stays in the history',
  permission: WRITE,
  input: resolveConflictInput,
  output: resolvedConflict,
  errors: [
    codexErrors.NOTEBOOK_NOT_FOUND,
    codexErrors.FILE_NOT_FOUND,
    codexErrors.FILE_CHANGED,
    codexErrors.WAIT_TIMEOUT,
  ],
  absent: { mcp: 'An agent edits, moves and deletes files with its other tools' },
  run: async () => (await import('../service/remotes.ts')).resolveConflict,
});
