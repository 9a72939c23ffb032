import { systemClock, toTimestamp } from '@holdfast/base';
import type { CommandContext, Page } from '@holdfast/cli';
import { type Configuration, configuration } from '../adapters/configuration.ts';
import { readText } from '../adapters/files.ts';
import { utaskErrors } from '../model/errors.ts';
import { detectFormat, type Format, type FormatName } from '../model/import-formats/format.ts';
import { shortId, stateOf, type Task, type TaskState } from '../model/task.ts';
import { type Transferred, transferTasks } from '../service/transfer.ts';
import { taskLine, type UtaskContext } from './command.ts';
import { withUtask, withUtaskOf } from './with-utask.ts';

async function loadFormat(name: FormatName): Promise<Format> {
  if (name === 'json') return (await import('../model/import-formats/format.ts')).jsonFormat;
  if (name === 'taskwarrior') return (await import('../model/import-formats/taskwarrior.ts')).taskwarriorFormat;
  return (await import('../model/import-formats/todotxt.ts')).todotxtFormat;
}

interface ImportInput {
  readonly args: { readonly file: string };
  readonly options: UtaskContext['options'] & {
    readonly format: FormatName | undefined;
    readonly overwrite: boolean;
    readonly dryRun: boolean;
  };
}

/** Parses the whole file before changing anything. */
export async function importTasks(context: CommandContext<ImportInput>): Promise<void> {
  const { args, options, out, stdin, progress } = context;
  const text = args.file === '-' ? await stdin.text() : readText(args.file);
  // Other control characters are allowed, because the text of a task may contain them.
  if (text.includes('\0')) throw utaskErrors.BAD_IMPORT('This is a binary file, not a list of tasks.');
  const format = await loadFormat(options.format ?? detectFormat(text));
  const tasks = format.read(text, toTimestamp(systemClock()));
  if (options.dryRun) {
    out.result({ format: format.name, count: tasks.length, first: tasks.slice(0, PREVIEWED) }, (page) =>
      printPreview(format, tasks, page),
    );
    return;
  }
  await withUtask(context, async ({ utask, undoLog }) => {
    using bar = progress('importing', tasks.length);
    const { overwrite } = options;
    const done = await transferTasks(utask, tasks, { overwrite, undoLog, onTask: bar.advance });
    out.result({ format: format.name, ...done }, (page) => printTransferred(done, page));
  });
}

const PREVIEWED = 10;

function printPreview(format: Format, tasks: readonly Task[], page: Page): void {
  const now = systemClock();
  const counts = new Map<TaskState, number>([
    ['open', 0],
    ['done', 0],
  ]);
  for (const state of tasks.map((task) => stateOf(task, now))) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = Array.from(counts, ([state, count]) => `${count} ${state}`);
  page.line(`${tasks.length} tasks as ${format.name}: ${states.join(', ')}`);
  page.lines(tasks.slice(0, PREVIEWED).map(taskLine));
  if (tasks.length > PREVIEWED) page.line(`… and ${tasks.length - PREVIEWED} more`);
}

interface ExportInput {
  readonly options: UtaskContext['options'] & {
    readonly format: FormatName;
    readonly any: readonly string[];
    readonly all: readonly string[];
  };
}

/**
 * Prints the exported file. Reports any data that the format cannot hold on standard error. With `--json`, prints the
 * tasks, or the text in another format, as `data` in the usual JSON document.
 */
export async function exportTasks(context: CommandContext<ExportInput>): Promise<void> {
  const { options, out, note, isJson } = context;
  const format = await loadFormat(options.format);
  await withUtask(context, async ({ utask }) => {
    const tasks = await utask.query({ any: options.any, all: options.all });
    const { text, losses } = format.write(tasks);
    const data = options.format === 'json' ? tasks : { format: options.format, text, losses };
    if (isJson) out.result(data, () => undefined);
    else out.raw(text);
    for (const loss of losses) note(loss);
  });
}

interface CopyInput {
  readonly options: UtaskContext['options'] & {
    readonly to: string;
    readonly toProfile: string | undefined;
    readonly overwrite: boolean;
  };
}

/** Copies every task; if it runs again, copies only the missing ones. */
export async function copyTasks(context: CommandContext<CopyInput>): Promise<void> {
  const { options, env, note, out, progress } = context;
  const target = options.to === 'embedded' ? { embedded: true } : { embedded: false, natsUrl: options.to };
  const destination = configuration(
    { ...options, context: undefined, ...target, profile: options.toProfile ?? options.profile },
    env,
  );
  refuseSameStore(configuration(options, env), destination);
  await withUtask(context, async ({ utask: from }) => {
    const tasks = await from.all();
    await withUtaskOf(destination, note, async ({ utask: to, undoLog }) => {
      using bar = progress('copying', tasks.length);
      const done = await transferTasks(to, tasks, { overwrite: options.overwrite, undoLog, onTask: bar.advance });
      const data = { from: from.facts.where, to: to.facts.where, ...done };
      out.result(data, (page) => printTransferred(done, page));
    });
  });
}

/** Copying a list onto itself would copy nothing and look like success; usually the user forgot `--embedded`. */
function refuseSameStore(from: Configuration, to: Configuration): void {
  if (from.url === to.url && from.profile === to.profile) {
    const where = from.url === undefined ? from.databasePath : 'that server';
    throw utaskErrors.SAME_STORE(`The tasks are already at ${where}.`);
  }
}

function printTransferred({ added, unchanged, overwritten, skipped }: Transferred, page: Page): void {
  page.line(`${added} added, ${unchanged} unchanged, ${overwritten} overwritten, ${skipped.length} skipped`);
  page.lines(skipped.map((id) => `skipped  ${shortId(id)}  exists and differs; --overwrite replaces it`));
}
