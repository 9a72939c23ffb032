import { pageOf } from '@holdfast/http';
import { z } from 'zod';

import { EVENT_STATUSES, EVENT_TYPES } from '../model/event.ts';

/** What the interface takes and gives. */

const time = z.string().meta({ format: 'date-time' });
const id = z.string().meta({ description: 'Stays the same when the file is moved' });
const path = z.string().min(1).meta({ description: 'Relative to the notebook, with / between names' });
const hash = z.string().meta({ description: 'SHA-256 of the content' });

/** A parameter in the address that has to be a number. */
export const numberParameter = z
  .string()
  .regex(/^\d{1,15}$/u)
  .transform(Number);

export const notebookSchema = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string().meta({ description: 'The folder of its files' }),
  state: z.enum(['active', 'closing']),
  created_at: time,
  reconciled_at: time.nullable(),
});

export const statusSchema = z.object({
  pending: z.int().meta({ description: 'Operations that wait' }),
  problem: z.string().nullable(),
  git: z.object({
    pending: z.int().meta({ description: 'Changes that are not committed yet' }),
    problem: z.string().nullable().meta({ description: 'Why nothing is committed at the moment' }),
    held: z.array(z.string()).meta({ description: 'Paths that the user has staged, and that wait for their commit' }),
    index_locked: z.boolean(),
    last_commit: z.string().nullable(),
  }),
  watcher: z
    .object({
      watching: z.boolean(),
      problem: z.string().nullable(),
      echoes: z.int().meta({ description: 'Looks that found nothing new' }),
      queued: z.int(),
      drift: z.int().meta({ description: 'What only a comparison of the whole folder found' }),
    })
    .nullable(),
});

export const reconcileSchema = z.object({
  seen: z.int().meta({ description: 'Files that were looked at' }),
  queued: z.int().meta({ description: 'Differences that the queue looked at' }),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
});

export const reindexSchema = z.object({
  files: z.int().meta({ description: 'Files that were compared with the index' }),
  indexed: z.int().meta({ description: 'Those that were read again' }),
});

export const newNotebookSchema = z.strictObject({
  name: z.string().min(1).max(100),
  path: z.string().min(1).optional().meta({ description: 'An absolute folder; one below the data home if left out' }),
});

export const fileSchema = z.object({
  id,
  notebook_id: z.int(),
  path,
  filename: z.string(),
  content_type: z.string(),
  size: z.int(),
  hash,
  title: z.string().nullable(),
  description: z.string().nullable(),
  properties: z.record(z.string(), z.unknown()),
  created_at: time,
  updated_at: time,
  git_tracked: z.boolean(),
  git_reason: z.string().nullable().meta({ description: 'Why git does not have it' }),
  last_commit_hash: z.string().nullable(),
  last_event_id: z.int().nullable(),
  tags: z.array(z.string()),
  links_out: z.int().meta({ description: 'How many links to other files it has' }),
  properties_error: z.string().nullable().meta({ description: 'Why its properties cannot be read' }),
});
export const hitPage = pageOf(
  z.object({
    file: fileSchema,
    snippet: z.array(z.object({ text: z.string(), hit: z.boolean() })).meta({ description: 'Plain text in parts' }),
    score: z.number(),
  }),
);
export const treePage = pageOf(
  z.object({
    kind: z.enum(['folder', 'file']),
    id,
    name: z.string(),
    path,
    title: z.string().nullable(),
    size: z.int().nullable(),
    content_type: z.string().nullable(),
    updated_at: time.nullable(),
    git_reason: z.string().nullable().meta({ description: 'Why git does not have it' }),
    has_children: z.boolean(),
  }),
);
export const tagCountsSchema = z.object({ data: z.array(z.object({ tag: z.string(), count: z.int() })) });
export const propertyCountsSchema = z.object({ data: z.array(z.object({ key: z.string(), count: z.int() })) });
export const filePage = pageOf(fileSchema);

const folderSchema = z.object({ id, path, created_at: time });
export const folderPage = pageOf(folderSchema);

const about = {
  title: z.string().max(1_000).nullable().optional(),
  description: z.string().max(10_000).nullable().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
};
const encoding = z.enum(['utf8', 'base64']).default('utf8').meta({ description: 'How content is written' });

export const newFileSchema = z.strictObject({ path, content: z.string().default(''), encoding, ...about });

export const fileChangeSchema = z.strictObject({
  content: z.string().optional(),
  encoding,
  base_hash: hash.optional(),
  ...about,
});

export const propertyChangeSchema = z
  .strictObject({
    set: z.record(z.string().min(1).max(200), z.json()).optional(),
    unset: z.array(z.string().min(1).max(200)).max(200).optional(),
    base_hash: hash.optional(),
  })
  .refine(({ set, unset }) => set !== undefined || unset !== undefined, { message: 'Give what to set or to unset' });

export const moveSchema = z
  .strictObject({ new_path: path.optional(), dest_path: path.optional(), base_hash: hash.optional() })
  .refine(({ new_path, dest_path }) => (new_path === undefined) !== (dest_path === undefined), {
    message: 'Give the new path, once',
  });

export const folderMoveSchema = z.strictObject({ path, new_path: path });

const linked = z.object({ id, path, title: z.string().nullable() });
const line = z.int().meta({ description: 'From 1' });
export const linksSchema = z.object({
  outgoing: z.array(
    z.object({
      target: z.string().meta({ description: 'As it is written in the note' }),
      text: z.string(),
      line,
      file: linked.nullable().meta({ description: 'Null when nothing is called so' }),
    }),
  ),
  incoming: z.array(z.object({ file: linked, line, context: z.string().meta({ description: 'The line around it' }) })),
});
export const unresolvedPage = pageOf(
  z.object({ target: z.string(), from: z.array(z.object({ id, path, line })).meta({ description: 'The first 20' }) }),
);
export const linkNamesSchema = z.object({
  data: z.array(linked.extend({ link: z.string().meta({ description: 'What to write between the brackets' }) })),
});

export const attachedSchema = z.object({
  file: fileSchema,
  markdown: z.string().meta({ description: 'The link or picture for the note' }),
});

export const templatesSchema = z.object({ data: z.array(z.object({ path: z.string(), name: z.string() })) });
export const newNoteSchema = z.strictObject({
  template: z.string().min(1).max(4_000).optional().meta({ description: 'Path or name of a template' }),
  path: path.optional().meta({ description: 'Where; ends in .md if nothing else is said' }),
  title: z.string().min(1).max(1_000).optional(),
});
export const dailySchema = z.strictObject({
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/u)
    .optional()
    .meta({ description: 'Today where the server runs, if left out' }),
});

const queuedFields = {
  event_id: z.int(),
  status: z.enum(EVENT_STATUSES),
  path: z.string().nullable(),
  status_url: z.string().meta({ description: 'Where the state of the event can be read' }),
};
export const queuedSchema = z.object({ ...queuedFields, file_id: id.nullable() });
export const queuedFolderSchema = z.object({
  ...queuedFields,
  correlation_id: z.string(),
  file_count: z.int().meta({ description: 'Files that go along' }),
});
export const queuedMoveSchema = z.union([queuedFolderSchema, queuedSchema]);

export const eventSchema = z.object({
  id: z.int(),
  notebook_id: z.int(),
  event_type: z.enum(EVENT_TYPES),
  status: z.enum(EVENT_STATUSES),
  operation: z.record(z.string(), z.unknown()),
  correlation_id: z.string().nullable(),
  sequence: z.int(),
  created_at: time,
  started_at: time.nullable(),
  processed_at: time.nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  retry_count: z.int(),
  run_at: time.nullable().meta({ description: 'Not tried again before' }),
  path: z.string().nullable(),
  dest_path: z.string().nullable(),
  file_id: z.string().nullable(),
  author: z.string(),
  superseded_by: z.int().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  commit_sha: z.string().nullable(),
});
export const eventPage = pageOf(eventSchema);
export const waitedSchema = eventSchema.extend({ timed_out: z.boolean() });

export const batchSchema = z.object({
  correlation_id: z.string(),
  total: z.int(),
  completed: z.int(),
  failed: z.int(),
  status: z.enum(['pending', 'completed', 'failed']),
  events: z.array(eventSchema),
});

const links = z.enum(['keep']).optional();
const reference = { file_id: z.string().optional(), path: path.optional() };
export const batchRequestSchema = z.strictObject({
  operations: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('create'), path, content: z.string().default(''), encoding, ...about }),
        z.strictObject({ type: z.literal('create_folder'), path }),
        z.strictObject({
          type: z.literal('update'),
          ...reference,
          content: z.string().optional(),
          encoding,
          base_hash: hash.optional(),
          ...about,
        }),
        z.strictObject({ type: z.literal('move'), ...reference, dest_path: path, links }),
        z.strictObject({ type: z.literal('move_folder'), path, dest_path: path, links }),
        z.strictObject({ type: z.literal('delete'), ...reference }),
        z.strictObject({ type: z.literal('delete_folder'), path }),
      ]),
    )
    .min(1)
    .max(1_000),
});
export type BatchRequest = z.output<typeof batchRequestSchema>['operations'][number];

export const trashSchema = z.object({
  event_id: z.int(),
  path,
  kind: z.enum(['file', 'folder']),
  file_count: z.int(),
  deleted_at: time,
});

const commitFields = {
  sha: z.string(),
  author: z.string(),
  email: z.string(),
  at: time,
  subject: z.string(),
  event_ids: z.array(z.int()).meta({ description: 'The events that it holds; none when it was made by hand' }),
};
const changeFields = {
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'renamed']),
  from: z.string().nullable(),
};
export const historySchema = pageOf(z.object({ ...commitFields, changes: z.array(z.object(changeFields)) }));

export const commitSchema = z.object({
  ...commitFields,
  parent: z.string().nullable(),
  file_count: z.int().meta({ description: 'Files that it changed; more than are listed when it changed very many' }),
  files: z.array(
    z.object({
      ...changeFields,
      diff: z.string().nullable().meta({ description: 'As git prints it; null when all of them would be too long' }),
      is_binary: z.boolean(),
      is_cut: z.boolean().meta({ description: 'Only the beginning is shown' }),
    }),
  ),
});

const count = z.int().min(0);
export const metricsSchema = z.object({
  pending: count,
  processing: count,
  failed_24h: count,
  completed_24h: count,
  dead: count,
  waiting_for_retry: count,
  oldest_pending_seconds: z.number(),
  latency_p50_ms: z.number().nullable(),
  latency_p95_ms: z.number().nullable(),
  unchanged_syncs_24h: count,
  notebooks: z.array(
    z.object({
      notebook_id: z.int(),
      pending: count,
      processing: count,
      dead: count,
      git_pending: count,
      git_lag_seconds: z.number(),
    }),
  ),
});

const seconds = z.array(z.number().nullable()).meta({ description: 'The most in this step; null when nobody looked' });
export const figuresSchema = z.object({
  at: z.array(time).meta({ description: 'When each step begins; all lists are of the same length' }),
  throughput_per_minute: z.array(z.number()).meta({ description: 'Operations that were done' }),
  pending: seconds,
  oldest_pending_seconds: seconds,
  git_lag_seconds: seconds,
});

/** Whether to wait for the end of the operation, and for how long. */
export const waitQuery = {
  sync: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true: answer when it is done (also: Prefer: wait=SECONDS)' }),
  timeout: z.coerce
    .number<string>()
    .min(0)
    .max(300)
    .optional()
    .meta({ description: 'Seconds to wait; 30 if left out' }),
};

/** Whether links follow a move. */
export const linksQuery = {
  links: z.enum(['keep']).optional().meta({ description: 'keep: links in other notes stay as they are written' }),
};

/** Reads that must see what an event did. */
export const afterQuery = {
  after_event: numberParameter.optional().meta({ description: 'Answer once this event is done' }),
};
