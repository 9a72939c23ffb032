import {
  boolean,
  choice,
  flag,
  integer,
  json,
  list,
  nullable,
  object,
  operationsOf,
  optional,
  optionalList,
  pageFields,
  pageOf,
  record,
  text,
  time,
  union,
  withDefault,
  type ObjectValue,
  type ValueOf,
} from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import {
  afterEventErrors,
  afterEventField,
  baseHashField,
  commitField,
  contentField,
  encodingField,
  eventObject,
  fileField,
  fileObject,
  metadataFields,
  newPathField,
  notebookField,
  queuedObject,
  queueErrors,
  READ,
  waitField,
  WRITE,
  writtenObject,
  inNotebook,
  oneFile,
} from './fields.ts';

const defineOperation = operationsOf<Codex>();
const notFound = [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.FILE_NOT_FOUND] as const;
const NOT_BY_AGENTS = 'Agents change files by writing and moving them';
const entryField = text('Path or id of the file or folder', { min: 1, max: 4_096, label: 'file' });
const linksField = flag('Do not update links in other notes');

const listFilesInput = {
  notebook: notebookField,
  path: optional(text('Only this file, or the files below this folder', { max: 4_096 })),
  ...pageFields,
  after_event: afterEventField,
} as const;
export type ListFilesInput = ObjectValue<typeof listFilesInput>;

export const listFiles = defineOperation({
  name: 'file.list',
  summary: 'Show the files in a notebook, sorted by path',
  permission: READ,
  input: listFilesInput,
  output: pageOf(fileObject),
  errors: [...notFound, codexErrors.PATH_INVALID, ...afterEventErrors],
  run: async () => (await import('../service/files.ts')).listFiles,
});

export const showFile = defineOperation({
  name: 'file.show',
  summary: 'Show the metadata of a file',
  permission: READ,
  input: oneFile,
  output: fileObject,
  errors: [...notFound, codexErrors.PATH_INVALID, ...afterEventErrors],
  absent: { mcp: 'The tool `list` shows the metadata of a file' },
  run: async () => (await import('../service/files.ts')).showFile,
});

const fileContent = object({
  path: text(),
  commit: nullable(text()),
  hash: text('SHA-256 of the content'),
  size: integer(),
  encoding: choice(['utf8', 'base64']),
  content: text(),
  offset: integer(),
  total: integer('Length of the whole content in characters'),
});
export type FileContent = ValueOf<typeof fileContent>;

const readFileInput = {
  notebook: notebookField,
  file: fileField,
  commit: optional(commitField),
  offset: withDefault(integer('Number of characters to skip', { min: 0 }), 0),
  length: optional(integer('Maximum number of characters', { min: 1 })),
} as const;
export type ReadFileInput = ObjectValue<typeof readFileInput>;

export const readFile = defineOperation({
  name: 'file.read',
  summary: 'Print the current version of a file, or the version at a commit',
  permission: READ,
  input: readFileInput,
  output: fileContent,
  errors: [
    ...notFound,
    codexErrors.PATH_INVALID,
    codexErrors.PATH_LINK,
    codexErrors.NOTEBOOK_AWAY,
    codexErrors.GIT_UNAVAILABLE,
  ],
  absent: { http: 'GET …/content and GET …/history/{commit} return the raw bytes' },
  run: async () => (await import('../service/files.ts')).readFile,
});

const createFileInput = {
  notebook: notebookField,
  path: newPathField,
  content: withDefault(contentField, ''),
  encoding: encodingField,
  ...metadataFields,
  wait: waitField,
} as const;
export type CreateFileInput = ObjectValue<typeof createFileInput>;

export const createFile = defineOperation({
  name: 'file.create',
  summary: 'Create a file',
  description: 'Returns 202 if the operation is queued, or 201 with the file if the request waits for it.',
  permission: WRITE,
  input: createFileInput,
  output: writtenObject,
  errors: [...queueErrors, codexErrors.FILE_EXISTS, codexErrors.NAME_COLLIDES],
  absent: { cli: '`write --new` creates a file', mcp: 'The tool `write` creates files' },
  run: async () => (await import('../service/changes.ts')).createFile,
});

const updateFileInput = {
  notebook: notebookField,
  file: fileField,
  content: optional(contentField),
  encoding: encodingField,
  base_hash: baseHashField,
  ...metadataFields,
  wait: waitField,
} as const;
export type UpdateFileInput = ObjectValue<typeof updateFileInput>;

export const updateFile = defineOperation({
  name: 'file.update',
  summary: 'Replace the content or metadata of a file',
  description: 'Use If-Match or base_hash to avoid overwriting a version that the client has not seen.',
  permission: WRITE,
  input: updateFileInput,
  output: writtenObject,
  errors: [...queueErrors, codexErrors.FILE_CHANGED, codexErrors.PROPERTIES_INVALID],
  absent: { cli: '`write` replaces a file', mcp: 'The tool `write` replaces files' },
  run: async () => (await import('../service/changes.ts')).updateFile,
});

const writeFileInput = {
  notebook: notebookField,
  path: newPathField,
  content: contentField,
  encoding: encodingField,
  title: optional(text('Title', { max: 1_000 })),
  base_hash: baseHashField,
  new: flag('Fail if the file exists'),
  overwrite: flag('Replace an existing file without giving base_hash'),
  wait: waitField,
} as const;
export type WriteFileInput = ObjectValue<typeof writeFileInput>;

export const writeFile = defineOperation({
  name: 'file.write',
  summary: 'Create or replace a file',
  permission: WRITE,
  input: writeFileInput,
  output: writtenObject,
  errors: [...queueErrors, codexErrors.FILE_EXISTS, codexErrors.NAME_COLLIDES, codexErrors.FILE_CHANGED],
  absent: { http: 'POST creates a file and PUT replaces one' },
  run: async () => (await import('../service/changes.ts')).writeFile,
});

const setPropertiesInput = {
  notebook: notebookField,
  file: fileField,
  set: optional(record(json(), 'Properties to set')),
  unset: optionalList(text('Name of a property to remove', { min: 1, max: 200 }), { max: 200 }),
  assignments: optionalList(text('name=value sets a property, name= removes it'), { max: 200 }),
  base_hash: baseHashField,
  wait: waitField,
} as const;
export type SetPropertiesInput = ObjectValue<typeof setPropertiesInput>;

export const setProperties = defineOperation({
  name: 'file.set_properties',
  summary: 'Set or remove properties of a file; the rest of the file stays the same',
  description:
    'Markdown files store properties between two --- lines at the beginning. Other files have a sidecar: .photo.png.yaml for photo.png.',
  permission: WRITE,
  input: setPropertiesInput,
  output: writtenObject,
  errors: [...queueErrors, codexErrors.FILE_CHANGED, codexErrors.PROPERTIES_INVALID],
  absent: { mcp: NOT_BY_AGENTS },
  run: async () => (await import('../service/changes.ts')).setProperties,
});

const moveFileInput = {
  notebook: notebookField,
  file: entryField,
  dest_path: text('New path; must not exist yet', { min: 1, max: 4_096, label: 'path' }),
  keep_links: linksField,
  base_hash: baseHashField,
  wait: waitField,
} as const;
export type MoveFileInput = ObjectValue<typeof moveFileInput>;

export const moveFile = defineOperation({
  name: 'file.move',
  summary: 'Move or rename a file, or a folder with everything in it',
  description: 'Updates links in other notes. Never overwrites an existing file or folder.',
  permission: WRITE,
  input: moveFileInput,
  output: queuedObject,
  errors: [
    ...queueErrors,
    codexErrors.FILE_EXISTS,
    codexErrors.NAME_COLLIDES,
    codexErrors.MOVE_INTO_ITSELF,
    codexErrors.FILE_CHANGED,
  ],
  run: async () => (await import('../service/changes.ts')).moveFile,
});

const deleteFileInput = {
  notebook: notebookField,
  file: entryField,
  base_hash: baseHashField,
  wait: waitField,
} as const;
export type DeleteFileInput = ObjectValue<typeof deleteFileInput>;

export const deleteFile = defineOperation({
  name: 'file.delete',
  summary: 'Move a file or folder to the trash',
  permission: WRITE,
  input: deleteFileInput,
  output: queuedObject,
  errors: [...queueErrors, codexErrors.FILE_CHANGED],
  absent: { mcp: 'Only people delete files' },
  run: async () => (await import('../service/changes.ts')).deleteFile,
});

const createFolderInput = { notebook: notebookField, path: newPathField, wait: waitField } as const;
export type CreateFolderInput = ObjectValue<typeof createFolderInput>;

export const createFolder = defineOperation({
  name: 'folder.create',
  summary: 'Create a folder, including missing parent folders',
  permission: WRITE,
  input: createFolderInput,
  output: queuedObject,
  errors: [...queueErrors, codexErrors.FILE_EXISTS, codexErrors.NAME_COLLIDES],
  absent: { mcp: 'Writing a file creates its folders' },
  run: async () => (await import('../service/changes.ts')).createFolder,
});

const listFoldersInput = { notebook: notebookField, ...pageFields, after_event: afterEventField } as const;
export type ListFoldersInput = ObjectValue<typeof listFoldersInput>;

export const listFolders = defineOperation({
  name: 'folder.list',
  summary: 'Show the folders in a notebook, sorted by path, including empty ones',
  permission: READ,
  input: listFoldersInput,
  output: pageOf(object({ id: text(), path: text(), created_at: time() })),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, ...afterEventErrors],
  absent: { mcp: 'The tool `list` shows files with their folders' },
  run: async () => (await import('../service/files.ts')).listFolders,
});

const listTreeInput = {
  notebook: notebookField,
  folder: withDefault(text('Folder to show; if empty, the top folder', { max: 4_096 }), ''),
  ...pageFields,
  after_event: afterEventField,
} as const;
export type ListTreeInput = ObjectValue<typeof listTreeInput>;

export const listTree = defineOperation({
  name: 'folder.tree',
  summary: 'Show the entries of one folder: folders first, then files',
  description: 'Within a page, names are in natural order (2 before 10). From page to page, they are in byte order.',
  permission: READ,
  input: listTreeInput,
  output: pageOf(
    object({
      kind: choice(['folder', 'file']),
      id: text(),
      name: text(),
      path: text(),
      title: nullable(text()),
      size: nullable(integer()),
      content_type: nullable(text()),
      updated_at: nullable(time()),
      git_reason: nullable(text('Why the file is not in git')),
      has_children: boolean(),
    }),
  ),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.FILE_NOT_FOUND, codexErrors.PATH_INVALID, ...afterEventErrors],
  absent: { mcp: 'The tool `list` shows files with their folders' },
  run: async () => (await import('../service/files.ts')).listTree,
});

const reference = { file_id: optional(text()), path: optional(newPathField) } as const;
const keepLinks = { keep_links: linksField } as const;
const batchObject = object({
  correlation_id: text(),
  total: integer(),
  completed: integer(),
  failed: integer(),
  status: choice(['pending', 'completed', 'failed']),
  events: list(eventObject),
});
export type BatchView = ValueOf<typeof batchObject>;

const runBatchInput = {
  notebook: notebookField,
  operations: list(
    union([
      object({
        type: choice(['create']),
        path: newPathField,
        content: withDefault(contentField, ''),
        encoding: encodingField,
        ...metadataFields,
      }),
      object({ type: choice(['create_folder']), path: newPathField }),
      object({
        type: choice(['update']),
        ...reference,
        content: optional(contentField),
        encoding: encodingField,
        base_hash: optional(text()),
        ...metadataFields,
      }),
      object({ type: choice(['move']), ...reference, dest_path: newPathField, ...keepLinks }),
      object({ type: choice(['move_folder']), path: newPathField, dest_path: newPathField, ...keepLinks }),
      object({ type: choice(['delete']), ...reference }),
      object({ type: choice(['delete_folder']), path: newPathField }),
    ]),
    { min: 1, max: 1_000 },
  ),
  wait: waitField,
} as const;
export type RunBatchInput = ObjectValue<typeof runBatchInput>;

export const runBatch = defineOperation({
  name: 'batch.run',
  summary: 'Queue several operations, all or none; they run in order and stop at the first failure',
  permission: WRITE,
  input: runBatchInput,
  output: batchObject,
  errors: [
    ...queueErrors,
    codexErrors.BATCH_TOO_LARGE,
    codexErrors.FILE_EXISTS,
    codexErrors.NAME_COLLIDES,
    codexErrors.MOVE_INTO_ITSELF,
    codexErrors.FILE_CHANGED,
    codexErrors.PROPERTIES_INVALID,
  ],
  absent: { cli: 'A shell script can run several commands', mcp: 'Agents run one operation at a time' },
  run: async () => (await import('../service/changes.ts')).runBatch,
});

const showBatchInput = { correlation_id: text('Id of the batch', { min: 1 }) } as const;
export type ShowBatchInput = ObjectValue<typeof showBatchInput>;

export const showBatch = defineOperation({
  name: 'batch.show',
  summary: 'Show all events of a batch, in order',
  permission: READ,
  input: showBatchInput,
  output: batchObject,
  errors: [codexErrors.EVENT_NOT_FOUND],
  absent: { mcp: 'Agents run one operation at a time' },
  run: async () => (await import('../service/changes.ts')).showBatch,
});

export const listTrash = defineOperation({
  name: 'trash.list',
  summary: 'Show deleted files that can be restored, newest first',
  permission: READ,
  input: inNotebook,
  output: pageOf(
    object({
      event_id: integer(),
      path: text(),
      kind: choice(['file', 'folder']),
      file_count: integer(),
      deleted_at: time(),
    }),
  ),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'Only people delete and restore files' },
  run: async () => (await import('../service/files.ts')).listTrash,
});

const restoreDeletedInput = {
  notebook: notebookField,
  event_id: optional(integer('Id of the event that deleted the file or folder', { label: 'event' })),
  path: optional(text('New path; defaults to the old one', { min: 1, max: 4_096 })),
  wait: waitField,
} as const;
export type RestoreDeletedInput = ObjectValue<typeof restoreDeletedInput>;

export const restoreDeleted = defineOperation({
  name: 'trash.restore',
  summary: 'Restore the most recently deleted file or folder, or the one that a given event deleted',
  permission: WRITE,
  input: restoreDeletedInput,
  output: queuedObject,
  errors: [...queueErrors, codexErrors.FILE_EXISTS],
  absent: { mcp: 'Only people delete and restore files' },
  run: async () => (await import('../service/changes.ts')).restoreDeleted,
});
