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
  optionalList,
  pageOf,
  text,
  time,
  withDefault,
} from '@holdfast/operation';
import { utaskErrors } from '../model/errors.ts';
import type { UtaskHost } from '../service/undo.ts';

const defineOperation = operationsOf<UtaskHost>();
/**
 * Operations load their implementation on demand. This function wraps an implementation that needs no module of its
 * own.
 */
const loaded =
  <Run>(run: Run) =>
  (): Promise<Run> =>
    Promise.resolve(run);
const read = 'app:utask:read';
const write = 'app:utask:write';
const oneTask = [utaskErrors.TASK_NOT_FOUND, utaskErrors.ID_AMBIGUOUS];
const ownMachine = 'Undo covers the commands of one machine; HTTP and MCP can restore deleted tasks';
const maintenance = 'Only the operator maintains the store';

/**
 * The fields in utask's design document, and our optional fields. Fields that other programs added stay in the store.
 */
export const taskObject = object({
  id: text('128 hexadecimal digits'),
  text: text(),
  done: boolean(),
  tags: list(text()),
  created: time(),
  completed: optional(time('When the task was marked as done')),
  due: optional(text('Due date: a day, or a time in RFC 3339')),
  priority: optional(integer('Priority: 1 high, 2 medium, 3 low')),
  project: optional(text('Project of an imported task')),
  notes: optional(list(text('Note of an imported task'))),
});

const id = text('Task id, or its first characters (at least 4)', { label: 'id' });
const ids = list(text('Task ids, or their first characters (at least 4)'), { min: 1, max: 1_000 });
const tag = text('Tag', { max: 200 });
const due = optional(
  text('Due date: friday, 3d, 2026-11-20 or a time; the word none removes the due date', { max: 40, label: 'date' }),
);
const priority = integer('Priority: 1 high, 2 medium, 3 low; 0 removes the priority', { min: 0, max: 26 });
const taskText = text('Text of the task', { max: 64_000 });

export const addTask = defineOperation({
  name: 'task.add',
  summary: 'Add a task',
  permission: write,
  input: { text: taskText, tags: optionalList(tag, { max: 100 }), due, priority: optional(priority) },
  output: taskObject,
  errors: [utaskErrors.BAD_TEXT, utaskErrors.BAD_TAG, utaskErrors.BAD_DUE],
  run: async () => (await import('../service/change-tasks.ts')).addTask,
});

export const listTasks = defineOperation({
  name: 'task.list',
  summary: 'List open tasks, oldest first',
  permission: read,
  input: {
    words: optionalList(text('Only tasks with all of these words in their text', { max: 1_000 })),
    any: optionalList(text('Only tasks with at least one of these tags', { label: 'a,b' })),
    all: optionalList(text('Only tasks with all of these tags', { label: 'a,b' })),
    due_by: optional(text('Only tasks due on this day or earlier', { max: 40, label: 'date' })),
    priority: optional(integer('Only tasks with this priority or a higher one; 1 is the highest', { min: 1 })),
    state: withDefault(choice(['open', 'done', 'all'], 'Only tasks in this state'), 'open'),
    order: withDefault(choice(['oldest', 'newest', 'text', 'due', 'priority'], 'Sort order'), 'oldest'),
    limit: optional(integer('Maximum number of tasks', { min: 1, label: 'count' })),
    cursor: optional(text('Position to continue from: next_cursor of the previous page', { min: 1, max: 1_024 })),
  },
  output: pageOf(taskObject),
  errors: [utaskErrors.BAD_DUE],
  run: async () => (await import('../service/list-tasks.ts')).listTasks,
});

export const showTask = defineOperation({
  name: 'task.show',
  summary: 'Show a task',
  permission: read,
  input: { id },
  output: object({
    ...taskObject.fields,
    revision: integer('Revision of the task; pass it to an update as if_revision'),
  }),
  errors: oneTask,
  run: loaded(async ({ utask }, input) => {
    const { task, revision } = await utask.getWithRevision(input.id);
    return { ...task, revision };
  }),
});

export const updateTask = defineOperation({
  name: 'task.update',
  summary: 'Change the text, state, tags, due date or priority of a task; omitted fields stay unchanged',
  permission: write,
  input: {
    id,
    text: optional(taskText),
    done: optional(boolean('True marks the task as done, false as open')),
    tags: optional(list(text('Replace all tags with these tags', { label: 'a,b' }), { max: 100 })),
    add_tags: optionalList(text('Add a tag', { label: 'tag' }), { max: 100 }),
    remove_tags: optionalList(text('Remove a tag', { label: 'tag' }), { max: 100 }),
    due,
    priority: optional(priority),
    if_revision: optional(integer('Update only if the task has not changed since this revision', { min: 1 })),
  },
  output: taskObject,
  errors: [...oneTask, utaskErrors.TASK_CHANGED, utaskErrors.BAD_TEXT, utaskErrors.BAD_TAG, utaskErrors.BAD_DUE],
  run: async () => (await import('../service/change-tasks.ts')).updateTask,
});

export const markTasks = defineOperation({
  name: 'task.mark',
  summary: 'Mark tasks as done or open',
  permission: write,
  input: { ids, done: boolean('True marks the tasks as done, false as open') },
  output: list(taskObject),
  errors: oneTask,
  absent: { http: 'PATCH /tasks/{id} marks one task', mcp: 'update_task marks one task' },
  run: async () => (await import('../service/change-tasks.ts')).markTasks,
});

export const deleteTasks = defineOperation({
  name: 'task.delete',
  summary: 'Delete tasks',
  permission: write,
  input: { ids },
  output: list(object({ id: text(), text: optional(text()) })),
  errors: oneTask,
  run: async () => (await import('../service/change-tasks.ts')).deleteTasks,
});

export const restoreTask = defineOperation({
  name: 'task.restore',
  summary: 'Restore a deleted task under its old id',
  permission: write,
  input: { id },
  output: taskObject,
  errors: [utaskErrors.NO_HISTORY, utaskErrors.ID_AMBIGUOUS],
  absent: { cli: "'ut undo ID' restores it" },
  run: async () => (await import('../service/undo.ts')).restoreTask,
});

export const showHistory = defineOperation({
  name: 'task.history',
  summary: 'Show the history of a task, even if it is deleted',
  permission: read,
  input: { id },
  output: list(object({ revision: integer(), at: time(), task: nullable(taskObject) })),
  errors: oneTask,
  absent: { mcp: 'An agent needs only the current state' },
  run: async () => (await import('../service/undo.ts')).showHistory,
});

const undone = list(object({ id: text(), task: nullable(taskObject) }));
const dry_run = flag('Only show what would change');

export const undoChange = defineOperation({
  name: 'task.undo',
  summary: 'Undo the last change made on this machine, or the last change to one task',
  permission: write,
  input: {
    id: optional(id),
    to: optional(integer("Revision to return to (see 'ut log')", { min: 1, label: 'revision' })),
    dry_run,
  },
  output: undone,
  errors: [utaskErrors.NO_HISTORY],
  absent: { http: ownMachine, mcp: ownMachine },
  run: async () => (await import('../service/undo.ts')).undoChange,
});

export const redoChange = defineOperation({
  name: 'task.redo',
  summary: 'Redo the last undone change',
  permission: write,
  input: { dry_run },
  output: undone,
  errors: [utaskErrors.NO_HISTORY],
  absent: { http: ownMachine, mcp: ownMachine },
  run: async () => (await import('../service/undo.ts')).redoChange,
});

export const listTags = defineOperation({
  name: 'tag.list',
  summary: 'List tags with the number of open and done tasks for each',
  permission: read,
  input: {},
  output: object({
    tags: list(object({ tag: text(), open: integer(), done: integer() })),
    open: integer(),
    done: integer(),
  }),
  absent: { mcp: 'list_tasks returns the tags of each task' },
  run: async () => (await import('../service/list-tasks.ts')).countTasks,
});

const listing = object({ tag: text(), id: text() });

export const checkIndex = defineOperation({
  name: 'index.check',
  summary: 'Check the tag lists (which tasks have which tag) against the tasks; exits with 1 if they differ',
  permission: read,
  input: {},
  output: object({
    tasks: integer(),
    tags: integer(),
    missing: list(listing),
    stale: list(listing),
    unreadable: optional(list(text())),
  }),
  absent: { http: maintenance, mcp: maintenance },
  run: loaded(({ utask }) => utask.check()),
});

export const rebuildIndex = defineOperation({
  name: 'index.rebuild',
  summary: 'Rebuild the tag lists from the tasks; safe while others write',
  permission: write,
  input: {},
  output: object({ tasks: integer(), tags: integer(), added: integer(), removed: integer() }),
  absent: { http: maintenance, mcp: maintenance },
  run: loaded(({ utask }) => utask.rebuildIndex()),
});

const DAY_MS = 86_400_000;

export const purgeDeleted = defineOperation({
  name: 'store.purge',
  summary: 'Permanently remove deleted tasks and unused tag lists',
  permission: write,
  input: { older_than: withDefault(integer('Minimum number of days since deletion', { min: 0, label: 'days' }), 1) },
  output: object({ tasks: integer(), tags: integer() }),
  absent: { http: maintenance, mcp: maintenance },
  run: loaded(({ utask }, input) => utask.purge(input.older_than * DAY_MS)),
});

export const showStatus = defineOperation({
  name: 'store.status',
  summary: 'Show which store is in use, its guarantees and its missing features',
  permission: read,
  input: {},
  output: object({
    backend: choice(['embedded', 'nats']),
    where: text(),
    durability: text(),
    lacks: list(text()),
    replication: list(
      object({
        bucket: text(),
        replicas: integer('Number of servers that store the bucket'),
        leader: nullable(text('Server that accepts changes; null without a cluster or during an election')),
        followers: list(
          object({ name: text(), is_current: boolean(), lag: integer('Number of changes that the server lacks') }),
        ),
      }),
    ),
  }),
  absent: { mcp: 'An agent needs only the tasks' },
  run: loaded(({ utask }) => utask.status()),
});
