/** Fields that several operations share. */
import {
  boolean,
  choice,
  integer,
  json,
  list,
  nullable,
  number,
  object,
  operationErrors,
  optional,
  record,
  text,
  time,
  withDefault,
  type ObjectValue,
  type ValueOf,
} from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import { EVENT_STATUSES, EVENT_TYPES } from '../model/event.ts';

export const READ = 'app:codex:read';
export const WRITE = 'app:codex:write';

export const notebookField = optional(
  text('Name or id of the notebook; required only if there are several', { min: 1, max: 200, label: 'notebook' }),
);
export const inNotebook = { notebook: notebookField } as const;
export type InNotebook = ObjectValue<typeof inNotebook>;
export const fileField = text('Path or id of the file', { min: 1, max: 4_096, label: 'file' });
export const newPathField = text('Path in the notebook, for example notes/today.md', { min: 1, max: 4_096 });
export const baseHashField = optional(
  text('Hash or ETag of the version that the change is based on; the operation fails if the file has changed since', {
    min: 1,
    max: 1_024,
    label: 'hash',
  }),
);
export const waitField = optional(
  number('Seconds to wait for the operation to finish', { min: 0, max: 300, label: 'seconds' }),
);
export const afterEventField = optional(
  integer('Id of an event to wait for before answering', { min: 0, label: 'event' }),
);
export const oneFile = { notebook: notebookField, file: fileField, after_event: afterEventField } as const;
export type OneFile = ObjectValue<typeof oneFile>;
export const commitField = text('Commit id from the history, or HEAD~2', { min: 1, max: 64, label: 'commit' });
export const contentField = text('Content of the file', { allowsNul: true });
export const encodingField = withDefault(choice(['utf8', 'base64'], 'Encoding of the content'), 'utf8');

/** Metadata that is written into the front matter of a note, or into the sidecar of another file. */
export const metadataFields = {
  title: optional(nullable(text('Title', { max: 1_000 }))),
  description: optional(nullable(text('Description', { max: 10_000 }))),
  properties: optional(record(json(), 'Properties that replace all existing properties')),
} as const;

const maybeText = nullable(text());
const maybeTime = nullable(time());

export const notebookObject = object({
  id: integer(),
  name: text(),
  path: text('Notebook folder'),
  state: choice(['active', 'closing']),
  created_at: time(),
  reconciled_at: maybeTime,
  paused_at: maybeTime,
  paused_by: nullable(text()),
});

export const fileObject = object({
  id: text('Id of the file; stays the same when the file is moved'),
  notebook_id: integer(),
  path: text('Path of the file in the notebook'),
  filename: text(),
  content_type: text(),
  size: integer(),
  hash: text('SHA-256 of the content'),
  title: maybeText,
  description: maybeText,
  properties: record(json()),
  created_at: time(),
  updated_at: time(),
  git_tracked: boolean(),
  git_reason: nullable(text('Why the file is not in git')),
  last_commit_hash: maybeText,
  last_event_id: nullable(integer()),
  tags: list(text()),
  links_out: integer('Number of links to other files'),
  properties_error: nullable(text('Why the properties of the file cannot be read')),
});
export type FileView = ValueOf<typeof fileObject>;

const queuedFields = {
  event_id: integer('Id of the queued event'),
  status: choice(EVENT_STATUSES, 'Status of the event'),
  path: maybeText,
  file_id: nullable(text()),
  status_url: text('URL of the event'),
  conflict_path: optional(text('Path of the copy with the version that another program wrote')),
} as const;

/** A queued change. `correlation_id` and `file_count` are set only if the change is to a folder. */
export const queuedObject = object({
  ...queuedFields,
  correlation_id: optional(text('Id of the batch')),
  file_count: optional(integer('Number of files in the folder')),
});
export type Queued = ValueOf<typeof queuedObject>;

/** A queued change. `file` is set once the change is done. */
export const writtenObject = object({ ...queuedFields, file: optional(fileObject) });
export type Written = ValueOf<typeof writtenObject>;

export const eventObject = object({
  id: integer(),
  notebook_id: integer(),
  event_type: choice(EVENT_TYPES),
  status: choice(EVENT_STATUSES),
  operation: record(json()),
  correlation_id: maybeText,
  sequence: integer(),
  created_at: time(),
  started_at: maybeTime,
  processed_at: maybeTime,
  error_code: maybeText,
  error_message: maybeText,
  retry_count: integer(),
  run_at: nullable(time('Earliest time of the next retry')),
  path: maybeText,
  dest_path: maybeText,
  file_id: maybeText,
  author: text(),
  superseded_by: nullable(integer()),
  result: nullable(record(json())),
  commit_sha: maybeText,
});

export type EventView = ValueOf<typeof eventObject>;

export const linkedFile = object({ id: text(), path: text(), title: maybeText });

/** Errors that any operation that queues a change can return, including errors that occur when the change runs. */
export const queueErrors = [
  operationErrors.INPUT_INVALID,
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.NOTEBOOK_CLOSING,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.PATH_INVALID,
  codexErrors.PATH_LINK,
  codexErrors.QUEUE_FULL,
  codexErrors.IDEMPOTENCY_MISMATCH,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.DISK_AWAY,
  codexErrors.OTHER_DISK,
  codexErrors.DISK_FULL,
  codexErrors.EVENT_FAILED,
] as const;

/** Errors for reads that wait for an event first. */
export const afterEventErrors = [codexErrors.EVENT_NOT_FOUND, codexErrors.WAIT_TIMEOUT] as const;
