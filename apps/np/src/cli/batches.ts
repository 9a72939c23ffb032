/**
 * Repeated options as lists of objects: `-t T -d D -t T2` is two tasks, and `-i A -s completed -i B` is two updates.
 */
import { MEBIBYTE } from '@holdfast/base';
import { type CommandContext, commandLineErrors, optionBatches } from '@holdfast/cli';
import { type TaskUpdate, updateNeedsReason } from '../model/text.ts';
import type { NewTask } from '../model/ids.ts';

type Input = Pick<CommandContext, 'given' | 'stdin'>;

export async function taskBatches({ given, stdin }: Input): Promise<readonly NewTask[]> {
  const read = textReader(stdin);
  const tasks: NewTask[] = [];
  const batches = optionBatches<{ title: string; description: string; after: readonly string[] }>(
    given,
    ['title', 'description'],
    ['after'],
  );
  for (const { title, description = '', after } of batches) {
    if (title === undefined) throw commandLineErrors.MISSING_OPTION('A description (-d) must follow a title (-t).');
    tasks.push({ title: await read(title), description: await read(description), ...(after && { after }) });
  }
  return tasks;
}

const FIELDS = ['status', 'title', 'description', 'reason', 'note', 'if_version'] as const;

type MutableUpdate = { -readonly [Name in keyof TaskUpdate]: TaskUpdate[Name] };

/**
 * Each `-i` starts an update with the options after it. A single reason applies to every update that requires one and
 * has none.
 */
export async function updateBatches({ given, stdin }: Input): Promise<readonly TaskUpdate[]> {
  const read = textReader(stdin);
  const updates: MutableUpdate[] = [];
  for (const { name, value } of given) {
    if (name === 'id') updates.push({ id: String(value) });
    const field = FIELDS.find((each) => each === (name === 'ifVersion' ? 'if_version' : name));
    if (field === undefined) continue;
    const isText = field === 'title' || field === 'description' || field === 'note';
    addTo(updates.at(-1), field, isText ? await read(String(value)) : value);
  }
  const reasons = given.filter(({ name }) => name === 'reason').map(({ value }) => String(value));
  return updates.map((update) => withCommonReason(update, reasons));
}

function addTo(update: MutableUpdate | undefined, field: Exclude<keyof TaskUpdate, 'id'>, value: unknown): void {
  const option = `--${field.replaceAll('_', '-')}`;
  if (update === undefined) {
    // A reason before the first task applies to every task that needs one.
    if (field !== 'reason') throw commandLineErrors.MISSING_OPTION(`${option} must follow the id (-i) of its task.`);
  } else if (update[field] === undefined) Object.assign(update, { [field]: value });
  else throw commandLineErrors.INVALID_ARGUMENT(`${option} is given twice for task ${update.id}.`);
}

function withCommonReason(update: TaskUpdate, reasons: readonly string[]): TaskUpdate {
  const isCommon = reasons.length === 1 && update.reason === undefined && updateNeedsReason(update);
  return isCommon ? { ...update, reason: reasons[0] } : update;
}

/**
 * Returns a function that reads a text; `-` reads standard input and may occur only once. Drops the final line break,
 * which belongs to the pipe, not to the text.
 */
export function textReader(stdin: Input['stdin']): (value: string) => Promise<string> {
  let hasRead = false;
  return async (value) => {
    if (value !== '-') return value;
    if (hasRead) throw commandLineErrors.INVALID_ARGUMENT('Only one text can be read from standard input (-).');
    hasRead = true;
    return (await stdin.text(MEBIBYTE)).replace(/\r?\n$/u, '');
  };
}
