import { delay, isHoldfastError, toTimestamp } from '@holdfast/base';
import {
  type CommandContext,
  commandLineErrors,
  type CommandSpec,
  defineCommand,
  type Page,
  style,
} from '@holdfast/cli';
import { detailsOf, dueDay, PRIORITY_LETTERS, shownPriority } from '../model/details.ts';
import type { Task } from '../model/task.ts';
import * as operations from '../operations/tasks.ts';
import type { Utask } from '../service/utask.ts';
import { command, matched, sharedOptions, taskLine, type UtaskContext } from './command.ts';

const id = async () => ({ complete: (await import('./with-utask.ts')).completeId });
const tag = async () => ({ complete: (await import('./with-utask.ts')).completeTag });
const upstreamTitle = {
  type: 'string',
  summary: 'Text of the task; for compatibility with the original ut',
  hidden: true,
} as const;

const inEditor = {
  type: 'boolean',
  short: 'e',
  summary: 'Write the text in your editor ($VISUAL or $EDITOR)',
} as const;
const priority = {
  type: 'string',
  summary: 'Priority',
  choices: [...PRIORITY_LETTERS, 'none'],
} as const;

/** Converts the letter to a number: `h`, `m` and `l` are 1, 2 and 3; `none` is 0. */
function withPriority(input: Given, options: object): Given {
  const { priority: letter } = options as {
    readonly priority?: (typeof PRIORITY_LETTERS)[number] | 'none' | undefined;
  };
  if (letter === undefined) return input;
  return { ...input, priority: letter === 'none' ? 0 : PRIORITY_LETTERS.indexOf(letter) + 1 };
}

type Given = Readonly<Record<string, unknown>>;

const add = command(operations.addTask, {
  name: 'add',
  aliases: ['create'],
  flags: { tags: 'tag' },
  short: { tags: 't' },
  complete: { tags: tag },
  omit: ['text', 'priority'],
  options: { priority, edit: inEditor, title: upstreamTitle },
  prepare: (input, { args, options }) => withPriority({ ...input, text: textOf(args, options) }, options),
  examples: [
    { command: 'ut add Pay rent --due friday --priority h', summary: 'Add a task with a due date and a priority' },
    { command: 'ut add Buy milk -t errand -t shopping', summary: 'Add a task with two tags' },
    { command: 'ut add -t someday < ideas.txt', summary: 'Add one task for each line' },
  ],
  print: (task, page) => page.line(taskLine(task)),
});

/** Joins all words into one text, so that users need no quotes. */
function textOf(args: unknown, options: unknown): string | undefined {
  const { text } = args as { readonly text: readonly string[] };
  return text.length > 0 ? text.join(' ') : (options as { readonly title?: string }).title;
}

interface AddInput {
  readonly args: unknown;
  readonly options: UtaskContext['options'] & {
    readonly tag: readonly string[];
    readonly due: string | undefined;
    readonly edit: boolean;
  };
}

/** Reads one task per line from standard input, unless the text is given as an argument. */
const addCommand: CommandSpec = {
  ...add,
  summary: 'Add a task, or one for each line of standard input',
  arguments: [{ name: 'text', summary: 'Text of the task, or - for standard input', optional: true, variadic: true }],
  load: async () => {
    const bound = await add.load?.();
    return {
      run: (context: CommandContext<AddInput>) => {
        const text = textOf(context.args, context.options);
        if (context.options.edit) {
          return edited(context, text ?? '', (written) =>
            bound?.run({ ...context, args: { text: [written] } } as never),
          );
        }
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

/** Runs a command with a text from the editor. If the command fails, the text stays in its file. */
async function edited<T>(
  { env, note }: Pick<CommandContext, 'env' | 'note'>,
  initial: string,
  run: (text: string) => T,
): Promise<Awaited<T>> {
  const { editText } = await import('../adapters/editor.ts');
  const { text, path, discard } = editText(initial, env);
  try {
    const result = await run(text);
    discard();
    return result;
  } catch (error) {
    if (text.trim() === '') discard();
    else note(`Your text is kept in ${path}.`);
    throw error;
  }
}

async function addLines(context: CommandContext<AddInput>): Promise<void> {
  const { options, out, stdin } = context;
  const { withUtask } = await import('./with-utask.ts');
  const { addTasks } = await import('../service/change-tasks.ts');
  await withUtask(context, async (host) => {
    const details = withPriority({ due: options.due }, options);
    const { added, failures } = await addTasks(host, nonEmpty(stdin.lines()), options.tag, details);
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
  omit: ['priority'],
  options: { priority, edit: inEditor, title: upstreamTitle },
  prepare: (input, { options }) => {
    const { title } = options;
    return withPriority(title === undefined ? input : { text: title, ...input }, options);
  },
  examples: [
    { command: 'ut edit 2f8c8a3c --tag urgent --untag someday', summary: 'Change tags' },
    { command: 'ut edit 2f8c8a3c --due none', summary: 'Remove the due date' },
    { command: 'ut edit 2f8c8a3c -e', summary: 'Change the text in your editor' },
  ],
  print: (task, page) => page.line(matched('OK', task.id)),
});

interface EditInput {
  readonly args: { readonly id: string };
  readonly options: UtaskContext['options'] & { readonly edit: boolean; readonly ifRevision: number | undefined };
}

/** With `-e`, refuses the change if somebody changed the task while the editor was open. */
const editCommand: CommandSpec = {
  ...edit,
  load: async () => {
    const bound = await edit.load?.();
    return {
      run: async (context: CommandContext<EditInput>) => {
        const { args, options } = context;
        if (!options.edit) return bound?.run(context as never);
        const { withUtask } = await import('./with-utask.ts');
        const { task, revision } = await withUtask(context, ({ utask }) => utask.getWithRevision(args.id));
        return edited(context, task.text, (text) => {
          const given = { ...options, text, ifRevision: options.ifRevision ?? revision };
          return bound?.run({ ...context, args: { id: task.id }, options: given } as never);
        });
      },
    };
  },
};

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
  print: (undone, page, { options }) => printRestored(undone, page, options),
});

const redo = command(operations.redoChange, {
  name: 'redo',
  print: (redone, page, { options }) => printRestored(redone, page, options),
});

function printRestored(
  restored: readonly { readonly id: string; readonly task: Task | null }[],
  page: Page,
  { dryRun }: Given,
): void {
  if (restored.length === 0) page.line('The last command was interrupted and left nothing to undo.');
  else if (dryRun === true) page.line('Nothing was changed. Without --dry-run, the result would be:');
  page.lines(restored.map(({ id: of, task }) => (task === null ? matched('Deleted', of) : taskLine(task))));
}

const list = command(operations.listTasks, {
  name: 'ls',
  aliases: ['list'],
  arguments: ['words'],
  short: { limit: 'n' },
  complete: { any: tag },
  omit: ['priority'],
  options: {
    all: {
      type: 'string',
      summary: 'Without a value: also list tasks that are done. With tags: list open tasks that have all of these tags',
      value: 'a,b',
      bare: '',
      multiple: true,
      complete: tag,
    },
    priority: { type: 'string', summary: 'Only tasks with this priority or a higher one', choices: PRIORITY_LETTERS },
    open: { type: 'boolean', summary: 'Only open tasks (the default)' },
    done: { type: 'boolean', summary: 'Only tasks that are done' },
    status: {
      type: 'string',
      summary: 'Only tasks in this state; for compatibility with the original ut',
      choices: ['open', 'closed'],
      hidden: true,
    },
  },
  prepare: (input, { options }) => withPriority({ ...input, ...stateOf(options) }, options),
  examples: [
    { command: 'ut ls milk', summary: 'List open tasks with the word milk' },
    { command: 'ut ls --all', summary: 'List all tasks' },
    { command: 'ut ls --all urgent,work', summary: 'List open tasks that have both tags' },
    { command: 'ut ls --due-by friday --order due', summary: 'List tasks due by Friday' },
  ],
  print: ({ data }, page, { isInteractive, note, options }) => {
    page.list(data, taskLine);
    if (data.length > 0 || !isInteractive) return;
    const isOpen = (stateOf(options).state ?? options['state']) === 'open';
    note(isOpen ? 'No open tasks match. Use --all to list completed tasks too.' : 'No tasks match.');
  },
});

/** `--all` without tags selects all tasks, and so does `--open` together with `--done`. */
function stateOf({ open, done: isDone, status, all }: Given): { readonly state?: string } {
  const wantsOpen = open === true || status === 'open';
  const wantsDone = isDone === true || status === 'closed';
  if ((wantsOpen && wantsDone) || (all as readonly string[]).includes('')) return { state: 'all' };
  if (!wantsOpen && !wantsDone) return {};
  return { state: wantsOpen ? 'open' : 'done' };
}

const show = command(operations.showTask, {
  name: 'show',
  aliases: ['get'],
  arguments: ['id'],
  complete: { id },
  print: (task, page) => {
    const { due, priority: level, project, notes = [] } = detailsOf(task);
    const optional: readonly (readonly [string, string | undefined])[] = [
      ['completed', task.completed],
      ['due', due === undefined ? undefined : dueDay(due, { withTime: true })],
      ['priority', level === undefined ? undefined : shownPriority(level)],
      ['project', project],
      ...notes.map((note) => ['note', note] as const),
    ];
    page.fields([
      ['id', task.id],
      ['text', task.text],
      ['done', task.done ? 'yes' : 'no'],
      ['tags', task.tags.join(', ')],
      ['created', task.created],
      ...optional.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])),
      ['revision', String(task.revision)],
    ]);
  },
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

type WatchContext = CommandContext<{ readonly options: UtaskContext['options'] }>;

/** Waits until the server can be reached. If the connection is lost later, it reconnects by itself. */
async function runWatch(context: WatchContext): Promise<void> {
  const { signal, note } = context;
  const { withUtask } = await import('./with-utask.ts');
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await withUtask(context, ({ utask }) => printChanges(context, utask));
    } catch (error) {
      if (!isHoldfastError(error, 'NATS_UNREACHABLE')) throw error;
      if (attempt === 1) note(`${error.message}. Waiting for the server. Press Ctrl-C to stop.`);
      await delay(WAIT_MS, signal);
    }
  }
}

const WAIT_MS = 1_000;

async function printChanges({ out, signal, note }: WatchContext, utask: Utask): Promise<void> {
  const events = await utask.watch(signal);
  const known = new Map((await utask.all()).map((task) => [task.id, task]));
  note(`Watching ${utask.facts.where}. Press Ctrl-C to stop.`);
  for await (const { id: of, task, revision, at } of events) {
    const before = known.get(of);
    if (task === undefined) known.delete(of);
    else known.set(of, task);
    const change = changeKind(before, task);
    if (change === undefined) continue;
    const { text } = (task ?? before) as Task;
    const data = { change, id: of, text, task: task ?? null, revision, at: toTimestamp(at) };
    out.item(data, (page) => page.line(style.dim(change.padEnd(8)), taskLine((task ?? before) as Task)));
  }
}

/** Returns undefined if the task has not changed. */
function changeKind(before: Task | undefined, after: Task | undefined): 'added' | 'changed' | 'deleted' | undefined {
  if (before === undefined) return after === undefined ? undefined : 'added';
  if (after === undefined) return 'deleted';
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : 'changed';
}

export const taskCommands: readonly CommandSpec[] = [
  addCommand,
  done,
  reopen,
  editCommand,
  remove,
  undo,
  redo,
  list,
  show,
  tags,
  log,
  watch,
];
