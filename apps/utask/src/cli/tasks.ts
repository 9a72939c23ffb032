import { toTimestamp } from '@holdfast/base';
import { type CommandContext, commandLineErrors, type CommandSpec, defineCommand, style } from '@holdfast/cli';
import { shortId } from '../model/task.ts';
import * as operations from '../operations/tasks.ts';
import type { TaskEvent } from '../service/utask.ts';
import { command, matched, sharedOptions, taskLine, type UtaskContext } from './command.ts';

const id = async () => ({ complete: (await import('./with-utask.ts')).completeId });
const tag = async () => ({ complete: (await import('./with-utask.ts')).completeTag });
const upstreamTitle = {
  type: 'string',
  summary: 'Text of the task; the original ut uses this option',
  hidden: true,
} as const;

const add = command(operations.addTask, {
  name: 'add',
  aliases: ['create'],
  flags: { tags: 'tag' },
  short: { tags: 't' },
  complete: { tags: tag },
  omit: ['text'],
  options: { title: upstreamTitle },
  prepare: (input, { args, options }) => ({ ...input, text: textOf(args, options) }),
  examples: [
    { command: 'ut add Buy milk -t errand -t shopping', summary: 'Add a task with two tags' },
    { command: 'ut add -t someday < ideas.txt', summary: 'Add one task for each line' },
  ],
  print: (task, page) => page.line(taskLine(task)),
});

/** All words are one text, so that quotes are not needed. */
function textOf(args: unknown, options: unknown): string | undefined {
  const { text } = args as { readonly text: readonly string[] };
  return text.length > 0 ? text.join(' ') : (options as { readonly title?: string }).title;
}

interface AddInput {
  readonly args: unknown;
  readonly options: UtaskContext['options'] & { readonly tag: readonly string[] };
}

/** Reads one task per line unless a text is given. */
const addCommand: CommandSpec = {
  ...add,
  summary: 'Add a task, or one for each line of standard input',
  arguments: [{ name: 'text', summary: 'Text of the task, or - for standard input', optional: true, variadic: true }],
  load: async () => {
    const bound = await add.load?.();
    return {
      run: (context: CommandContext<AddInput>) => {
        const text = textOf(context.args, context.options);
        if (text !== undefined && text !== '-') return bound?.run(context as never);
        if (text === undefined && context.stdin.isTerminal) {
          throw commandLineErrors.MISSING_ARGUMENT(
            'Give the text of the task as an argument, or lines on standard input.',
          );
        }
        return addLines(context);
      },
    };
  },
};

async function addLines(context: CommandContext<AddInput>): Promise<void> {
  const { options, out, stdin } = context;
  const { withUtask } = await import('./with-utask.ts');
  const { addTasks } = await import('../service/change-tasks.ts');
  await withUtask(context, async (host) => {
    const { added, failures } = await addTasks(host, nonEmpty(stdin.lines()), options.tag);
    if (added.length > 0 || failures.length === 0) out.result(added, (page) => page.lines(added.map(taskLine)));
    if (failures.length === 0) return;
    if (added.length > 0) context.note("The listed tasks were added before the failure; 'ut undo' removes them.");
    throw failures[0];
  });
}

async function* nonEmpty(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) if (line.trim() !== '') yield line;
}

const done = {
  ...command(operations.markTasks, {
    name: 'done',
    aliases: ['close'],
    arguments: ['ids'],
    complete: { ids: id },
    fixed: { done: true },
    examples: [{ command: 'ut done 2f8c8a3c', summary: 'Mark the task with this id prefix as done' }],
    print: (tasks, page) => page.lines(tasks.map((task) => matched('OK', task.id))),
  }),
  summary: 'Mark tasks as done',
};

const reopen = {
  ...command(operations.markTasks, {
    name: 'reopen',
    arguments: ['ids'],
    complete: { ids: id },
    fixed: { done: false },
    print: (tasks, page) => page.lines(tasks.map((task) => matched('OK', task.id))),
  }),
  summary: 'Mark tasks as not done',
};

const edit = command(operations.updateTask, {
  name: 'edit',
  aliases: ['update'],
  arguments: ['id'],
  flags: { add_tags: 'tag', remove_tags: 'untag' },
  short: { add_tags: 't' },
  complete: { id, add_tags: tag, remove_tags: tag, tags: tag },
  options: { title: upstreamTitle },
  prepare: (input, { options: { title } }) => (title === undefined ? input : { text: title, ...input }),
  examples: [{ command: 'ut edit 2f8c8a3c --tag urgent --untag someday', summary: 'Change tags' }],
  print: (task, page) => page.line(matched('OK', task.id)),
});

const remove = command(operations.deleteTasks, {
  name: 'rm',
  aliases: ['delete'],
  arguments: ['ids'],
  complete: { ids: id },
  examples: [{ command: 'ut rm a1b204e7', summary: "Delete a task; 'ut undo' restores it" }],
  print: (tasks, page) => page.lines(tasks.map((task) => matched('Deleted', task.id))),
});

const undo = command(operations.undoChange, {
  name: 'undo',
  description:
    'Without an id, undoes the last command on this machine, unless another client has changed the same tasks since. ' +
    "Repeat to go further back; 'ut redo' reverses an undo. With an id, returns that task to an earlier state; the " +
    'last 16 states are kept.',
  arguments: ['id'],
  complete: { id },
  print: (undone, page) =>
    page.lines(undone.map(({ id: of, task }) => (task === null ? matched('Deleted', of) : taskLine(task)))),
});

const redo = command(operations.redoChange, {
  name: 'redo',
  print: (redone, page) =>
    page.lines(redone.map(({ id: of, task }) => (task === null ? matched('Deleted', of) : taskLine(task)))),
});

const list = command(operations.listTasks, {
  name: 'ls',
  aliases: ['list'],
  arguments: ['words'],
  short: { limit: 'n' },
  complete: { any: tag, all: tag },
  options: {
    open: { type: 'boolean', summary: 'Only tasks that are not done' },
    done: { type: 'boolean', summary: 'Only tasks that are done' },
    status: {
      type: 'string',
      summary: 'Only tasks in this state; the original ut uses this option',
      choices: ['open', 'closed'],
      hidden: true,
    },
  },
  prepare: (input, { options }) => ({ ...input, ...stateOf(options) }),
  examples: [
    { command: 'ut ls --open milk', summary: 'List open tasks with the word milk' },
    { command: 'ut ls --all urgent,work', summary: 'List tasks that have both tags' },
    { command: 'ut ls --open --json', summary: 'List open tasks as JSON' },
  ],
  print: ({ data }, page, { isInteractive, note }) => {
    page.lines(data.map(taskLine));
    if (data.length === 0 && isInteractive) note('No tasks match.');
  },
});

/** `--open --done` selects all tasks. */
function stateOf({ open, done: isDone, status }: Readonly<Record<string, unknown>>): { readonly state?: string } {
  const wantsOpen = open === true || status === 'open';
  const wantsDone = isDone === true || status === 'closed';
  if (wantsOpen === wantsDone) return {};
  return { state: wantsOpen ? 'open' : 'done' };
}

const show = command(operations.showTask, {
  name: 'show',
  aliases: ['get'],
  arguments: ['id'],
  complete: { id },
  print: (task, page) =>
    page.fields([
      ['id', task.id],
      ['text', task.text],
      ['done', task.done ? 'yes' : 'no'],
      ['tags', task.tags.join(', ')],
      ['created', task.created],
      ['completed', task.completed ?? ''],
    ]),
});

const tags = command(operations.listTags, {
  name: 'tags',
  print: ({ tags: rows }, page) => {
    if (rows.length === 0) return;
    page.table(rows, [
      { heading: 'TAG', value: (row) => row.tag, flexible: true },
      { heading: 'OPEN', value: ({ open }) => open, align: 'right' },
      { heading: 'DONE', value: ({ done: count }) => count, align: 'right' },
    ]);
  },
});

const log = command(operations.showHistory, {
  name: 'log',
  arguments: ['id'],
  complete: { id },
  print: (states, page) =>
    page.lines(
      states.map(({ revision, at, task }) => [
        style.dim(`${revision}  ${at}  `),
        task === null ? style.red('deleted') : taskLine(task),
      ]),
    ),
});

const watch = defineCommand({
  name: 'watch',
  summary: 'Show changes by all clients as they happen',
  inherits: sharedOptions,
  examples: [{ command: 'ut watch --json', summary: 'Print one JSON document per change' }],
  load: async () => ({ run: runWatch }),
});

async function runWatch(context: CommandContext<{ readonly options: UtaskContext['options'] }>): Promise<void> {
  const { out, signal, note } = context;
  const { withUtask } = await import('./with-utask.ts');
  await withUtask(context, async ({ utask }) => {
    const known = new Map((await utask.all()).map((task) => [task.id, JSON.stringify(task)]));
    const events = await utask.watch(signal);
    note(`Watching ${utask.facts.where}. Press Ctrl-C to stop.`);
    for await (const event of events) {
      const change = changeKind(event, known);
      if (change === undefined) continue;
      const { id: of, task, revision, at } = event;
      const shown = task === undefined ? style.yellow(shortId(of)) : taskLine(task);
      const data = { change, id: of, task: task ?? null, revision, at: toTimestamp(at) };
      out.item(data, (page) => page.line(style.dim(change.padEnd(8)), shown));
    }
  });
}

/** Returns undefined if the new task equals the old one. */
function changeKind(
  { id: of, task }: TaskEvent,
  known: Map<string, string>,
): 'added' | 'changed' | 'deleted' | undefined {
  const before = known.get(of);
  if (task === undefined) return known.delete(of) ? 'deleted' : undefined;
  const after = JSON.stringify(task);
  known.set(of, after);
  if (before === after) return undefined;
  return before === undefined ? 'added' : 'changed';
}

export const taskCommands: readonly CommandSpec[] = [
  addCommand,
  done,
  reopen,
  edit,
  remove,
  undo,
  redo,
  list,
  show,
  tags,
  log,
  watch,
];
